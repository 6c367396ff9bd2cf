internal import CSimulation
internal import Synchronization

/// The parts outside regd that exist longer than each of its processes.
struct Backends {
  let upstream: SimulatedUpstream
  let mails: SimulatedMail
  let asks = AsksInFlight()
  /// The store that several regd processes share, or nil for a single regd, which has SQLite.
  let rows: SharedRows?

  init(seed: UInt64, _ scenario: Scenario) {
    upstream = SimulatedUpstream(seed: seed)
    mails = SimulatedMail(seed: seed, scenario.terms)
    rows = scenario.daemons > 1 ? SharedRows(seed: seed) : nil
  }
}

/// Knows what callers have requested, what regd has answered and which faults there were, and checks regd's promises
/// against this knowledge. The checks of one area are in a structure of that area, such as `ClaimChecks`.
final class Oracle {
  struct Broken {
    let promise: Promise
    let detail: String
  }

  let scenario: Scenario
  let tally: Tally
  let backends: Backends
  let requests = RequestLog()
  let claims: ClaimLog
  let invitations = InvitationLog()
  /// The part of the configuration file that says who may register.
  var doorway = Doorway()
  var faultLog: FaultLog
  /// The heads of the audit that were read, in their order.
  var heads: [AuditChecks.Head] = []
  /// The list of accounts that the latest probe read, or nil if the probe has not ended or could not read it.
  var listing: ErasureChecks.Listing?
  private(set) var broken: Broken?

  init(_ scenario: Scenario, _ backends: Backends, _ tally: Tally) {
    (self.scenario, self.backends, self.tally) = (scenario, backends, tally)
    claims = ClaimLog(scenario.terms)
    faultLog = FaultLog(hasSlowLine: !scenario.faults.slowLine.isEmpty)
  }

  /// Checks that regd keeps a promise.
  func hold(_ promise: Promise, _ isKept: Bool, _ detail: @autoclosure () -> String) {
    tally.met(promise)
    guard !isKept, broken == nil else { return }
    broken = Broken(promise: promise, detail: detail())
    Transcript.only.note("BROKEN \(promise.name): \(detail())")
  }

  // MARK: Errors

  private static let noises = [
    "server.busy", "server.draining", "request.timeout", "rate.limited", "request.cancelled", "rpc.internal",
  ]

  /// Whether the reason is about regd or its store, and so shows nothing about the requested operation.
  func isNoise(_ reason: String?) -> Bool {
    guard let reason else { return false }
    return Self.noises.contains(reason)
      || (reason.hasPrefix("store.") && faultLog.hadDiskFault)
  }

  /// Whether the store may have failed for a regd at this time or later.
  func mayHaveFailed(at daemon: Int, since time: Int64) -> Bool {
    backends.rows?.hadTrouble(daemon, since: time) ?? faultLog.hadDiskFault
  }

  /// Checks that an error about regd itself, and not about the request, has a fault as its cause.
  func judgeFailure(_ reason: String, _ request: Request, _ caller: SimulatedCaller) {
    if reason.hasPrefix("store.") {
      hold(
        .comesUp, mayHaveFailed(at: caller.daemon, since: request.since),
        "\(request.method): \(reason) without a fault of the store")
    }
    if reason == "rpc.internal" {
      hold(
        .oneReply, faultLog.shortages.memory.last >= request.since, "\(request.method): \(reason), and there was memory"
      )
    }
  }

  // MARK: The upstream

  /// Whether another registration has taken the address at the upstream, so that a waiting account may be lost.
  func hasRival(_ known: KnownAccount) -> Bool { holder(known.key).map { $0 != known.id } ?? false }

  /// The holder of an address at the upstream: an account's id, "" for a registration without regd, or nil if the
  /// address is free.
  func holder(_ key: String) -> String? { backends.upstream.state.withLock { $0.holders[key] } }

  /// Whether the upstream has answered 409 for an address while still working on it.
  func wasDisbelieved(_ key: String) -> Bool { backends.upstream.state.withLock { $0.disbelieved.contains(key) } }
}
