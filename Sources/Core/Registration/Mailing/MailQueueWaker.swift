/// Wakes the mail queue after each change that may have added a mail, even if the change's outcome is unknown.
package struct MailQueueWaker: StoreHook {
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called after each such change, and must not block.
  package init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

  package func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    defer { if call.operation.isChange, !call.scope.mails.isEmpty { wake() } }
    return try await proceed()
  }
}
