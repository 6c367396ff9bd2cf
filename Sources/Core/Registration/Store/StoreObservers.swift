/// Called by the store, on its own thread, with each audit entry after the commit. Must not block.
package typealias AuditObserver = @Sendable (AuditEntry) -> Void

/// A row of a store that cannot be read: edited by hand, or damaged by the disk.
package struct DamagedRow: Hashable, Sendable {
  package enum Table: String, Sendable {
    case account, audit, released, delivery, claim, mail, invitation
  }

  package let table: Table
  /// The row's key in its table: the id of an account, or the number of an entry.
  package let key: String
  /// Which of the row's values is impossible, for the log.
  package let problem: String

  package init(_ table: Table, key: String, problem: String) {
    self.table = table
    self.key = key
    self.problem = problem
  }

  /// The table and the key, for example "account 0193…" or "audit 17".
  package var name: String { "\(table.rawValue) \(key)" }
}

/// Called once with each damaged row, on one of the store's threads, and must not block.
package typealias DamageObserver = @Sendable (DamagedRow) -> Void
