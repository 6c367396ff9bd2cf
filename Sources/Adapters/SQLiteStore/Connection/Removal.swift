internal import Synchronization

/// Whether a connection has removed content since the write-ahead log was last emptied. Until it is emptied, the log
/// keeps old versions of pages, and therefore the removed content. Every removal counts: a sweep's, and a change's that
/// deletes an account, replaces a password or an address, or ends a claim.
final class Removal: Sendable {
  private let isOwed = Atomic(false)

  var isRaised: Bool { isOwed.load(ordering: .relaxed) }

  func raise() { isOwed.store(true, ordering: .relaxed) }

  func lower() { isOwed.store(false, ordering: .relaxed) }

  /// Updates that overwrite addresses, notes and hashes begin with one of these tables, or with a table and a column.
  private static let overwritten = ["account", "claim", "invitation", "audit", "audit_address SET email"]

  /// Whether a statement with this SQL may remove content.
  static func isOne(_ sql: String) -> Bool {
    sql.hasPrefix("DELETE ") || overwritten.contains { sql.hasPrefix("UPDATE \($0) ") }
  }
}
