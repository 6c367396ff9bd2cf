import Synchronization

/// The resources of a server that one user holds, over all its connections (SO_PEERCRED names the user).
package final class PeerQuota: Sendable {
  package let uid: UInt32
  private let open = Atomic<Int>(0)
  private let queued = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  private let working = Atomic<Int>(0)
  private let asked = Atomic<UInt64>(0)
  /// The limit of the user's request rate. 0 means unlimited.
  private let requestsPerSecond: Atomic<Int>
  private let bucket: Mutex<TokenBucket>

  package init(uid: UInt32, requestsPerSecond: Int) {
    self.uid = uid
    self.requestsPerSecond = Atomic(requestsPerSecond)
    bucket = Mutex(TokenBucket(perSecond: max(1, requestsPerSecond), now: .now))
  }

  package var connections: Int { open.load(ordering: .relaxed) }
  /// Bytes of replies that wait for the user's clients to read them.
  package var queuedBytes: Int { queued.load(ordering: .relaxed) }
  /// Bytes that the server holds for the user, such as unfinished texts and params of requests in flight.
  package var heldBytes: Int { held.load(ordering: .relaxed) }
  /// Requests that have no reply yet.
  package var inFlight: Int { working.load(ordering: .relaxed) }
  /// Requests and notifications since the first connection.
  package var requests: UInt64 { asked.load(ordering: .relaxed) }

  var figures: PeerQuotas.Figures {
    PeerQuotas.Figures(connections: connections, requests: requests, inFlight: inFlight, queuedBytes: queuedBytes)
  }

  package func connect() { open.wrappingAdd(1, ordering: .relaxed) }
  package func disconnect() { open.wrappingSubtract(1, ordering: .relaxed) }
  package func queue(_ bytes: Int) { queued.wrappingAdd(bytes, ordering: .relaxed) }
  package func begin(_ requests: Int) { working.wrappingAdd(requests, ordering: .relaxed) }
  package func end(_ requests: Int) { working.wrappingSubtract(requests, ordering: .relaxed) }
  package func hold(_ bytes: Int) { held.wrappingAdd(bytes, ordering: .relaxed) }
  package func count(_ requests: Int) { asked.wrappingAdd(UInt64(requests), ordering: .relaxed) }

  /// Whether the user's rate of requests is limited.
  package var isLimited: Bool { requestsPerSecond.load(ordering: .relaxed) > 0 }

  /// Changes the rate limit. Tokens that were taken within the current second remain taken.
  func adopt(requestsPerSecond: Int) {
    bucket.withLock { $0.perSecond = max(1, requestsPerSecond) }
    self.requestsPerSecond.store(requestsPerSecond, ordering: .relaxed)
  }

  /// Whether the user's token bucket is full, as if the user had sent no request yet.
  func isRested(at now: ContinuousClock.Instant) -> Bool { !isLimited || bucket.withLock { $0.isFull(at: now) } }

  /// Counts a request against the user's rate.
  ///
  /// - Returns: The refusal if the rate is exceeded.
  package func admit() -> Refusal? {
    let requestsPerSecond = requestsPerSecond.load(ordering: .relaxed)
    guard requestsPerSecond > 0 else { return nil }
    let wait = bucket.withLock { $0.take(at: .now) }
    return wait.map { .rate(limit: requestsPerSecond, retryAfter: max(1, Int($0.components.seconds))) }
  }
}

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

/// A token bucket: a rate, and a burst of one second at that rate.
struct TokenBucket {
  var perSecond: Int
  /// The instant at which the bucket counts as empty. It now has the tokens of the time since then, but at most those
  /// of one second.
  private var next: ContinuousClock.Instant

  init(perSecond: Int, now: ContinuousClock.Instant) {
    self.perSecond = perSecond
    next = now - .seconds(1)
  }

  func isFull(at now: ContinuousClock.Instant) -> Bool { next <= now - .seconds(1) }

  /// Takes a token.
  ///
  /// - Returns: Nil if a token was available, otherwise the time until the next one.
  mutating func take(at now: ContinuousClock.Instant) -> Duration? {
    let begin = max(next, now - .seconds(1))
    let after = begin + .seconds(1) / perSecond
    guard after <= now else { return after - now }
    next = after
    return nil
  }
}
