internal import Synchronization

/// Delivers the store's waiting entries to a system that may be unreachable, each until the system has it: the engine
/// of the outbox and of the mail queue. The entries are as durable as the store and outlive the process. The deliverer
/// only decides when each is tried.
final class Deliverer<Work: DeliveryWork>: Sendable {
  typealias Clock = @Sendable () -> ContinuousClock.Instant
  typealias Plan = DeliveryPlan<Work.ID, Work.Failure>

  let work: Work
  let inbox: DeliveryInbox<Work.ID, Work.Failure>
  let plan: Mutex<Plan>
  /// Receives the failure of each reading of the store, or nil if the reading succeeded.
  let readings: @Sendable (StoreFailure?) -> Void

  init(
    _ work: Work, inbox: DeliveryInbox<Work.ID, Work.Failure>, readings: @escaping @Sendable (StoreFailure?) -> Void
  ) {
    self.work = work
    self.inbox = inbox
    self.readings = readings
    plan = Mutex(Plan(work.settings, inbox.tally, at: .now))
  }

  static var pageSize: Int { 100 }
  /// The pause between readings while no system is configured. A reload that adds a system ends the pause.
  private static var idlePause: Duration { .seconds(3600) }

  /// Continues under the work's changed settings. Waiting deliveries keep their numbers of failures. If another system
  /// is to be asked, their pauses end.
  func adopt(isOtherSystem: Bool, at now: ContinuousClock.Instant) {
    plan.withLock { plan in
      plan.adopt(work.settings)
      if isOtherSystem { plan.meetOtherSystem(at: now) }
    }
    inbox.wake()
  }

  /// How many deliveries wait, as far as this process knows.
  var waiting: Int { plan.withLock(\.schedule.count) }

  /// Delivers until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let pause = await round { .now }
      await inbox.wait(atMost: pause)
    }
    // the last failures are noted for the next start, or for another regd
    plan.withLock { _ = take(&$0, at: .now) }
    await noteAll { .now }
  }

  /// Tries every delivery that is due, once.
  ///
  /// - Returns: The time until the next round is due, if no report wakes the deliverer before.
  func round(_ now: @escaping Clock) async -> Duration {
    let isReading = plan.withLock { plan in
      _ = take(&plan, at: now())
      return plan.isReadingDue(at: now())
    }
    await noteAll(now)
    do throws(StoreFailure) {
      if isReading { try await read(now) }
      if work.hasSystem, !isHeld(at: now()), work.outlook(at: now()).mayBeAsked {
        try await glance(now)
        await probe(now)
        if !work.outlook(at: now()).isDown { await deliverDue(now) }
      }
    } catch {
      plan.withLock { $0.readingFailed(at: now()) }
    }
    let hasSystem = work.hasSystem
    return plan.withLock { plan in
      let now = now()
      _ = take(&plan, at: now)
      return hasSystem ? plan.pause(work.outlook(at: now), at: now) : Self.idlePause
    }
  }

  /// Whether deliveries pause, because too many have failed in a row or the system has asked for it.
  func isHeld(at now: ContinuousClock.Instant) -> Bool { plan.withLock { $0.isHeld(at: now) } }

  /// Passes the inbox's reports and the outlook on the system to the plan. A delivery that a caller's request has just
  /// tried in vain begins with a pause.
  ///
  /// - Returns: Whether the store has to be read.
  func take(_ plan: inout Plan, at now: ContinuousClock.Instant) -> Bool {
    let noted = inbox.take()
    for note in noted.notes {
      plan.schedule.add(note.id, DeliveryTurn(share: note.share), at: now)
      plan.schedule.asked(note.id, note.failure, at: now, dice: Self.dice)
    }
    for id in noted.met { plan.schedule.add(id, at: now + work.settings.firstPause) }
    if noted.isReadingWanted { plan.wantReading(at: now) }
    if noted.isGlanceWanted { plan.isGlanceWanted = true }
    plan.look(work.outlook(at: now), at: now)
    return noted.isReadingWanted
  }

  /// The state of a waiting delivery: the store's note, unless this process knows newer facts.
  func entry(
    _ waiting: WaitingDelivery<Work.ID, Work.Failure>, at now: ContinuousClock.Instant, _ time: Timestamp
  ) -> DeliverySchedule<Work.ID, Work.Failure>.Entry {
    plan.withLock { plan in
      _ = take(&plan, at: now)
      return plan.schedule.entry(waiting, at: now, time)
    }
  }

  /// The time of day at an instant. The same instant always gives the same time.
  func time(of instant: ContinuousClock.Instant) -> Timestamp { plan.withLock { $0.schedule.day.time(of: instant) } }

  /// Makes one delivery due now, or all if `id` is nil.
  func retry(_ id: Work.ID?, at now: ContinuousClock.Instant) {
    plan.withLock { plan in
      _ = take(&plan, at: now)
      plan.retry(id, at: now)
    }
  }

  /// Removes a delivery that no longer waits.
  func forget(_ id: Work.ID) { plan.withLock { $0.schedule.forget(id) } }

  /// A random number from 0 to 1, for jitter.
  static var dice: Double { Double.random(in: 0...1) }
}
