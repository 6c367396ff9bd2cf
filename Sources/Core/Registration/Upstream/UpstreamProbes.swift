/// Who may see whether an upstream that is down is back. Each user has a pause of its own, which doubles with its own
/// probes that fail: whoever asks most neither takes nor postpones another's. A value; its clock and its dice are arguments.
struct UpstreamProbes: Sendable {
  /// Under way at once, so that many users do not meet an upstream that comes back all together.
  private static let maximumUnderWay = 4
  /// Of those, how many may be of users whose probes have failed: the others are for who has not tried yet.
  private static let maximumRepeatedUnderWay = 2
  /// Users whose pauses are remembered.
  private static let maximumUsers = 1024

  private struct Standing: Sendable {
    var failures = 0
    /// Not before then.
    var next: ContinuousClock.Instant
    /// The last pause.
    var pause = Duration.zero
    /// Who asked the probe that failed last.
    var last: UpstreamQuestion?
    /// Whether another of the same user wanted to ask since.
    var areOthersWaiting = false
  }

  private let firstPause: Duration
  private let maximumPause: Duration
  private var standings: [UInt32?: Standing] = [:]
  private var underWay: Set<UInt32?> = []
  /// When those may probe who are not known.
  private var start: ContinuousClock.Instant

  /// The upstream is down from now on. Everybody waits for a pause; a Retry-After is kept to by the user that has heard it,
  /// for it may be one request's.
  ///
  /// - Parameters:
  ///   - question: The last that failed.
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

  var areAnyUnderWay: Bool { !underWay.isEmpty }

  /// When the first of those who are known may probe.
  var next: ContinuousClock.Instant { standings.values.map(\.next).min() ?? start }

  /// - Returns: How long the question has to wait; nil where it is a probe, until `ended`.
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

  /// How long a user has to wait, whatever it asks; nil where it may probe now.
  func pause(of user: UInt32?, at now: ContinuousClock.Instant) -> Duration? {
    let next = standings[user]?.next ?? start
    if next > now { return next - now }
    return hasRoom(for: user) ? nil : .milliseconds(100)
  }

  private func hasRoom(for user: UInt32?) -> Bool {
    let hasFailed = (standings[user]?.failures ?? 0) > 0
    return !underWay.contains(user)
      && underWay.count < (hasFailed ? Self.maximumRepeatedUnderWay : Self.maximumUnderWay)
  }

  /// A probe has ended without a success.
  ///
  /// - Parameter failure: Nil where nothing is known of it: another may probe then.
  mutating func ended(
    _ question: UpstreamQuestion, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    underWay.remove(question.share.uid)
    guard let failure else { return }
    wait(question, failures: (standings[question.share.uid]?.failures ?? 0) + 1, failure, at: now, dice)
  }

  /// Everybody may probe.
  mutating func probeNow(at now: ContinuousClock.Instant) {
    start = min(start, now)
    for (user, standing) in standings {
      standings[user]?.next = min(standing.next, now)
      standings[user]?.last = nil
    }
  }

  /// Who has asked the last probe of its user waits a pause longer where others of that user want to ask, too: one origin, or
  /// one address that the upstream stumbles over, does not probe for all.
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
    // one try in the longest pause is no burden, and nobody switches this daemon off with one answer
    guard case .unavailable(let seconds?) = failure else { return pause }
    return max(pause, min(.seconds(seconds), maximumPause))
  }
}

extension UpstreamQuestion {
  /// Whether it is the same origin that asks, or the same address that is asked about. regd itself chooses what it probes
  /// with, and is not told to choose again.
  fileprivate func isAlike(_ other: UpstreamQuestion) -> Bool {
    guard share.uid != nil else { return false }
    return subject == other.subject || (share.origin != nil && share.origin == other.share.origin)
  }
}
