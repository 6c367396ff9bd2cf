package import Registration

extension Accounts {
  /// Returns accounts that call `prepare` before each operation, for example to make another caller's change first.
  package func preparing(
    _ prepare: @escaping @Sendable (StoreOperation) async throws(StoreFailure) -> Void
  ) -> Accounts { with(Preparation(prepare: prepare)) }
}

private struct Preparation: StoreHook {
  let prepare: @Sendable (StoreOperation) async throws(StoreFailure) -> Void

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await prepare(call.operation)
    return try await proceed()
  }
}
