/// Why regd refuses a caller or a request, in any protocol. Each wire protocol has its own words for it.
package enum Refusal: Equatable, Sendable {
  /// All connections are in use.
  case connections(limit: Int)
  /// The user has as many connections as one user may have.
  case connectionsOfUser(UInt32, limit: Int)
  /// The user already has `count` connections and gets no further one, because the remaining connections are reserved
  /// for other users.
  case connectionsOfOthers(UInt32, count: Int, limit: Int)
  /// The user may not connect at all (`access.deny`).
  case denied(UInt32)
  /// The user has sent more requests in a second than it may.
  ///
  /// - Parameters:
  ///   - limit: Requests per second.
  ///   - retryAfter: In seconds.
  case rate(limit: Int, retryAfter: Int)
  /// The connection had no request for this many seconds.
  case idle(seconds: Int)
  /// regd stops, or the listening point does.
  case draining
}
