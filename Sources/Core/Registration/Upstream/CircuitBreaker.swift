/// A circuit breaker for the upstream (M. Nygard, "Release It!"). Once enough requests have failed that the upstream is
/// known to be down (`UpstreamEvidence`), the breaker opens and callers are answered from memory. While it is open, each user
/// may send a probe from time to time (`UpstreamProbes`); the first probe that succeeds closes it. A value: its clock and its
/// dice are arguments.
package struct CircuitBreaker: Sendable {
  package struct Settings: Equatable, Sendable {
    /// Failures in a row that open it, 1 or more.
    package var failures: Int
    /// How long no probe is sent after it opens. Each probe that fails doubles the pause of its user, and jitter takes up to
    /// half away, so that many daemons do not come back at one moment.
    package var firstPause: Duration
    package var maximumPause: Duration

    package init(failures: Int = 5, firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(60)) {
      self.failures = failures
      self.firstPause = firstPause
      self.maximumPause = maximumPause
    }
  }

  package enum State: Equatable, Sendable {
    /// Requests are sent; so many have failed in a row.
    case closed(failures: Int)
    /// No request is sent until then, when the first user that was answered from memory may send a probe.
    case open(until: ContinuousClock.Instant)
    /// A probe is under way.
    case halfOpen
  }

  package enum Admission: Equatable, Sendable {
    case ask(Ticket)
    /// The answer from memory: nothing was sent.
    case refuse(NetworkFailure)
  }

  /// A request that was let through, and the period in which it was: a request that began before the breaker opened says
  /// nothing about afterwards.
  package struct Ticket: Equatable, Sendable {
    fileprivate let period: Int
    fileprivate let question: UpstreamQuestion
  }

  package enum Ending: Equatable, Sendable {
    /// The upstream works, whatever its answer.
    case answered
    case failed(NetworkFailure)
    /// The request ended without an answer that counts, for example because its caller was cancelled.
    case unknown
  }

  package private(set) var settings: Settings
  private var evidence: UpstreamEvidence
  /// Nil while it is closed.
  private var probes: UpstreamProbes?
  /// Even while it is closed: each opening and each closing begins another.
  private var period = 0
  /// What opened it, or failed since.
  private var last = NetworkFailure.offline

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    evidence = UpstreamEvidence(needed: settings.failures)
  }

  /// Goes on by other settings, closed or open as it is.
  package mutating func adopt(_ settings: Settings) {
    self.settings = settings
    evidence.needed = settings.failures
    probes?.adopt(settings)
  }

  package var isClosed: Bool { probes == nil }

  /// How often it was open and has closed again.
  package var recoveries: Int { period / 2 }

  package var state: State {
    guard let probes else { return .closed(failures: evidence.failures) }
    return probes.areAnyUnderWay ? .halfOpen : .open(until: probes.next)
  }

  /// How long a user will be answered from memory; nil if its next request would be sent. While that depends on probes of
  /// other users it is a short time.
  package func pause(of share: Share, at now: ContinuousClock.Instant) -> Duration? {
    probes?.pause(of: share.uid, at: now)
  }

  package mutating func admit(_ question: UpstreamQuestion, at now: ContinuousClock.Instant) -> Admission {
    if let wait = probes?.admit(question, at: now) { return .refuse(fromMemory(wait)) }
    return .ask(Ticket(period: period, question: question))
  }

  /// Takes the ending of a request that was let through.
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

  /// Lets the next request of every user through as a probe, however long its pause was to be.
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

  /// The last failure again, as one that cannot have acted: nothing was sent.
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
