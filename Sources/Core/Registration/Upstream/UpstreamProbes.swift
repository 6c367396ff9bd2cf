/// The probes of an open breaker: which requests may find out whether the upstream is back. Each user has a pause of its own,
/// which doubles when its own probe fails; so a user with many requests neither uses up nor delays another user's probe. A
/// value; its clock and its dice are arguments.
struct UpstreamProbes: Sendable {
  /// Probes at once: many users must not meet an upstream that comes back all together.
  private static let maximumUnderWay = 4
  /// How many of them may be of users whose probes have failed before; the others are for users without a probe yet.
  private static let maximumRepeatedUnderWay = 2
  /// Users whose pauses are remembered.
  private static let maximumUsers = 1024

  private struct Standing: Sendable {
    var failures = 0
    /// The user's next probe is not before then.
    var next: ContinuousClock.Instant
    /// The last pause.
    var pause = Duration.zero
    /// The probe that failed last.
    var last: UpstreamQuestion?
    /// Whether the user has had another question since.
    var areOthersWaiting = false
  }

  private var firstPause: Duration
  private var maximumPause: Duration
  private var standings: [UInt32?: Standing] = [:]
  private var underWay: Set<UInt32?> = []
  /// The next probe of users without a standing is not before then.
  private var start: ContinuousClock.Instant

  /// The upstream is down from now on, and every user has a pause. A Retry-After binds the user that has received it, for it
  /// may belong to one request only.
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

  /// Pauses that have begun stay as long as they were to be.
  mutating func adopt(_ settings: CircuitBreaker.Settings) {
    firstPause = settings.firstPause
    maximumPause = settings.maximumPause
  }

  var areAnyUnderWay: Bool { !underWay.isEmpty }

  /// When the first user with a standing may probe.
  var next: ContinuousClock.Instant { standings.values.map(\.next).min() ?? start }

  /// - Returns: How long the question has to wait; nil if it is sent, as a probe that is under way until `ended`.
  mutating func admit(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) -> Duration? {
    let user = question.share.uid
    let due = due(question)
    if let last = standings[user]?.last, user != nil, !last.isAlike(question) {
      standings[user]?.areOthersWaiting = true
    }
    guard due <= now else { return due - now }
    guard hasRoom(for: user) else { return firstPause }
    underWay.insert(user)
    return nil
  }

  /// A user's next probe is not before then.
  func next(of user: UInt32?) -> ContinuousClock.Instant { standings[user]?.next ?? start }

  /// How long a user has to wait, whatever it asks; nil if it may probe now.
  func pause(of user: UInt32?, at now: ContinuousClock.Instant) -> Duration? {
    let next = next(of: user)
    if next > now { return next - now }
    return hasRoom(for: user) ? nil : .milliseconds(100)
  }

  private func hasRoom(for user: UInt32?) -> Bool {
    let hasFailed = (standings[user]?.failures ?? 0) > 0
    return !underWay.contains(user)
      && underWay.count < (hasFailed ? Self.maximumRepeatedUnderWay : Self.maximumUnderWay)
  }

  /// Takes the ending of a probe that has not succeeded.
  ///
  /// - Parameter failure: Nil if its ending says nothing: the user may probe again at once.
  mutating func ended(
    _ question: UpstreamQuestion, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    underWay.remove(question.share.uid)
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

  /// When the question may be a probe. If its user has other questions too, one like the last failed probe waits a pause
  /// longer: one origin, or one address over which the upstream stumbles, must not use up all probes of a user.
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
    // one probe in the longest pause is no burden, and no single answer may switch this daemon off for longer
    guard case .unavailable(let seconds?) = failure else { return pause }
    return max(pause, min(.seconds(seconds), maximumPause))
  }
}

extension UpstreamQuestion {
  /// Whether both are of the same origin or about the same address. regd's own are never alike: it chooses itself what it
  /// probes with.
  fileprivate func isAlike(_ other: UpstreamQuestion) -> Bool {
    guard share.uid != nil else { return false }
    return subject == other.subject || (share.origin != nil && share.origin == other.share.origin)
  }
}
