/// Decides whom failures keep from the upstream. A value; its clock is an argument, and its memory is bounded.
///
/// The failures since the last success are a run. A failure of the connection itself (offline, untrusted) cannot be one request's: so
/// many in a row speak against the upstream. Any other may be a matter of what was asked, and speaks against nobody but the user who
/// asked:
/// - It counts once for each address and once for each origin of that user; two are the least that count. So neither one address over
///   which the upstream stumbles, nor one origin with many of them, holds up that user's others.
/// - It does not count while there is an address for which the upstream has worked within `RecentSuccesses.validity` and has not
///   failed since.
/// - What an upstream answers at once, though not well, does not count where an origin was named: a crowd of origins cannot be told
///   from an outage by it, and asking less would spare the upstream nothing.
struct BreakerEvidence: Sendable {
  enum Verdict: Equatable, Sendable {
    case nothing
    /// It does not work for what this user asks.
    case againstUser
    /// It is known to be down.
    case againstUpstream
  }

  /// One user's part of the run, as far as it may be of what was asked.
  private struct Run: Sendable {
    var addresses: Set<UInt64> = []
    var origins: Set<Origin> = []
    var isOfOrigins = false

    func has(_ least: Int) -> Bool { addresses.count >= least && (!isOfOrigins || origins.count >= least) }
  }

  /// How many users' failures, and how many addresses that worked, are remembered. What is beyond speaks against nobody.
  private static let maximumUsers = 1024
  private static let maximumAddresses = 64

  /// How many failures count; 1 or more.
  var needed: Int
  private var successes = RecentSuccesses<UInt64>(capacity: maximumAddresses)
  private var runs: [UInt32?: Run] = [:]
  /// The length of the run.
  private(set) var failures = 0
  /// Those of the run that are failures of the connection.
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
  /// Whether an upstream that gives it is helped by being asked less: it has not answered in time, or says itself that it is not there.
  fileprivate var wantsFewerRequests: Bool {
    switch self {
    case .timeout, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .emptyResponse, .malformedResponse, .untrusted,
      .failed:
      false
    }
  }
}
