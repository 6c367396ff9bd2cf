package import Registration
import TestDoubles

/// One store that several regd processes have open.
package struct SharedStore: Sendable {
  /// Opens the store once more, as the regd of this name. That regd's leases of pending accounts last for `lease`.
  package let open: @Sendable (_ instance: String, _ lease: Duration) async throws -> Accounts

  package init(open: @escaping @Sendable (_ instance: String, _ lease: Duration) async throws -> Accounts) {
    self.open = open
  }

  /// The store, opened by two regd processes. Leases of pending accounts last for `lease` in `a`, and for an hour in
  /// `b`.
  func pair(lease: Duration = .seconds(3600)) async throws -> (a: Accounts, b: Accounts) {
    (try await open("a:/run/regd.sock", lease), try await open("b:/run/regd.sock", .seconds(3600)))
  }
}
