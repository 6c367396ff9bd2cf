internal import Synchronization

/// A network that is not asked while it is known to be down.
package final class BreakingNetwork: NetworkService {
  private let network: any NetworkService
  private let breaker: Mutex<CircuitBreaker>
  private let questions = UpstreamQuestions()
  private let now: @Sendable () -> ContinuousClock.Instant
  private let observer: @Sendable (CircuitBreaker.State) -> Void

  /// - Parameters:
  ///   - now: The clock.
  ///   - observer: Is told when it opens and when it closes; may not block.
  package init(
    _ network: any NetworkService, _ settings: CircuitBreaker.Settings,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    observer: @escaping @Sendable (CircuitBreaker.State) -> Void = { _ in }
  ) {
    self.network = network
    self.now = now
    self.observer = observer
    maximumPause = settings.maximumPause
    breaker = Mutex(CircuitBreaker(settings))
  }

  package var state: CircuitBreaker.State { breaker.withLock { $0.state } }

  /// How long regd itself will not be let through, for what it asks on behalf of nobody; nil where it would be now. While
  /// others are trying it is a moment.
  package var pause: Duration? { breaker.withLock { $0.pause(of: .daemon, at: now()) } }

  /// Lets everybody's next call see whether the upstream is back, regd's own too.
  package func probeNow() { breaker.withLock { $0.probeNow(at: now()) } }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await guarded(questions.about(email.key, for: share)) { () async throws(NetworkFailure) in
      try await network.isAvailable(email, for: share)
    }
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    try await guarded(questions.about(registration.email.key, for: share)) { () async throws(NetworkFailure) in
      try await network.register(registration, for: share)
    }
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await guarded(questions.about(email.key, for: share), endsWithItsCaller: false) {
      () async throws(NetworkFailure) in
      try await network.signIn(email, password, for: share)
    }
  }

  /// How long an upstream is left alone at most.
  let maximumPause: Duration

  /// The same for the outbox: it closes the breaker, and does not open it unless nobody answers at all. A few registrations
  /// that the upstream always stumbles over must not keep everybody else away from it.
  var forOutbox: any NetworkService { ForOutbox(breaker: self) }

  private struct ForOutbox: NetworkService {
    let breaker: BreakingNetwork

    func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
      try await breaker.isAvailable(email, for: share)
    }

    func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer
    {
      let question = breaker.questions.about(registration.email.key, for: share)
      return try await breaker.guarded(question, isOfOutbox: true) { () async throws(NetworkFailure) in
        try await breaker.network.register(registration, for: share)
      }
    }

    func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
      -> UpstreamSession
    {
      try await breaker.signIn(email, password, for: share)
    }
  }

  /// - Parameter endsWithItsCaller: Whether a call that is cancelled ends before the upstream has answered, and so says
  ///   nothing of it.
  private func guarded<Value>(
    _ question: UpstreamQuestion, isOfOutbox: Bool = false, endsWithItsCaller: Bool = true,
    _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    switch breaker.withLock({ $0.admit(question, at: now()) }) {
    case .refuse(let failure): throw failure
    case .ask(let ticket):
      do {
        let value = try await body()
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
      // under the lock, so that it is told in the order in which it happened
      if wasClosed != breaker.isClosed { observer(breaker.state) }
    }
  }
}

extension CircuitBreaker.State {
  package var isClosed: Bool { if case .closed = self { true } else { false } }
}
