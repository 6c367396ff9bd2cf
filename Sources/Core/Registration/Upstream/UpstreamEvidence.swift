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
