/// Decides for an operator whether failures speak against the upstream, or only against one user's requests or one address; it
/// blocks no request. A value type: the time is an argument, and the memory is bounded.
///
/// The failures since the last success form a run. A run that is long enough speaks against the upstream, unless recent
/// successes contradict it, because an upstream that stumbles over one address, however often one user asks about that, works
/// for others.
/// - A failure of the connection itself (offline, untrusted) cannot be due to one request: so such failures count by their
///   number only.
/// - No other failure counts while there is a user for whom the upstream has worked within `RecentSuccesses.validity` and has not
///   failed since.
/// - While the same holds for an address, each failed address counts once, and at least two are needed.
package struct UpstreamEvidence: Sendable {
  /// The most users that are remembered; `maximumAddresses` is the most addresses.
  private static let maximumUsers = 1024
  private static let maximumAddresses = 64

  /// How many failures speak against the upstream; 1 or more.
  private let needed: Int
  private var users = RecentSuccesses<UInt32?>(capacity: maximumUsers)
  private var addresses = RecentSuccesses<UInt64>(capacity: maximumAddresses)

  /// The length of the run.
  private var failures = 0
  /// The failures of the connection in the run.
  private var failuresOfConnection = 0
  /// The addresses of the run, at most `maximumAddresses`.
  private var failedAddresses: Set<UInt64> = []

  /// - Parameter needed: How many failures speak against the upstream; 1 or more.
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

  /// Begins a new run. Recent successes still count.
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
  /// Whether this one request may be the cause, and not the upstream.
  var mayBeOfOneRequest: Bool {
    switch self {
    case .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .untrusted: false
    }
  }

  /// Whether a working upstream gives this answer too.
  package var isOfUpstreamThatWorks: Bool {
    switch self {
    case .rejected, .throttled, .tooEarly: true
    case .offline, .unavailable, .congested, .timeout, .emptyResponse, .malformedResponse, .untrusted, .failed: false
    }
  }

  /// Whether the failure is regd's own, and proves nothing about the upstream.
  package var isOwn: Bool { if case .congested = self { true } else { false } }
}
