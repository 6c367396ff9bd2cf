/// Decides for which users failures open the circuit breaker. A value type: the time is an argument, and the memory is bounded.
///
/// The failures since the last success form a run. A failure of the connection itself (offline, untrusted) cannot be due to one
/// request, so `needed` of them in one run speak against the upstream. Any other failure may be due to the request, and speaks
/// only against the user who asked:
/// - It counts once for each address and once for each origin of that user; at least two of each are needed. So neither one
///   address at which the upstream stumbles, nor one origin with many such addresses, blocks the user's other requests.
/// - It does not count while there is an address for which the upstream has worked within `RecentSuccesses.validity` and has not
///   failed since.
/// - A bad answer that comes at once does not count if an origin was named: many origins with bad requests look like an outage,
///   and fewer requests would not help the upstream.
struct BreakerEvidence: Sendable {
  enum Verdict: Equatable, Sendable {
    case nothing
    /// The upstream does not work for this user's requests.
    case againstUser
    /// The upstream is known to be down.
    case againstUpstream
  }

  /// One user's part of the run: the failures that may be due to the requests.
  private struct Run: Sendable {
    var addresses: Set<UInt64> = []
    var origins: Set<Origin> = []
    var isOfOrigins = false

    func has(_ least: Int) -> Bool { addresses.count >= least && (!isOfOrigins || origins.count >= least) }
  }

  /// The most users whose failures are remembered; failures of further users speak against nobody. `maximumAddresses` is the
  /// most working addresses.
  private static let maximumUsers = 1024
  private static let maximumAddresses = 64

  /// How many failures speak against the upstream or a user; 1 or more.
  var needed: Int
  private var successes = RecentSuccesses<UInt64>(capacity: maximumAddresses)
  private var runs: [UInt32?: Run] = [:]
  /// The length of the run.
  private(set) var failures = 0
  /// The failures of the connection in the run.
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
  /// Whether fewer requests help an upstream that fails like this, because it did not answer in time or says that it is
  /// unavailable.
  fileprivate var wantsFewerRequests: Bool {
    switch self {
    case .timeout, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .emptyResponse, .malformedResponse, .untrusted,
      .failed:
      false
    }
  }
}
