internal import Synchronization

/// Delivers what waits in the store to a system that may be away, each until the system has it: the engine of the outbox and of the
/// mail queue. What waits is as durable as the store and outlives the process; here is only when each is tried.
final class Deliverer<Work: DeliveryWork>: Sendable {
  typealias Clock = @Sendable () -> ContinuousClock.Instant
  typealias Plan = DeliveryPlan<Work.ID, Work.Failure>

  let work: Work
  let inbox: DeliveryInbox<Work.ID, Work.Failure>
  let plan: Mutex<Plan>

  init(_ work: Work, inbox: DeliveryInbox<Work.ID, Work.Failure>) {
    self.work = work
    self.inbox = inbox
    plan = Mutex(Plan(work.settings, at: .now))
  }

  static var pageSize: Int { 100 }
  /// Between looks at what waits where there is no system; a reload that brings one ends it.
  private static var idlePause: Duration { .seconds(3600) }

  /// Goes on by the work's settings, which have changed: what waits stays as it is, with its failures; its pauses end if another
  /// system is to be asked.
  func adopt(isOtherSystem: Bool, at now: ContinuousClock.Instant) {
    plan.withLock { plan in
      plan.adopt(work.settings)
      if isOtherSystem { plan.meetOtherSystem(at: now) }
    }
    inbox.wake()
  }

  /// How many wait, as far as is known.
  var waiting: Int { plan.withLock(\.schedule.count) }

  /// Delivers until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let pause = await round { .now }
      await inbox.wait(atMost: pause)
    }
    // what failed last: the next start, or another regd, goes on by it
    plan.withLock { _ = take(&$0, at: .now) }
    await noteAll { .now }
  }

  /// Tries what is due, once.
  ///
  /// - Returns: How long nothing will be due.
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

  /// Whether too many deliveries have failed in a row, or the system has asked for a pause.
  func isHeld(at now: ContinuousClock.Instant) -> Bool { plan.withLock { $0.isHeld(at: now) } }

  /// Takes over what other parts have told, and what is known of the system. What was tried just now is not tried again at once.
  ///
  /// - Returns: Whether it is wanted that the store is read.
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

  /// What is known of one that waits.
  func entry(
    _ waiting: WaitingDelivery<Work.ID, Work.Failure>, at now: ContinuousClock.Instant, _ time: Timestamp
  ) -> DeliverySchedule<Work.ID, Work.Failure>.Entry {
    plan.withLock { plan in
      _ = take(&plan, at: now)
      return plan.schedule.entry(waiting, at: now, time)
    }
  }

  /// The time of day at an instant: of one instant always the same.
  func time(of instant: ContinuousClock.Instant) -> Timestamp { plan.withLock { $0.schedule.day.time(of: instant) } }

  /// Has one tried now, or all.
  func retry(_ id: Work.ID?, at now: ContinuousClock.Instant) {
    plan.withLock { plan in
      _ = take(&plan, at: now)
      plan.retry(id, at: now)
    }
  }

  /// One does not wait any more.
  func forget(_ id: Work.ID) { plan.withLock { $0.schedule.forget(id) } }

  /// 0 to 1, for jitter.
  static var dice: Double { Double.random(in: 0...1) }
}
