/// Finds out what became of registrations that were left pending, and delivers those that were put off: the upstream is
/// asked for each again, with the id that it was asked with before, until it has said yes or taken. The outbox never gives
/// one up. What waits is what the store has pending, so it is as durable as the store and outlives the process.
package final class Outbox: Sendable {
  /// What has happened, for observers. Delivered: the upstream has it, and it is active. Refused: the upstream has another account
  /// with the address, and the registration is gone.
  package typealias Report = DeliveryReport<Account, NetworkFailure>

  /// What the configuration decides of delivering.
  package struct Terms: Sendable {
    package var registrar: Registrar
    /// The network that the registrar asks, if it has a breaker.
    package var breaker: BreakingNetwork?
    package var settings: DeliverySettings

    package init(registrar: Registrar, breaker: BreakingNetwork?, settings: DeliverySettings) {
      self.registrar = registrar
      self.breaker = breaker
      self.settings = settings
    }
  }

  /// What waits, as `list` gives it.
  package struct Waiting: Equatable, Sendable {
    package let account: Account
    /// Requests to the upstream without an answer that counts: the first, and those of the outbox. Callers' repeats are none.
    package let attempts: Int
    package let failure: NetworkFailure?
    /// When it is asked for again; now where it is under way or has not been tried.
    package let next: Timestamp
  }

  /// Tells the time. Every operation takes it as an argument and reads no other clock.
  package typealias Clock = @Sendable () -> ContinuousClock.Instant

  /// Deliveries at once.
  static let width = OutboxWork.width
  /// Each delivery reads them once.
  let terms: Live<Terms>
  let deliverer: Deliverer<OutboxWork>

  /// - Parameters:
  ///   - breaker: The network that the registrar asks, if it has a breaker. Whether the upstream is down is the breaker's to
  ///     say; without one every upstream works.
  ///   - pendings: Where the registrar notes what it leaves pending.
  ///   - observer: Receives what happened; must not block.
  package init(
    _ registrar: Registrar, breaker: BreakingNetwork?, pendings: LeftPending,
    settings: DeliverySettings = DeliverySettings(), observer: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    terms = Live(Terms(registrar: registrar, breaker: breaker, settings: settings))
    deliverer = Deliverer(OutboxWork(terms: terms, observer: observer), inbox: pendings)
  }

  var registrar: Registrar { terms.value.registrar }

  /// Goes on by other terms: what waits stays as it is, with its failures; its pauses end if another upstream is to be asked.
  /// Deliveries that are under way end by the terms that they began with.
  package func adopt(_ terms: Terms, isOtherUpstream: Bool, at now: ContinuousClock.Instant = .now) {
    self.terms.replace(terms)
    deliverer.adopt(isOtherSystem: isOtherUpstream, at: now)
  }

  /// How many wait, as far as is known.
  package var waiting: Int { deliverer.waiting }

  /// Delivers until the task is cancelled.
  package func run() async { await deliverer.run() }

  /// Reads what waits into the schedule, and tries nothing.
  package func look() async throws(StoreFailure) { try await deliverer.read { .now } }

  /// Tries what is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(_ now: @escaping Clock = { .now }) async -> Duration { await deliverer.round(now) }
}
