/// Decides whether failures open the circuit breaker for all users, or for one user. A value type of bounded size:
/// callers pass the time.
///
/// The failures since the last success form a run. A failure of the connection itself (offline, untrusted) cannot be
/// due to one request, so `needed` of them in one run open the breaker for all. Any other failure may be due to the
/// request, and can only open the breaker for the user who asked:
/// - It counts once for each address and, if the user names origins, once for each origin. At least two of each are
///   needed. So the user's other requests are blocked neither by one address that the upstream cannot handle, nor by
///   one origin with many such addresses.
/// - It does not count while there is an address for which the upstream has worked within `RecentSuccesses.validity`
///   and has not failed since.
/// - A failure of a request with an origin counts only if it is a timeout or `unavailable`. Other failures may come
///   from bad requests of many origins, and fewer requests would not help the upstream.
struct BreakerEvidence: Sendable {
  enum Verdict: Equatable, Sendable {
    case nothing
    /// The upstream does not work for this user's requests, so the breaker opens for this user.
    case againstUser
    /// The upstream is down, so the breaker opens for all.
    case againstUpstream
  }

  /// One user's part of the run: the failures that may be due to the requests.
  private struct Run: Sendable {
    var addresses: Set<UInt64> = []
    var origins: Set<Origin> = []
    var isOfOrigins = false

    func has(_ least: Int) -> Bool { addresses.count >= least && (!isOfOrigins || origins.count >= least) }
  }

  /// The most users whose failures are remembered. Failures of further users do not count. `maximumAddresses` bounds
  /// the addresses of a user's failures, and the addresses with recent successes.
  private static let maximumUsers = 1024
  private static let maximumAddresses = 64

  /// How many failures open the breaker, for all or for a user, at least 1.
  var needed: Int
  private var successes = RecentSuccesses<UInt64>(capacity: maximumAddresses)
  private var runs: [UInt32?: Run] = [:]
  /// The length of the run.
  private(set) var failures = 0
  /// The number of failures of the connection itself in the run.
  private var failuresOfConnection = 0

  init(needed: Int) { self.needed = needed }

  mutating func succeeded(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) {
    runs = [:]
    (failures, failuresOfConnection) = (0, 0)
    successes.succeeded(question.subject, at: now)
  }

  mutating func failed(
    _ question: UpstreamQuestion, _ failure: NetworkFailure, at now: ContinuousClock.Instant
  ) -> Verdict {
    failures += 1
    successes.failed(question.subject)
    guard failure.mayBeOfOneRequest else {
      failuresOfConnection += 1
      return failuresOfConnection >= needed ? .againstUpstream : .nothing
    }
    let (user, origin) = (question.share.uid, question.share.origin)
    guard origin == nil || failure.wantsFewerRequests, runs[user] != nil || runs.count < Self.maximumUsers else {
      return .nothing
    }
    let least = max(2, min(needed, Self.maximumAddresses))
    var run = runs[user] ?? Run()
    if run.addresses.count < least { run.addresses.insert(question.subject) }
    if let origin {
      run.isOfOrigins = true
      if run.origins.count < least { run.origins.insert(origin) }
    }
    runs[user] = run
    return run.has(least) && !successes.areAny(at: now) ? .againstUser : .nothing
  }
}

extension NetworkFailure {
  /// Whether fewer requests help an upstream that fails like this, because it did not answer in time or answers that it
  /// is unavailable.
  fileprivate var wantsFewerRequests: Bool {
    switch self {
    case .timeout, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .emptyResponse, .malformedResponse, .untrusted,
      .failed:
      false
    }
  }
}
