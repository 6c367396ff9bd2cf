/// Decides, while a breaker is open, which requests are sent as probes, to find out whether the upstream works again.
/// Each user has its own pause, which doubles when the user's own probe fails, so a user with many requests neither
/// takes nor delays another user's probe. A value type: callers pass the time and random numbers.
struct UpstreamProbes: Sendable {
  /// The most probes in flight, so that an upstream that recovers does not meet many users at once.
  private static let maximumInFlight = 4
  /// While this many probes are in flight, only users without a failed probe may send one, so that there is room for
  /// these users.
  private static let maximumRepeatedInFlight = 2
  /// The most users whose pauses are remembered.
  private static let maximumUsers = 1024

  private struct Standing: Sendable {
    var failures = 0
    /// The instant before which the user sends no probe.
    var next: ContinuousClock.Instant
    /// The length of the last pause.
    var pause = Duration.zero
    /// The user's last failed probe, or the request whose failure opened the breaker, or nil after `probeNow`.
    var last: UpstreamQuestion?
    /// Whether the user has since asked another question, one that is not like `last` (`isAlike`).
    var areOthersWaiting = false
  }

  private var firstPause: Duration
  private var maximumPause: Duration
  private var standings: [UInt32?: Standing] = [:]
  private var inFlight: Set<UInt32?> = []
  /// The instant before which users without a `Standing` send no probe.
  private var start: ContinuousClock.Instant

  /// Starts an outage, in which every user first has a pause. A Retry-After lengthens the pause of only the user that
  /// received it, because it may concern one request only.
  ///
  /// - Parameters:
  ///   - question: The last request that failed.
  ///   - dice: 0 to 1.
  init(
    _ settings: CircuitBreaker.Settings, after question: UpstreamQuestion, _ failure: NetworkFailure,
    at now: ContinuousClock.Instant, dice: Double
  ) {
    firstPause = settings.firstPause
    maximumPause = settings.maximumPause
    start = now
    start += pause(0, nil, dice)
    wait(question, failures: 0, failure, at: now, dice)
  }

  /// Takes over other settings. Running pauses keep their length.
  mutating func adopt(_ settings: CircuitBreaker.Settings) {
    firstPause = settings.firstPause
    maximumPause = settings.maximumPause
  }

  var areAnyInFlight: Bool { !inFlight.isEmpty }

  /// The earliest instant at which a user with a `Standing` may send a probe.
  var next: ContinuousClock.Instant { standings.values.map(\.next).min() ?? start }

  /// - Returns: How long the question has to wait, or nil if it may be sent, as a probe that is in flight until
  ///   `ended`.
  mutating func admit(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) -> Duration? {
    let user = question.share.uid
    let due = due(question)
    if let last = standings[user]?.last, user != nil, !last.isAlike(question) {
      standings[user]?.areOthersWaiting = true
    }
    guard due <= now else { return due - now }
    guard hasRoom(for: user) else { return firstPause }
    inFlight.insert(user)
    return nil
  }

  /// The instant before which the user sends no probe.
  func next(of user: UInt32?) -> ContinuousClock.Instant { standings[user]?.next ?? start }

  /// How long a user has to wait, whatever the question, or nil if the user may send a probe now.
  func pause(of user: UInt32?, at now: ContinuousClock.Instant) -> Duration? {
    let next = next(of: user)
    if next > now { return next - now }
    return hasRoom(for: user) ? nil : .milliseconds(100)
  }

  private func hasRoom(for user: UInt32?) -> Bool {
    let hasFailed = (standings[user]?.failures ?? 0) > 0
    return !inFlight.contains(user)
      && inFlight.count < (hasFailed ? Self.maximumRepeatedInFlight : Self.maximumInFlight)
  }

  /// Ends a probe that did not succeed.
  ///
  /// - Parameter failure: The failure, or nil if the ending proves nothing, and the user may probe again at once.
  mutating func ended(
    _ question: UpstreamQuestion, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    inFlight.remove(question.share.uid)
    guard let failure else { return }
    wait(question, failures: (standings[question.share.uid]?.failures ?? 0) + 1, failure, at: now, dice)
  }

  /// Ends the pauses of all users.
  mutating func probeNow(at now: ContinuousClock.Instant) {
    start = min(start, now)
    for (user, standing) in standings {
      standings[user]?.next = min(standing.next, now)
      standings[user]?.last = nil
    }
  }

  /// When the question may be a probe. If the user also has other questions, a question like the last failed probe
  /// waits one pause longer. So one origin, or one address that the upstream cannot handle, does not take all probes of
  /// the user.
  private func due(_ question: UpstreamQuestion) -> ContinuousClock.Instant {
    guard let standing = standings[question.share.uid] else { return start }
    let hasProbed = standing.last?.isAlike(question) ?? false
    return hasProbed && standing.areOthersWaiting ? standing.next + standing.pause : standing.next
  }

  private mutating func wait(
    _ question: UpstreamQuestion, failures: Int, _ failure: NetworkFailure, at now: ContinuousClock.Instant,
    _ dice: Double
  ) {
    let user = question.share.uid
    if standings[user] == nil, standings.count >= Self.maximumUsers,
      let longest = standings.min(by: { $0.value.next < $1.value.next })
    {
      standings[longest.key] = nil
    }
    let pause = pause(failures, failure, dice)
    standings[user] = Standing(failures: failures, next: now + pause, pause: pause, last: question)
  }

  private func pause(_ failures: Int, _ failure: NetworkFailure?, _ dice: Double) -> Duration {
    let pause = min(firstPause * (1 << min(failures, 20)), maximumPause) * (1 - dice / 2)
    // at most `maximumPause`: one probe in that time is no burden, and no single Retry-After may block this daemon for
    // longer
    guard case .unavailable(let seconds?) = failure else { return pause }
    return max(pause, min(.seconds(seconds), maximumPause))
  }
}

extension UpstreamQuestion {
  /// Whether both have the same origin or concern the same address. Never true for regd's own questions, because regd itself
  /// chooses the questions of its probes.
  fileprivate func isAlike(_ other: UpstreamQuestion) -> Bool {
    guard share.uid != nil else { return false }
    return subject == other.subject || (share.origin != nil && share.origin == other.share.origin)
  }
}
