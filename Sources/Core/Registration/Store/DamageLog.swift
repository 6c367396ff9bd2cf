internal import Synchronization

/// Reports each damaged row once, however often the store finds it.
package final class DamageLog: Sendable {
  /// The most rows that are reported. The log remembers each one, so without a limit a badly damaged database would
  /// fill the memory.
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
  /// Cuts the quoted key and text, because a damaged value can have any length.
  package init(_ table: Table, _ key: String, _ column: String, _ text: String) {
    self.init(table, key: "\(key.prefix(64))", problem: "its \(column) is \"\(text.prefix(64))\"")
  }
}
