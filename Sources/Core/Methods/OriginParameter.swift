package import JSONRPC
internal import Localization
package import Reasons
package import Registration
internal import WireProtocols

/// The parameter `origin`, by which a front end tells its users apart. Throttling, queues and the audit distinguish
/// users by uid and origin.
enum OriginParameter {
  static let parameter = Parameter(
    "origin", .string, required: false,
    "The caller's identifier for the end user, such as an IP address or a session id; up to 128 bytes.",
    .length(0, 128)
  )

  /// The caller, with the origin that it names. An empty origin counts as absent.
  static func requester(_ parameters: borrowing Parameters, _ caller: Peer) throws(RPCError) -> Requester {
    guard let text = parameters[parameter]?.string, !text.isEmpty else { return caller.requester }
    guard let origin = Origin(text) else {
      throw .invalidParams(
        LocalizedMessage(ParameterMessageKey.origin, ["limit": .number(Origin.maximumLength)]), field: "origin")
    }
    return Requester(uid: caller.uid, pid: caller.pid, origin: origin, door: caller.door)
  }
}

extension Method {
  /// The same method, whose work belongs to the share of its caller and of the origin that the request names. So the
  /// work's look-ups take turns with those of others. A method that does not wait is returned unchanged.
  package func sharing() -> Method {
    let hasOrigin = parameters.contains { $0.isSame(as: OriginParameter.parameter) }
    @Sendable func shared(_ work: @escaping Work, _ parameters: borrowing Parameters, _ caller: Peer) -> Work {
      let origin = hasOrigin ? parameters[OriginParameter.parameter]?.string.flatMap { Origin($0) } : nil
      let share = Share(uid: caller.uid, origin: origin)
      return { cancellation in await Share.$current.withValue(share) { await work(cancellation) } }
    }
    let begun: Behaviour
    switch behaviour {
    case .suspending(let begin):
      begun = .suspending { parameters, session throws(RPCError) in
        shared(try begin(parameters, session), parameters, session.caller)
      }
    case .lookingUp(let begin):
      begun = .lookingUp { parameters, session throws(RPCError) in
        shared(try begin(parameters, session), parameters, session.caller)
      }
    case .immediate, .offloadable, .cancelling, .discovering: return self
    }
    return Method(
      name, summary, access: access, parameters: parameters, result: result, errors: errors, repetition: repetition,
      begun)
  }
}

extension Peer {
  /// The caller as a `Requester`, without an origin.
  var requester: Requester { Requester(uid: uid, pid: pid, door: door) }
}

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
