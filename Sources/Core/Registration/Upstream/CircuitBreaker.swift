/// A circuit breaker for the upstream (M. Nygard, "Release It!"). When enough requests have failed (`BreakerEvidence`),
/// the breaker opens: it answers requests from memory with the last failure. If the failures may be due to one user's
/// requests, the breaker opens for this user only. While it is open, each user may send a probe from time to time
/// (`UpstreamProbes`). The first success of any user closes it for all. A value type: callers pass the time and random
/// numbers.
package struct CircuitBreaker: Sendable {
  package struct Settings: Equatable, Sendable {
    /// The number of failures in a row that opens the breaker, at least 1.
    package var failures: Int
    /// The pause before the first probe after the breaker opens. Each failed probe doubles the pause of its user.
    /// Jitter shortens the pause by up to a half, so that many daemons do not probe at the same moment.
    package var firstPause: Duration
    package var maximumPause: Duration

    package init(failures: Int = 5, firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(60)) {
      self.failures = failures
      self.firstPause = firstPause
      self.maximumPause = maximumPause
    }
  }

  package enum State: Equatable, Sendable {
    /// Requests are sent. The last `failures` of them have failed.
    case closed(failures: Int)
    /// No request is sent before this instant, when the first user may send a probe. If the breaker is open for some
    /// users only (`heldUsers`), this is true of these users.
    case open(until: ContinuousClock.Instant)
    /// A probe is in flight.
    case halfOpen
  }

  package enum Admission: Equatable, Sendable {
    case ask(Ticket)
    /// The request was answered from memory, and nothing was sent.
    case refuse(NetworkFailure)
  }

  /// A request that was let through. Its period shows whether the request began before the breaker opened or closed for
  /// all. If it did, its outcome shows nothing about the time since.
  package struct Ticket: Equatable, Sendable {
    fileprivate let period: Int
    /// The number of the `Hold` for which the request is a probe, or 0 for none.
    fileprivate let hold: Int
    fileprivate let question: UpstreamQuestion
  }

  package enum Ending: Equatable, Sendable {
    /// The upstream has answered as a working one does, whatever the answer.
    case answered
    case failed(NetworkFailure)
    /// The request ended without a usable answer, for example because its caller was cancelled.
    case unknown
  }

  /// The breaker's state for one user, while it is open for some users only.
  private struct Hold: Sendable {
    /// The hold's number, unique within the breaker. Starts at 1.
    let number: Int
    var probes: UpstreamProbes
    /// The failure that opened the breaker for the user, or the last one since.
    var last: NetworkFailure
  }

  package private(set) var settings: Settings
  private var evidence: BreakerEvidence
  /// The probes while the breaker is open for all, or otherwise nil.
  private var probes: UpstreamProbes?
  /// The failure that opened the breaker for all, or the last one since.
  private var last = NetworkFailure.offline
  /// The number of the present period. A new period begins when the breaker opens for all, and when that opening ends.
  private var period = 0
  /// The breaker's state for each user, if it is open for some users only. Empty while it is open for all.
  /// `BreakerEvidence` bounds the number of users.
  private var holds: [UInt32?: Hold] = [:]
  private var lastHold = 0
  /// How many times the breaker has closed again after it was open, for all or for some users.
  package private(set) var recoveries = 0

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    evidence = BreakerEvidence(needed: settings.failures)
  }

  /// Adopts other settings. The breaker remains open or closed.
  package mutating func adopt(_ settings: Settings) {
    self.settings = settings
    evidence.needed = settings.failures
    probes?.adopt(settings)
    for user in holds.keys { holds[user]?.probes.adopt(settings) }
  }

  /// Whether the breaker is open neither for all nor for any user.
  package var isClosed: Bool { probes == nil && holds.isEmpty }

  package var isOpenForAll: Bool { probes != nil }

  /// The users for whom the breaker is open, if it is open for some users only. Excludes regd's own share.
  package var heldUsers: [UInt32] { holds.keys.compactMap(\.self).sorted() }

  package var state: State {
    let all = probes.map { [$0] } ?? holds.values.map(\.probes)
    guard let next = all.map(\.next).min() else { return .closed(failures: evidence.failures) }
    return all.contains(where: \.areAnyInFlight) ? .halfOpen : .open(until: next)
  }

  /// How long a user's requests are answered from memory, or nil if the next one would be sent. The time is short while
  /// other users' probes keep the user from probing.
  package func pause(of share: Share, at now: ContinuousClock.Instant) -> Duration? {
    (probes ?? holds[share.uid]?.probes)?.pause(of: share.uid, at: now)
  }

  /// The instant before which no request of this user is sent, or nil if the breaker is not open for the user.
  package func nextProbe(of share: Share) -> ContinuousClock.Instant? {
    (probes ?? holds[share.uid]?.probes)?.next(of: share.uid)
  }

  package mutating func admit(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) -> Admission {
    let user = question.share.uid
    if let wait = probes?.admit(question, at: now) { return .refuse(Self.fromMemory(last, wait)) }
    if let wait = holds[user]?.probes.admit(question, at: now), let hold = holds[user] {
      return .refuse(Self.fromMemory(hold.last, wait))
    }
    return .ask(Ticket(period: period, hold: holds[user]?.number ?? 0, question: question))
  }

  /// Judges how a request that was let through has ended.
  ///
  /// - Parameter dice: 0 to 1.
  package mutating func ended(
    _ ticket: Ticket, _ ending: Ending, at now: ContinuousClock.Instant, dice: Double
  ) {
    let question = ticket.question
    let user = question.share.uid
    guard ticket.period == period, ticket.hold == holds[user]?.number ?? 0 else { return }
    switch ending {
    case .answered:
      evidence.succeeded(question, at: now)
      close()
    case .failed(let failure) where probes == nil:
      holds[user]?.probes.ended(question, failure, at: now, dice: dice)
      holds[user]?.last = failure
      switch evidence.failed(question, failure, at: now) {
      case .nothing: break
      case .againstUser: hold(question, failure, at: now, dice)
      case .againstUpstream: open(question, failure, at: now, dice)
      }
    case .failed(let failure):
      last = failure
      probes?.ended(question, failure, at: now, dice: dice)
    case .unknown:
      probes?.ended(question, nil, at: now, dice: dice)
      holds[user]?.probes.ended(question, nil, at: now, dice: dice)
    }
  }

  /// Lets the next request of every user through as a probe, even during the user's pause.
  package mutating func probeNow(at now: ContinuousClock.Instant) {
    probes?.probeNow(at: now)
    for user in holds.keys { holds[user]?.probes.probeNow(at: now) }
  }

  private mutating func hold(
    _ question: UpstreamQuestion, _ failure: NetworkFailure, at now: ContinuousClock.Instant, _ dice: Double
  ) {
    guard holds[question.share.uid] == nil else { return }
    lastHold += 1
    holds[question.share.uid] = Hold(
      number: lastHold, probes: UpstreamProbes(settings, after: question, failure, at: now, dice: dice), last: failure)
  }

  private mutating func open(
    _ question: UpstreamQuestion, _ failure: NetworkFailure, at now: ContinuousClock.Instant, _ dice: Double
  ) {
    probes = UpstreamProbes(settings, after: question, failure, at: now, dice: dice)
    holds = [:]
    last = failure
    period += 1
  }

  private mutating func close() {
    guard !isClosed else { return }
    if probes != nil { period += 1 }
    (probes, holds) = (nil, [:])
    recoveries += 1
  }

  /// The failure that a caller gets from memory: the last one if it is `offline` or `untrusted`, otherwise
  /// `unavailable`. All three mean that the upstream has not acted, because nothing was sent.
  private static func fromMemory(_ last: NetworkFailure, _ wait: Duration) -> NetworkFailure {
    switch last {
    case .offline, .untrusted: last
    default: .unavailable(retryAfterSeconds: max(1, Int(wait.roundedUp)))
    }
  }
}

extension Duration {
  /// The duration in whole seconds, rounded up.
  fileprivate var roundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
