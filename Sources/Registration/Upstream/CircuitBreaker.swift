/// Whether the upstream is worth asking. After some failures in a row it is known to be down, and callers are answered
/// from memory; then one of them at a time is let through to see whether it is back (M. Nygard, "Release It!", Circuit
/// Breaker). A value: its clock and its dice are arguments.
package struct CircuitBreaker: Sendable {
  package struct Settings: Equatable, Sendable {
    /// Failures in a row that open it, 1 or more.
    package var failures: Int
    /// How long it is open the first time. Each probe that fails doubles it, and jitter takes up to half away, so that many
    /// daemons do not come back at one moment.
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
    /// The upstream is not asked until then.
    case open(until: ContinuousClock.Instant)
    /// One caller asks.
    case halfOpen
  }

  package enum Admission: Equatable, Sendable {
    case ask(Ticket)
    /// From memory: nothing was sent.
    case refuse(NetworkFailure)
  }

  /// Which time the breaker was closed or half open: what began before it opened says nothing about afterwards.
  package struct Ticket: Equatable, Sendable {
    fileprivate let period: Int
  }

  package enum Ending: Equatable, Sendable {
    /// The upstream works, whatever it said.
    case answered
    case failed(NetworkFailure)
    /// Nobody waited for it.
    case unknown
  }

  package private(set) var state = State.closed(failures: 0)
  private let settings: Settings
  private var period = 0
  /// Probes that failed since it was closed.
  private var failedProbes = 0
  /// What opened it.
  private var last = NetworkFailure.offline

  package init(_ settings: Settings = Settings()) { self.settings = settings }

  package mutating func admit(at now: ContinuousClock.Instant) -> Admission {
    switch state {
    case .closed: return .ask(Ticket(period: period))
    case .open(let until) where now >= until:
      state = .halfOpen
      period += 1
      return .ask(Ticket(period: period))
    case .open(let until): return .refuse(fromMemory(until - now))
    case .halfOpen: return .refuse(fromMemory(settings.firstPause))
    }
  }

  /// Tells what came of a call that was admitted.
  ///
  /// - Parameter dice: 0 to 1.
  package mutating func ended(
    _ ticket: Ticket, _ ending: Ending, at now: ContinuousClock.Instant, dice: Double
  ) {
    guard ticket.period == period else { return }
    switch (state, ending) {
    case (.open, _): return
    case (_, .answered):
      state = .closed(failures: 0)
      failedProbes = 0
    case (.closed(let failures), .failed(let failure)):
      guard failures + 1 >= settings.failures else {
        state = .closed(failures: failures + 1)
        return
      }
      open(failure, at: now, dice)
    case (.halfOpen, .failed(let failure)):
      failedProbes += 1
      open(failure, at: now, dice)
    case (.halfOpen, .unknown):
      // the next caller is the probe
      state = .open(until: now)
    case (.closed, .unknown): return
    }
  }

  /// Lets the next caller probe, however long it was to stay open.
  package mutating func probeNow(at now: ContinuousClock.Instant) {
    if case .open(let until) = state { state = .open(until: min(until, now)) }
  }

  private mutating func open(_ failure: NetworkFailure, at now: ContinuousClock.Instant, _ dice: Double) {
    let doubled = settings.firstPause * (1 << min(failedProbes, 20))
    var pause = min(doubled, settings.maximumPause) * (1 - dice / 2)
    // one try in the longest pause is no burden, and nobody switches this daemon off with one answer
    if case .unavailable(let seconds?) = failure { pause = max(pause, min(.seconds(seconds), settings.maximumPause)) }
    last = failure
    period += 1
    state = .open(until: now + pause)
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

extension NetworkFailure {
  /// Whether it may be one request that the upstream stumbles over, and not the upstream.
  var mayBeOfOneRequest: Bool {
    switch self {
    case .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable: true
    case .offline, .rejected, .throttled, .tooEarly, .congested, .untrusted: false
    }
  }

  /// Whether an upstream that works gives it too.
  package var isOfUpstreamThatWorks: Bool {
    switch self {
    case .rejected, .throttled, .tooEarly: true
    case .offline, .unavailable, .congested, .timeout, .emptyResponse, .malformedResponse, .untrusted, .failed: false
    }
  }

  /// Whether it says nothing of the upstream.
  package var isOwn: Bool { if case .congested = self { true } else { false } }
}
