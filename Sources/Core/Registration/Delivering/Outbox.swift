internal import Synchronization

/// Finds out what became of registrations that were left pending, and delivers those that were put off: each is asked for
/// again, with the id that the upstream knows it by, until the upstream has said yes or taken. It gives up never, but
/// visibly. What waits is what the store has pending, so it is as durable as the store and outlives the process.
package final class Outbox: Sendable {
  /// What has happened, for those who watch.
  package enum Report: Equatable, Sendable {
    /// The upstream has it: it is active.
    case delivered(Account, attempts: Int)
    /// The upstream has another account with the address: the registration is gone.
    case refused(Account)
    /// No answer that counts, so many times now.
    case delayed(Account, attempts: Int, NetworkFailure, next: Duration)
  }

  /// What waits, as `list` gives it.
  package struct Waiting: Equatable, Sendable {
    package let account: Account
    /// How often there was no answer that counts, to whomever, since the daemon started.
    package let attempts: Int
    package let failure: NetworkFailure?
    /// When it is asked for again; now where it is under way or has not been tried.
    package let next: Timestamp
  }

  /// Deliveries at once, oldest first.
  static let width = 4
  static let pageSize = 100
  let registrar: Registrar
  let breaker: BreakingNetwork?
  let pendings: LeftPending
  let settings: DeliverySchedule.Settings
  let plan: Mutex<OutboxPlan>
  let observer: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - breaker: The network that the registrar asks, where it breaks: nothing is tried while it is open.
  ///   - pendings: Where the registrar notes what it leaves pending.
  ///   - observer: Is told what happened; may not block.
  package init(
    _ registrar: Registrar, breaker: BreakingNetwork?, pendings: LeftPending,
    settings: DeliverySchedule.Settings = DeliverySchedule.Settings(),
    observer: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    self.registrar = registrar
    self.breaker = breaker
    self.pendings = pendings
    self.settings = settings
    plan = Mutex(OutboxPlan(settings, at: .now))
    self.observer = observer
  }

  /// How many wait, as far as is known.
  package var waiting: Int { plan.withLock(\.waiting) }

  /// Delivers until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      let pause = await round()
      await pendings.wait(atMost: pause)
    }
  }

  /// Looks what waits, and tries nothing.
  package func look() async throws(StoreFailure) { try await read(at: .now) }

  /// Tries what is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(at now: ContinuousClock.Instant = .now) async -> Duration {
    // what was made due by what was noted is due
    let (now, isReading) = plan.withLock { plan in
      take(&plan)
      if isOpen { plan.isDown() }
      let now = max(now, .now)
      return (now, plan.nextReading <= now)
    }
    do throws(StoreFailure) {
      if isReading { try await read(at: now) }
      if !plan.withLock({ $0.isHeld(at: now) }), breaker?.pause == nil {
        await probe(at: now)
        if !isOpen { await deliverDue(at: max(now, .now)) }
      }
    } catch {
      plan.withLock { $0.readingFailed(at: max(now, .now)) }
    }
    return plan.withLock { plan in
      take(&plan)
      return plan.pause(at: .now, open: isOpen ? breaker?.pause ?? .zero : nil)
    }
  }

  /// What callers were left with, and what else was noted. What was tried just now is not tried again at once.
  func take(_ plan: inout OutboxPlan) {
    let noted = pendings.take()
    for note in noted.notes { plan.note(note, at: .now, dice: Self.dice) }
    if noted.isBack { plan.isBack() }
    if noted.isReadingWanted { plan.wantReading(at: .now) }
  }
}
