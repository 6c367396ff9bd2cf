internal import JSONRPC
package import Reasons
package import Registration

/// A sign-in, registration, proof or recovery that was refused because of the caller's input.
package struct RefusedAttempt: Sendable {
  package let method: StaticString
  /// The name of the error that the caller got (`ErrorReason`).
  package let reason: String
  package let requester: Requester

  package init(method: StaticString, reason: String, requester: Requester) {
    (self.method, self.reason, self.requester) = (method, reason, requester)
  }
}

/// Receives each refused attempt. It must not block.
package typealias RefusalObserver = @Sendable (RefusedAttempt) -> Void

extension Method {
  /// The same method, which also reports its refusals to `refused`. A method of the kind `suspending` must have the
  /// parameter `origin`. A method of another kind is returned unchanged.
  func reporting(to refused: @escaping RefusalObserver) -> Method {
    guard case .suspending(let begin) = behaviour else { return self }
    return Method(
      name, summary, access: access, parameters: parameters, result: result, errors: errors,
      repetition: repetition,
      .suspending { [name] parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let work = try begin(parameters, session)
        return { cancellation in
          let reply = await work(cancellation)
          if case .error(let error) = reply, error.reason.isDueToCaller {
            refused(RefusedAttempt(method: name, reason: error.reason.name, requester: requester))
          }
          return reply
        }
      })
  }
}

extension ErrorReason {
  /// Whether the error is due to the caller, so that it is reported as a refused attempt. An outage is not, because regd
  /// itself or a part that it cannot reach is at fault.
  package var isDueToCaller: Bool {
    switch kind {
    case .credentials, .input, .refusal, .denial, .limit, .protocol: true
    case .outage: false
    }
  }
}
