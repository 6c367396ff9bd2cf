package import JSONRPC
internal import Localization
internal import Registration
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

extension Peer {
  /// The caller as a `Requester`, without an origin.
  var requester: Requester { Requester(uid: uid, pid: pid, door: door) }
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
