internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireProtocols

/// Makes the methods of a queue, such as `mail.retry` and `mail.discard`. They retry one waiting element or all, or
/// remove a waiting element from the queue.
struct WaitingMethods {
  let one: Parameter
  let oneOrAll: Parameter
  /// The message for a text that is not an id.
  let wrong: ParameterMessageKey

  /// Makes a method that retries one element of the queue, or all.
  ///
  /// - Parameters:
  ///   - errors: The reasons for a refusal, in addition to those of the store.
  ///   - retry: Retries the element with this id, or all if it is nil.
  func retry(
    _ name: StaticString, _ summary: StaticString, errors: [ErrorReason],
    _ retry: @escaping @Sendable (AccountID?) async -> Reply
  ) -> Method {
    Method(
      name, summary, access: .admin, parameters: [oneOrAll], errors: errors + ErrorReason.ofStore,
      .suspending { parameters, _ throws(RPCError) in
        let id = try read(parameters)
        return { _ in await retry(id) }
      })
  }

  /// Makes a method that takes one element out of the queue.
  ///
  /// - Parameter errors: The reasons for a refusal, in addition to those of the store.
  func end(
    _ name: StaticString, _ summary: StaticString, errors: [ErrorReason],
    _ end: @escaping @Sendable (AccountID, Requester?, Cancellation) async -> Reply
  ) -> Method {
    Method(
      name, summary, access: .admin, parameters: [one], errors: errors + ErrorReason.ofStore,
      .suspending { parameters, session throws(RPCError) in
        guard let id = try read(parameters) else { throw .internal }
        let requester = session.caller.requester
        return { cancellation in await end(id, requester, cancellation) }
      })
  }

  private func read(_ parameters: borrowing Parameters) throws(RPCError) -> AccountID? {
    guard let text = parameters[one]?.string else { return nil }
    guard let id = AccountID(text) else { throw .invalidParams(LocalizedMessage(wrong), field: "id") }
    return id
  }
}
