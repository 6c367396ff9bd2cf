package import Registration
import TestDoubles

/// A store on a connection that can be cut at any message to its server.
package struct CuttableStore: Sendable {
  package let store: Accounts
  /// The entries that the store's observer received.
  package let observed: @Sendable () -> [AuditEntry]
  /// Cuts the connection once, before the n-th message to the server from now on.
  package let cut: @Sendable (_ message: Int) -> Void
  /// Stops cutting, and returns whether anything was cut.
  package let heal: @Sendable () -> Bool
  /// Opens the same store as another process would.
  package let another: @Sendable () async throws -> Accounts

  package init(
    store: Accounts, observed: @escaping @Sendable () -> [AuditEntry],
    cut: @escaping @Sendable (_ message: Int) -> Void, heal: @escaping @Sendable () -> Bool,
    another: @escaping @Sendable () async throws -> Accounts
  ) {
    (self.store, self.observed, self.cut, self.heal, self.another) = (store, observed, cut, heal, another)
  }
}
