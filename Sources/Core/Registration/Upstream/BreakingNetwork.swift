internal import Synchronization

/// A network with a circuit breaker. While the breaker is open, only probes are sent to the upstream.
package final class BreakingNetwork: NetworkService {
  private let network: any NetworkService
  private let breaker: Mutex<CircuitBreaker>
  private let questions = UpstreamQuestions()
  private let now: @Sendable () -> ContinuousClock.Instant
  private let observer: Observer

  /// Receives the state each time the breaker opens or closes, and the users if it is open only for some.
  package typealias Observer = @Sendable (CircuitBreaker.State, _ users: [UInt32]) -> Void

  /// - Parameters:
  ///   - now: The clock.
  ///   - observer: Called under the breaker's lock, so it must neither block nor call the breaker.
  package init(
    _ network: any NetworkService, _ settings: CircuitBreaker.Settings,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    observer: @escaping Observer = { _, _ in }
  ) {
    self.network = network
    self.now = now
    self.observer = observer
    breaker = Mutex(CircuitBreaker(settings))
  }

  /// Adopts other settings. The breaker remains open or closed.
  package func adopt(_ settings: CircuitBreaker.Settings) { breaker.withLock { $0.adopt(settings) } }

  package var state: CircuitBreaker.State { breaker.withLock { $0.state } }

  /// The outlook for the outbox, whose requests have the daemon's own share.
  package var outlook: DeliveryOutlook {
    breaker.withLock { breaker in
      breaker.isOpenForAll
        ? .down(pause: breaker.pause(of: .daemon, at: now())) : .works(recoveries: breaker.recoveries)
    }
  }

  /// The instant before which the breaker lets no delivery through, or nil if it lets all through.
  var nextDelivery: ContinuousClock.Instant? { breaker.withLock { $0.nextProbe(of: .daemon) } }

  /// Lets the next request of every user, and regd's own, through as a probe.
  package func probeNow() { breaker.withLock { $0.probeNow(at: now()) } }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await guarded(questions.about(email.key, for: share), try await network.isAvailable(email, for: share))
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    try await guarded(
      questions.about(registration.email.key, for: share), try await network.register(registration, for: share))
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await guarded(
      questions.about(email.key, for: share), endsWithItsCaller: false,
      try await network.signIn(email, password, for: share))
  }

  /// The longest pause between probes of the upstream.
  var maximumPause: Duration { breaker.withLock { $0.settings.maximumPause } }

  /// The same network for the outbox's deliveries. Their successes close the breaker, but their failures count only if
  /// the connection itself fails, so that a few registrations that the upstream can never handle do not block other
  /// users.
  var forOutbox: any NetworkService { ForOutbox(breaker: self) }

  private struct ForOutbox: NetworkService {
    let breaker: BreakingNetwork

    func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
      try await breaker.isAvailable(email, for: share)
    }

    func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer
    {
      let question = breaker.questions.about(registration.email.key, for: share)
      return try await breaker.guarded(
        question, isOfOutbox: true, try await breaker.network.register(registration, for: share))
    }

    func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
      -> UpstreamSession
    {
      try await breaker.signIn(email, password, for: share)
    }
  }

  /// - Parameter endsWithItsCaller: Whether a cancelled call ends before the upstream has answered, and so proves nothing about
  ///   the upstream.
  private func guarded<Value>(
    _ question: UpstreamQuestion, isOfOutbox: Bool = false, endsWithItsCaller: Bool = true,
    _ answer: @autoclosure () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    switch breaker.withLock({ $0.admit(question, at: now()) }) {
    case .refuse(let failure): throw failure
    case .ask(let ticket):
      do {
        let value = try await answer()
        end(ticket, .answered)
        return value
      } catch {
        if endsWithItsCaller && Task.isCancelled || error.isOwn || isOfOutbox && error.mayBeOfOneRequest {
          end(ticket, .unknown)
        } else {
          end(ticket, error.isOfUpstreamThatWorks ? .answered : .failed(error))
        }
        throw error
      }
    }
  }

  private func end(_ ticket: CircuitBreaker.Ticket, _ ending: CircuitBreaker.Ending) {
    let dice = Double.random(in: 0...1)
    breaker.withLock { breaker in
      let wasClosed = breaker.isClosed
      breaker.ended(ticket, ending, at: now(), dice: dice)
      // under the lock, so that observers receive the states in order
      if wasClosed != breaker.isClosed { observer(breaker.state, breaker.heldUsers) }
    }
  }
}

extension CircuitBreaker.State {
  package var isClosed: Bool { if case .closed = self { true } else { false } }
}
