internal import Dialogues
internal import JSONRPC
internal import Registration
internal import Sentences

/// The parameter `origin`, by which a front end tells its users apart. Throttling, queues and the audit distinguish
/// users by uid and origin.
enum OriginParameter {
  static let parameter = Parameter(
    "origin", .string, required: false,
    "The user for whom the caller asks: an IP address, a session, whatever tells its users apart; up to 128 bytes.",
    .length(0, 128)
  )

  /// The caller, with the origin that it names; an empty origin counts as none.
  static func requester(_ parameters: borrowing Parameters, _ caller: Caller) throws(RPCError) -> Requester {
    guard let text = parameters[parameter]?.string, !text.isEmpty else { return caller.requester }
    guard let origin = Origin(text) else {
      throw .invalidParams(
        Sentence(ParameterSentence.origin, ["limit": .number(Origin.maximumLength)]), field: "origin")
    }
    return Requester(uid: caller.uid, pid: caller.pid, origin: origin, door: caller.door)
  }
}

extension Caller {
  /// The caller as a `Requester`, without an origin.
  var requester: Requester { Requester(uid: uid, pid: pid, door: door) }
}
