/// Calls `ring`, which wakes the mail queue, after each change that may have added a mail, even if the change's outcome
/// is unknown.
package struct MailBell: InterceptedStore {
  package let store: any AccountStore
  private let ring: @Sendable () -> Void

  /// - Parameter ring: Called after each such change, and must not block.
  package init(_ store: any AccountStore, ring: @escaping @Sendable () -> Void) {
    (self.store, self.ring) = (store, ring)
  }

  package func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value { try await call() }

  package func change<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, for share: Share,
    _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    defer { if !scope.mails.isEmpty { ring() } }
    return try await store.change(operation, scope, for: share, body)
  }
}
