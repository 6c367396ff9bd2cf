package import Registration

/// One store that several regd have open.
package struct SharedStore: Sendable {
  /// Opens the store once more, as the regd of this name. Its claims to pending accounts last for `lease`.
  package let open: @Sendable (_ instance: String, _ lease: Duration) async throws -> any AccountStore

  package init(open: @escaping @Sendable (_ instance: String, _ lease: Duration) async throws -> any AccountStore) {
    self.open = open
  }

  /// The store as two regd have it open; the first one's claims last for `lease`, the second one's for an hour.
  func pair(lease: Duration = .seconds(3600)) async throws -> (a: any AccountStore, b: any AccountStore) {
    (try await open("a:/run/regd.sock", lease), try await open("b:/run/regd.sock", .seconds(3600)))
  }
}
