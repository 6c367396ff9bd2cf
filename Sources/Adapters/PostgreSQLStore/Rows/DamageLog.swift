internal import Registration
internal import Synchronization

/// The damaged rows that were found, so that each is reported once.
final class DamageLog: Sendable {
  /// Rows that are reported: a table of nothing but damage is a damaged database, and need not fill the memory.
  static let most = 10_000

  private let told = Mutex<Set<String>>([])
  private let observer: DamageObserver

  init(_ observer: @escaping DamageObserver) { self.observer = observer }

  func note(_ row: DamagedRow) {
    let isNew = told.withLock { $0.count < Self.most && $0.insert(row.name).inserted }
    if isNew { observer(row) }
  }
}

extension DamagedRow {
  /// What is quoted is cut: it may be anything.
  init(_ table: Table, _ key: String, _ column: String, _ text: String) {
    self.init(table, key: "\(key.prefix(64))", problem: "its \(column) is \"\(text.prefix(64))\"")
  }
}

extension Connection {
  /// Reads a page of rows, over those that cannot be read, which are reported.
  ///
  /// - Parameters:
  ///   - limit: Readable rows; fewer come only where there are no more.
  ///   - page: The statement for a page behind a key.
  ///   - key: What the next page begins behind.
  func readable<Value, Key>(
    behind start: Key, limit: Int, _ page: (Key, _ limit: Int) -> Statement, key: (Row) -> Key,
    _ read: (Row) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> [Value] {
    var values: [Value] = []
    var start = start
    while values.count < limit {
      let wanted = limit - values.count
      let rows = try answer(page(start, wanted)).rows
      for row in rows {
        do throws(ServerFailure) {
          values.append(try read(row))
        } catch {
          guard let damaged = error.row else { throw error }
          damage?.note(damaged)
        }
      }
      guard rows.count == wanted, let last = rows.last else { break }
      start = key(last)
    }
    return values
  }
}
