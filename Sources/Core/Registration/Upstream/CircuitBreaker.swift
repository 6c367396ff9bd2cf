/// Whether the upstream is worth asking. When enough has failed that it is known to be down (`UpstreamEvidence`), callers are
/// answered from memory; then each user may try from time to time whether it is back (`UpstreamProbes`), and the first who
/// succeeds has it asked by all (M. Nygard, "Release It!", Circuit Breaker). A value: its clock and its dice are arguments.
package struct CircuitBreaker: Sendable {
  package struct Settings: Equatable, Sendable {
    /// Failures in a row that open it, 1 or more.
    package var failures: Int
    /// How long it is open the first time. Each probe that fails doubles it for its user, and jitter takes up to half away,
    /// so that many daemons do not come back at one moment.
    package var firstPause: Duration
    package var maximumPause: Duration

    package init(failures: Int = 5, firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(60)) {
      self.failures = failures
      self.firstPause = firstPause
      self.maximumPause = maximumPause
    }
  }

  package enum State: Equatable, Sendable {
    /// The upstream is asked; so many failures were seen in a row.
    case closed(failures: Int)
    /// The upstream is not asked until then, when the first of those who were answered may try.
    case open(until: ContinuousClock.Instant)
    /// Somebody tries.
    case halfOpen
  }

  package enum Admission: Equatable, Sendable {
    case ask(Ticket)
    /// From memory: nothing was sent.
    case refuse(NetworkFailure)
  }

  /// Who asks, and which time the breaker was closed or open: what began before it opened says nothing about afterwards.
  package struct Ticket: Equatable, Sendable {
    fileprivate let period: Int
    fileprivate let question: UpstreamQuestion
  }

  package enum Ending: Equatable, Sendable {
    /// The upstream works, whatever it said.
    case answered
    case failed(NetworkFailure)
    /// Nobody waited for it.
    case unknown
  }

  private let settings: Settings
  private var evidence: UpstreamEvidence
  /// Nil while it is closed.
  private var probes: UpstreamProbes?
  private var period = 0
  /// What opened it, or failed since.
  private var last = NetworkFailure.offline

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    evidence = UpstreamEvidence(needed: settings.failures)
  }

  package var isClosed: Bool { probes == nil }

  package var state: State {
    guard let probes else { return .closed(failures: evidence.failures) }
    return probes.areAnyUnderWay ? .halfOpen : .open(until: probes.next)
  }

  /// How long a user would be answered from memory; nil where it would be let through now. While it is not known, for others
  /// are trying, it is a moment.
  package func pause(of share: Share, at now: ContinuousClock.Instant) -> Duration? {
    probes?.pause(of: share.uid, at: now)
  }

  package mutating func admit(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) -> Admission {
    if let wait = probes?.admit(question, at: now) { return .refuse(fromMemory(wait)) }
    return .ask(Ticket(period: period, question: question))
  }

  /// Tells what came of a call that was admitted.
  ///
  /// - Parameter dice: 0 to 1.
  package mutating func ended(
    _ ticket: Ticket, _ ending: Ending, at now: ContinuousClock.Instant, dice: Double
  ) {
    guard ticket.period == period else { return }
    switch ending {
    case .answered:
      evidence.succeeded(ticket.question, at: now)
      if probes != nil { close() }
    case .failed(let failure) where probes == nil:
      guard evidence.failed(ticket.question, failure, at: now) else { return }
      open(ticket.question, failure, at: now, dice)
    case .failed(let failure):
      last = failure
      probes?.ended(ticket.question, failure, at: now, dice: dice)
    case .unknown:
      probes?.ended(ticket.question, nil, at: now, dice: dice)
    }
  }

  /// Lets everybody's next call through, however long it was to stay open.
  package mutating func probeNow(at now: ContinuousClock.Instant) { probes?.probeNow(at: now) }

  private mutating func open(
    _ question: UpstreamQuestion, _ failure: NetworkFailure, at now: ContinuousClock.Instant, _ dice: Double
  ) {
    probes = UpstreamProbes(settings, after: question, failure, at: now, dice: dice)
    last = failure
    period += 1
  }

  private mutating func close() {
    probes = nil
    evidence.forgetRun()
    period += 1
  }

  /// What is known to have failed fails again. Nothing is sent, so whatever left things open before does not now.
  private func fromMemory(_ wait: Duration) -> NetworkFailure {
    switch last {
    case .offline, .untrusted: last
    default: .unavailable(retryAfterSeconds: max(1, Int(wait.roundedUp)))
    }
  }
}

extension Duration {
  /// In whole seconds.
  fileprivate var roundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
