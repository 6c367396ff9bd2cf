internal import Synchronization

/// The damaged rows that were found, so that a store reports each once.
package final class DamageLog: Sendable {
  /// Rows that are reported: a table of nothing but damage is a damaged database, and need not fill the memory.
  package static let most = 10_000

  private let told = Mutex<Set<String>>([])
  private let observer: DamageObserver

  package init(_ observer: @escaping DamageObserver) { self.observer = observer }

  package func note(_ row: DamagedRow) {
    let isNew = told.withLock { $0.count < Self.most && $0.insert(row.name).inserted }
    if isNew { observer(row) }
  }
}

extension DamagedRow {
  /// What is quoted is cut: it may be anything.
  package init(_ table: Table, _ key: String, _ column: String, _ text: String) {
    self.init(table, key: "\(key.prefix(64))", problem: "its \(column) is \"\(text.prefix(64))\"")
  }
}
