internal import Logging
internal import Methods
internal import Reasons
internal import Registration

/// Records in `Health` how operations of the store end, so that an outage is one line of the log (`OutageReport`). Only
/// the log contains the details. Callers get a general error.
struct StoreReport: StoreHook {
  let logger: Logger
  let health: Health
  /// Called after each change. Must not block.
  let changed: @Sendable () -> Void

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let operation = call.operation
    let kind: Health.Kind = operation == .check ? .checking : operation.isChange ? .writing : .reading
    do {
      let value = try await proceed()
      health.note(.store, kind, nil)
      if operation.isChange { changed() }
      return value
    } catch {
      // a cancelled operation proves nothing about the store
      guard !Task.isCancelled, error != .cancelled else { throw error }
      let reason = OutcomeReplies.reason(of: error)
      let details = ["operation": "\(operation)", "failure": "\(error)", "reason": reason.name]
      let isFirst = CallDetails.$current.withValue(CallDetails(details)) {
        health.note(.store, kind, "\(error)", reason: reason)
      }
      if !isFirst { logger.write(.storeStillFails, nil, details) }
      throw error
    }
  }
}
