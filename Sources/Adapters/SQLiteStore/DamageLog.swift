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
