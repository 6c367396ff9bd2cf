internal import Synchronization

/// Finds out what became of registrations that were left pending, and delivers those that were put off: the upstream is
/// asked for each again, with the id that it was asked with before, until it has said yes or taken. The outbox never gives
/// one up. What waits is what the store has pending, so it is as durable as the store and outlives the process.
package final class Outbox: Sendable {
  /// What has happened, for observers.
  package enum Report: Equatable, Sendable {
    /// The upstream has it: it is active.
    case delivered(Account, attempts: Int)
    /// The upstream has another account with the address: the registration is gone.
    case refused(Account)
    /// No answer that counts, so many times now.
    case delayed(Account, attempts: Int, NetworkFailure, next: Duration)
  }

  /// What the configuration decides of delivering.
  package struct Terms: Sendable {
    package var registrar: Registrar
    /// The network that the registrar asks, if it has a breaker.
    package var breaker: BreakingNetwork?
    package var settings: DeliverySchedule.Settings

    package init(registrar: Registrar, breaker: BreakingNetwork?, settings: DeliverySchedule.Settings) {
      self.registrar = registrar
      self.breaker = breaker
      self.settings = settings
    }
  }

  /// What waits, as `list` gives it.
  package struct Waiting: Equatable, Sendable {
    package let account: Account
    /// Requests to the upstream without an answer that counts, of callers and of the outbox, since it was registered.
    package let attempts: Int
    package let failure: NetworkFailure?
    /// When it is asked for again; now where it is under way or has not been tried.
    package let next: Timestamp
  }

  /// Tells the time. Every operation takes it as an argument and reads no other clock.
  package typealias Clock = @Sendable () -> ContinuousClock.Instant

  /// Deliveries at once.
  static let width = 4
  static let pageSize = 100
  /// Between looks at what waits where there is no upstream; a reload that brings one ends it.
  private static let idlePause = Duration.seconds(3600)
  let pendings: LeftPending
  /// Each delivery reads them once.
  let terms: Live<Terms>
  let plan: Mutex<OutboxPlan>
  let observer: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - breaker: The network that the registrar asks, if it has a breaker. Whether the upstream is down is the breaker's to
  ///     say; without one every upstream works.
  ///   - pendings: Where the registrar notes what it leaves pending.
  ///   - observer: Receives what happened; must not block.
  package init(
    _ registrar: Registrar, breaker: BreakingNetwork?, pendings: LeftPending,
    settings: DeliverySchedule.Settings = DeliverySchedule.Settings(),
    observer: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    terms = Live(Terms(registrar: registrar, breaker: breaker, settings: settings))
    self.pendings = pendings
    plan = Mutex(OutboxPlan(settings, at: .now))
    self.observer = observer
  }

  var registrar: Registrar { terms.value.registrar }
  var breaker: BreakingNetwork? { terms.with { $0.breaker } }
  var settings: DeliverySchedule.Settings { terms.with { $0.settings } }

  /// Goes on by other terms: what waits stays as it is, with its failures; its pauses end if another upstream is to be asked.
  /// Deliveries that are under way end by the terms that they began with.
  package func adopt(_ terms: Terms, isOtherUpstream: Bool, at now: ContinuousClock.Instant = .now) {
    self.terms.replace(terms)
    plan.withLock { plan in
      plan.adopt(terms.settings)
      if isOtherUpstream { plan.meetOtherUpstream(at: now) }
    }
    pendings.wake()
  }

  /// How many wait, as far as is known.
  package var waiting: Int { plan.withLock(\.schedule.count) }

  /// Delivers until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      let pause = await round()
      await pendings.wait(atMost: pause)
    }
    // what was left pending last: the next start, or another regd, goes on by it
    plan.withLock { take(&$0, at: .now) }
    await noteAll { .now }
  }

  /// Reads what waits into the schedule, and tries nothing.
  package func look() async throws(StoreFailure) { try await read { .now } }

  /// Tries what is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(_ now: @escaping Clock = { .now }) async -> Duration {
    let isReading = plan.withLock { plan in
      take(&plan, at: now())
      return plan.isReadingDue(at: now())
    }
    await noteAll(now)
    do throws(StoreFailure) {
      if isReading { try await read(now) }
      if hasNetwork, !isHeld(at: now()), outlook.mayBeAsked {
        await probe(now)
        if !outlook.isDown { await deliverDue(now) }
      }
    } catch {
      plan.withLock { $0.readingFailed(at: now()) }
    }
    let hasNetwork = hasNetwork
    return plan.withLock { plan in
      let now = now()
      take(&plan, at: now)
      return hasNetwork ? plan.pause(outlook, at: now) : Self.idlePause
    }
  }

  /// Whether there is an upstream; without one, what waits goes on waiting.
  var hasNetwork: Bool { terms.with { $0.registrar.network != nil } }

  /// What is known of the upstream just now.
  var outlook: UpstreamOutlook { breaker?.outlook ?? .works(recoveries: 0) }

  /// Whether too many deliveries have failed in a row, or the upstream has asked for a pause.
  func isHeld(at now: ContinuousClock.Instant) -> Bool { plan.withLock { $0.isHeld(at: now) } }

  /// Takes over what callers were left with, and what the breaker knows. What was tried just now is not tried again at once.
  func take(_ plan: inout OutboxPlan, at now: ContinuousClock.Instant) {
    let noted = pendings.take()
    for note in noted.notes { plan.schedule.failed(note.id, note.failure, at: now, dice: Self.dice) }
    for id in noted.met {
      plan.schedule.add(id, at: now)
      plan.schedule.postpone(id, until: now + settings.firstPause)
    }
    if noted.isReadingWanted { plan.wantReading(at: now) }
    plan.look(outlook, at: now)
  }

  /// 0 to 1, for jitter.
  static var dice: Double { Double.random(in: 0...1) }
}
