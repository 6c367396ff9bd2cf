internal import Reasons
internal import Sentences
package import WireProtocols

extension RPCError {
  /// The error for a caller or a request that regd refuses, for every protocol.
  package init(_ refusal: Refusal) {
    switch refusal {
    case .connections(let limit): self = .full(Sentence(ServerSentence.connections, ["limit": .number(limit)]), limit)
    case .connectionsOfUser(let uid, let limit):
      self = .full(
        Sentence(ServerSentence.connectionsOfUser, ["limit": .number(limit), "uid": .number(Int(uid))]), limit)
    case .connectionsOfOthers(let uid, let count, let limit):
      self = .full(
        Sentence(
          ServerSentence.connectionsOfOthers,
          ["limit": .number(limit), "uid": .number(Int(uid)), "count": .number(count)]), limit)
    case .denied(let uid):
      self.init(.accessDenied, Sentence(AccessSentence.deniedUser, ["uid": .number(Int(uid))]))
    case .rate(let limit, let retryAfter):
      self.init(
        .rateLimited, Sentence(RateSentence.limited, ["limit": .number(limit)]), retryable: true,
        retryAfter: retryAfter, limit: limit)
    case .idle(let seconds):
      self.init(
        .requestTimeout, Sentence(RequestSentence.idle, ["seconds": .number(seconds)]), retryable: true,
        limit: seconds)
    case .draining: self = .draining
    }
  }

  private static func full(_ sentence: Sentence, _ limit: Int) -> RPCError {
    busy(sentence, retryAfter: 1, limit: limit)
  }
}
