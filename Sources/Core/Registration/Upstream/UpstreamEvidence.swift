/// Decides, for reports to operators, whether failures show that the upstream is down, or may be due to one user's
/// requests or one address. It blocks no request. A value type of bounded size: callers pass the time.
///
/// The failures since the last success form a run. A run of `needed` failures shows that the upstream is down, unless
/// recent successes contradict: an upstream that always fails for one address may work for others.
/// - `needed` failures of the connection itself (offline, untrusted) always suffice, because one request cannot cause
///   them.
/// - Other failures do not count while there is a user for whom the upstream has worked within
///   `RecentSuccesses.validity` and has not failed since.
/// - While there is an address for which the same is true, each failed address counts once, and at least two are
///   needed.
package struct UpstreamEvidence: Sendable {
  /// The most users with recent successes that are remembered. `maximumAddresses` bounds each set of addresses.
  private static let maximumUsers = 1024
  private static let maximumAddresses = 64

  /// How many failures show that the upstream is down, at least 1.
  private let needed: Int
  private var users = RecentSuccesses<UInt32?>(capacity: maximumUsers)
  private var addresses = RecentSuccesses<UInt64>(capacity: maximumAddresses)

  /// The length of the run.
  private var failures = 0
  /// The number of failures of the connection itself in the run.
  private var failuresOfConnection = 0
  /// The addresses of the run, at most `maximumAddresses`.
  private var failedAddresses: Set<UInt64> = []

  /// - Parameter needed: How many failures show that the upstream is down, at least 1.
  package init(needed: Int) { self.needed = needed }

  package mutating func succeeded(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) {
    forgetRun()
    users.succeeded(question.share.uid, at: now)
    addresses.succeeded(question.subject, at: now)
  }

  /// - Returns: Whether the upstream is known to be down now.
  package mutating func failed(
    _ question: UpstreamQuestion, _ failure: NetworkFailure, at now: ContinuousClock.Instant
  ) -> Bool {
    failures += 1
    if !failure.mayBeOfOneRequest { failuresOfConnection += 1 }
    if failedAddresses.count < Self.maximumAddresses { failedAddresses.insert(question.subject) }
    users.failed(question.share.uid)
    addresses.failed(question.subject)
    return speakAgainstUpstream(at: now)
  }

  /// Forgets the failures of the run, so that a new run begins. Recent successes still count.
  package mutating func forgetRun() {
    failures = 0
    failuresOfConnection = 0
    failedAddresses = []
  }

  private func speakAgainstUpstream(at now: ContinuousClock.Instant) -> Bool {
    if failuresOfConnection >= needed { return true }
    guard failures >= needed, !users.areAny(at: now) else { return false }
    guard addresses.areAny(at: now) else { return true }
    return failedAddresses.count >= max(2, min(needed, Self.maximumAddresses))
  }
}

/// A request to the upstream as the breaker sees it: the share (user and origin) and the address. With these, the
/// breaker can distinguish an outage of the upstream from failures that concern only one user or one address.
package struct UpstreamQuestion: Hashable, Sendable {
  package let share: Share
  /// A keyed hash of the address: equal for the same address, and useless for guessing the address without the key.
  package let subject: UInt64

  package init(_ share: Share, subject: UInt64) {
    self.share = share
    self.subject = subject
  }
}

/// Makes questions with a secret key, so that no caller can choose two addresses with the same subject.
package struct UpstreamQuestions: Sendable {
  private let hash: SipHash

  package init() {
    var generator = SystemRandomNumberGenerator()
    hash = SipHash(using: &generator)
  }

  package func about(_ key: EmailKey, for share: Share) -> UpstreamQuestion {
    UpstreamQuestion(share, subject: Array(key.value.utf8).withUnsafeBytes { hash.hash($0) })
  }
}

/// Remembers the users, or the addresses, for which the upstream has worked recently and has not failed since.
struct RecentSuccesses<Key: Hashable & Sendable>: Sendable {
  /// How long a success counts in favour of the upstream.
  static var validity: Duration { .seconds(10) }

  private let capacity: Int
  private var successes: [Key: ContinuousClock.Instant] = [:]

  /// - Parameter capacity: The most keys that are remembered. Beyond that the oldest is forgotten.
  init(capacity: Int) { self.capacity = capacity }

  mutating func succeeded(_ key: Key, at now: ContinuousClock.Instant) {
    if successes[key] == nil, successes.count >= capacity {
      successes = successes.filter { Self.isValid($0.value, at: now) }
      if successes.count >= capacity, let oldest = successes.min(by: { $0.value < $1.value }) {
        successes[oldest.key] = nil
      }
    }
    successes[key] = now
  }

  mutating func failed(_ key: Key) { successes[key] = nil }

  /// Whether any success is still valid. Takes time in proportion to the number of successes.
  func areAny(at now: ContinuousClock.Instant) -> Bool {
    successes.values.contains { Self.isValid($0, at: now) }
  }

  private static func isValid(_ success: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
    now - success <= validity
  }
}

extension NetworkFailure {
  /// Whether the request may be the cause of the failure, instead of the upstream.
  var mayBeOfOneRequest: Bool {
    switch self {
    case .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .untrusted: false
    }
  }

  /// Whether a working upstream gives this answer too, so that the failure does not show an outage.
  package var isOfUpstreamThatWorks: Bool {
    switch self {
    case .rejected, .throttled, .tooEarly: true
    case .offline, .unavailable, .congested, .timeout, .emptyResponse, .malformedResponse, .untrusted, .failed: false
    }
  }

  /// Whether the failure is regd's own, and proves nothing about the upstream.
  package var isOwn: Bool { if case .congested = self { true } else { false } }
}
