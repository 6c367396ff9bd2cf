package import Registration

/// A store that calls `prepare` before each operation, for example to make another caller's change first.
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
