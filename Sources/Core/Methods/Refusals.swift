internal import JSONRPC
package import Registration

/// A sign-in, registration, proof or recovery that was refused for what its caller has asked.
package struct RefusedAttempt: Sendable {
  package let method: StaticString
  /// The name of the error that the caller got (`ErrorReason`).
  package let reason: String
  package let requester: Requester
}

/// Receives each; must not block.
package typealias RefusalObserver = @Sendable (RefusedAttempt) -> Void

extension Method {
  /// The same method, whose refusals are told. It takes an `origin`.
  func telling(_ refused: @escaping RefusalObserver) -> Method {
    guard case .suspending(let begin) = behaviour else { return self }
    return Method(
      name, summary, access: access, parameters: parameters, result: result, errors: errors,
      .suspending { [name] parameters, session throws(RPCError) in
        let requester = try OriginParameter.requester(parameters, session.caller)
        let work = try begin(parameters, session)
        return { cancellation in
          let reply = await work(cancellation)
          if case .error(let error) = reply, ErrorReason.isRefusal(error.reason.name) {
            refused(RefusedAttempt(method: name, reason: error.reason.name, requester: requester))
          }
          return reply
        }
      })
  }
}

extension ErrorReason {
  /// Faults of regd's own, or of a part that is away: they refuse nothing.
  private static let ofOutages = Set(
    (ofNetwork + ofStore + [.internal, .cancelled, .draining, .requestTimeout]).map(\.name))

  /// Whether the error of this name is for what its caller has asked.
  static func isRefusal(_ name: String) -> Bool { !ofOutages.contains(name) }
}
