package import Registration

/// A store that lets something happen before each operation: another task's turn, or another caller's change.
package struct PreparedStore: InterceptedStore {
  package let store: any AccountStore
  private let prepare: @Sendable (StoreOperation) async throws(StoreFailure) -> Void

  package init(
    _ store: any AccountStore, _ prepare: @escaping @Sendable (StoreOperation) async throws(StoreFailure) -> Void
  ) {
    self.store = store
    self.prepare = prepare
  }

  package func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await prepare(operation)
    return try await call()
  }
}
