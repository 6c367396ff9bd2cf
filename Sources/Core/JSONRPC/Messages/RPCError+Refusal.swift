internal import Localization
internal import Reasons
package import WireProtocols

extension RPCError {
  /// The error for a caller or a request that regd refuses, for every protocol.
  package init(_ refusal: Refusal) {
    switch refusal {
    case .connections(let limit):
      self = .full(LocalizedMessage(ServerMessageKey.connections, ["limit": .number(limit)]), limit)
    case .connectionsOfUser(let uid, let limit):
      self = .full(
        LocalizedMessage(ServerMessageKey.connectionsOfUser, ["limit": .number(limit), "uid": .number(Int(uid))]), limit
      )
    case .connectionsOfOthers(let uid, let count, let limit):
      self = .full(
        LocalizedMessage(
          ServerMessageKey.connectionsOfOthers,
          ["limit": .number(limit), "uid": .number(Int(uid)), "count": .number(count)]), limit)
    case .denied(let uid):
      self.init(.accessDenied, LocalizedMessage(AccessMessageKey.deniedUser, ["uid": .number(Int(uid))]))
    case .rate(let limit, let retryAfter):
      self.init(
        .rateLimited, LocalizedMessage(RateMessageKey.limited, ["limit": .number(limit)]), retryable: true,
        retryAfter: retryAfter, limit: limit)
    case .idle(let seconds):
      self.init(
        .requestTimeout, LocalizedMessage(RequestMessageKey.idle, ["seconds": .number(seconds)]), retryable: true,
        limit: seconds)
    case .draining: self = .draining
    }
  }

  private static func full(_ sentence: LocalizedMessage, _ limit: Int) -> RPCError {
    busy(sentence, retryAfter: 1, limit: limit)
  }
}
