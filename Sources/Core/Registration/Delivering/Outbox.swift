/// Completes registrations that were left pending, because the upstream's answer is unknown or the upstream could not
/// be asked. Asks the upstream again for each, under the same id as before, until the upstream has registered the
/// account or answered `taken`. The outbox never gives up. The outbox consists of the store's pending accounts, so it
/// is as durable as the store.
package final class Outbox: Sendable {
  /// An event for observers. `delivered`: the upstream has the account, which is now active. `refused`: the upstream has
  /// another account with the address, and the pending account was removed.
  package typealias Report = DeliveryReport<Account, NetworkFailure>

  /// The settings of the configuration for delivering.
  package struct Terms: Sendable {
    package var registrar: Registrar
    /// The network that the registrar asks, if it has a breaker, or otherwise nil.
    package var breaker: BreakingNetwork?
    package var settings: DeliverySettings

    package init(registrar: Registrar, breaker: BreakingNetwork?, settings: DeliverySettings) {
      self.registrar = registrar
      self.breaker = breaker
      self.settings = settings
    }
  }

  /// A waiting registration, as `list` returns it.
  package struct Waiting: Equatable, Sendable {
    package let account: Account
    /// Requests to the upstream without a usable answer: the first one, and those of the outbox. Repeats by callers do not count.
    package let attempts: Int
    package let failure: NetworkFailure?
    /// When the outbox next asks the upstream for the account, or the present time if it is due or if another regd claims
    /// it.
    package let next: Timestamp
  }

  /// Returns the present instant. Operations take such a function as an argument and read no other monotonic clock.
  package typealias Clock = @Sendable () -> ContinuousClock.Instant

  /// The number of deliveries in flight at once.
  static let width = OutboxWork.width
  /// Each delivery reads the terms once.
  let terms: Reloadable<Terms>
  let deliverer: Deliverer<OutboxWork>

  /// - Parameters:
  ///   - breaker: The network that the registrar asks, if it has a breaker. The breaker decides whether the upstream
  ///     counts as down. Without a breaker, the upstream always counts as working.
  ///   - pendings: The inbox to which the registrar reports the registrations that it leaves pending.
  ///   - observer: Receives the events, and must not block.
  ///   - readings: Receives the failure of each reading of the store, or nil if the reading succeeded. Must not block.
  package init(
    _ registrar: Registrar, breaker: BreakingNetwork?, pendings: OutboxInbox,
    settings: DeliverySettings = DeliverySettings(), observer: @escaping @Sendable (Report) -> Void = { _ in },
    readings: @escaping @Sendable (StoreFailure?) -> Void = { _ in }
  ) {
    terms = Reloadable(Terms(registrar: registrar, breaker: breaker, settings: settings))
    deliverer = Deliverer(OutboxWork(terms: terms, observer: observer), inbox: pendings, readings: readings)
  }

  var registrar: Registrar { terms.value.registrar }

  /// Continues under other terms. Waiting registrations keep their numbers of failures. If another upstream is to be
  /// asked, their pauses end. Deliveries in flight end under the terms with which they began.
  package func adopt(_ terms: Terms, isOtherUpstream: Bool, at now: ContinuousClock.Instant = .now) {
    self.terms.replace(terms)
    deliverer.adopt(isOtherSystem: isOtherUpstream, at: now)
  }

  /// How many registrations wait, as far as this process knows.
  package var waiting: Int { deliverer.waiting }

  /// Delivers until the task is cancelled.
  package func run() async { await deliverer.run() }

  /// Reads the waiting registrations into the schedule, and tries none.
  package func look() async throws(StoreFailure) { try await deliverer.read { .now } }

  /// Tries every registration that is due, once.
  ///
  /// - Returns: The time until the next round is due, if no report comes before.
  package func round(_ now: @escaping Clock = { .now }) async -> Duration { await deliverer.round(now) }
}
