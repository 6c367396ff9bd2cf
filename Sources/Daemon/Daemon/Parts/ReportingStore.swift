internal import Logging
internal import Methods
internal import Registration

/// Logs failures of the store, and notes them in the health; callers learn only what they may.
struct ReportingStore: InterceptedStore {
  let store: any AccountStore
  let logger: Logger
  let health: Health

  func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let kind: Health.Kind = operation == .check ? .checking : operation.isChange ? .writing : .reading
    do {
      let value = try await call()
      health.note(.store, kind, nil)
      return value
    } catch {
      // an operation that was given up says nothing about the store
      guard !Task.isCancelled, error != .cancelled else { throw error }
      logger.error("the store failed", metadata: ["operation": "\(operation)", "failure": "\(error)"])
      health.note(.store, kind, "\(error)")
      throw error
    }
  }
}
