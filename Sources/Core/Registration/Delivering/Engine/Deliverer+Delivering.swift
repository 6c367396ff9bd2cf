internal import Synchronization
internal import Tracing

extension Deliverer {
  /// Reads all waiting deliveries into the schedule, and reports how the reading ended.
  func read(_ now: Clock) async throws(StoreFailure) {
    do throws(StoreFailure) {
      try await readAll(now)
    } catch {
      readings(error)
      throw error
    }
    readings(nil)
  }

  private func readAll(_ now: Clock) async throws(StoreFailure) {
    plan.withLock { $0.beginReading() }
    var after: Work.ID?
    while !Task.isCancelled {
      let page = try await work.waiting(after: after, limit: Self.pageSize)
      plan.withLock { $0.read(page, at: now(), work.time.now()) }
      guard page.count == Self.pageSize else {
        // `gone`: deliveries that the store no longer has, because another regd or an administrator has ended them
        return work.hasRead(gone: plan.withLock { $0.endReading(at: now()) })
      }
      after = page.last?.id
    }
    plan.withLock { $0.readingFailed(at: now()) }
  }

  /// Reads new deliveries from the store, if any were reported. The regular reading (`read`) finds those that a glance
  /// misses.
  func glance(_ now: Clock) async throws(StoreFailure) {
    let isWanted = plan.withLock { plan in
      defer { plan.isGlanceWanted = false }
      return plan.isGlanceWanted
    }
    guard isWanted else { return }
    var after = plan.withLock(\.newest).flatMap(work.beforeNew)
    while !Task.isCancelled {
      let page = try await work.waiting(after: after, limit: Self.pageSize)
      plan.withLock { $0.read(page, at: now(), work.time.now()) }
      guard page.count == Self.pageSize else { return }
      after = page.last?.id
    }
  }

  private enum Progress {
    case delivered
    /// The inbox received something, or a delivery has become due.
    case news
  }

  /// Delivers what is due, or becomes due meanwhile, up to `Work.width` at once: a slow delivery delays no other while slots
  /// are free. Ends early if the receiving system is down, asks for a pause, or fails too often in a row.
  func deliverDue(_ now: @escaping Clock) async {
    var isListening = false
    await withTaskGroup(of: Progress.self) { group in
      var begun: Set<Work.ID> = []
      var (inFlight, isOpen) = (0, true)
      while true {
        while isOpen, inFlight < Work.width, let (id, isForced) = next(besides: begun, now) {
          isOpen = !Task.isCancelled && !work.outlook(at: now()).isDown && !isHeld(at: now())
          guard isOpen else {
            putBack(id, now)
            break
          }
          begun.insert(id)
          inFlight += 1
          group.addTask {
            await self.deliver(id, isForced: isForced, now)
            return .delivered
          }
          await meanwhile(now, &begun)
        }
        guard inFlight > 0 else { break }
        isOpen = isOpen && !Task.isCancelled
        if isOpen, inFlight < Work.width, !isListening {
          isListening = true
          let pause = plan.withLock { $0.pauseUntilNextIsDue(at: now()) }
          group.addTask {
            await self.inbox.wait(atMost: pause)
            return .news
          }
        }
        switch await group.next() {
        case .delivered?: inFlight -= 1
        case .news?, nil: isListening = false
        }
        if isOpen { await meanwhile(now, &begun) }
      }
      group.cancelAll()
    }
    // the cancelled listener may have consumed the last wake-up, which is meant for `run`
    if isListening { inbox.wake() }
  }

  /// Passes the inbox's reports to the plan between two deliveries. Reads the store again if that is due, because other
  /// regd may have left deliveries there.
  ///
  /// - Parameter begun: The deliveries tried so far. Each reading empties the set, so that these may be tried again.
  private func meanwhile(_ now: Clock, _ begun: inout Set<Work.ID>) async {
    let isReading = plan.withLock { take(&$0, at: now()) || $0.isReadingDue(at: now()) }
    if isReading { begun = [] }
    await noteAll(now)
    do throws(StoreFailure) {
      if isReading { try await read(now) }
      try await glance(now)
    } catch {
      plan.withLock { $0.readingFailed(at: now()) }
    }
  }

  /// Takes the next delivery to try. Deliveries that an administrator has asked to retry come first.
  ///
  /// - Returns: The delivery's id, and whether to try it even if another regd has noted a pause.
  private func next(besides begun: Set<Work.ID>, _ now: Clock) -> (id: Work.ID, isForced: Bool)? {
    while let wanted = plan.withLock({ $0.takeWanted() }) {
      // this round has tried the delivery already, so the delivery waits for its turn
      if begun.contains(wanted) { putBack(wanted, now) } else if mayBegin(wanted, now) { return (wanted, true) }
    }
    while let due = plan.withLock({ $0.schedule.takeDue(at: now()) }) {
      if mayBegin(due, now) { return (due, false) }
    }
    return nil
  }

  /// Tries one delivery to find out whether a system that was down works again.
  func probe(_ now: @escaping Clock) async {
    while let id = plan.withLock({ $0.probe(work.outlook(at: now()), at: now()) }), !work.isInFlight(id) {
      switch await deliver(id, isForced: true, now) {
      case .delivered: return
      // the system was not asked: try another delivery
      case .gone: continue
      case .stays:
        // the outlook (the circuit breaker or `MailOutage`) already has a pause if the failure is evidence against
        // the system
        guard work.outlook(at: now()).mayBeAsked else { return }
        let longest = work.longestProbePause
        return plan.withLock { $0.probeFailed(atMost: longest, at: now(), dice: Self.dice) }
      }
    }
  }

  /// Whether the delivery may be tried now. If not, it is postponed for a while.
  private func mayBegin(_ id: Work.ID, _ now: Clock) -> Bool {
    // another try of this process is in flight, and notes its own outcome
    guard work.isInFlight(id) else { return true }
    postpone(id, now)
    return false
  }

  private func postpone(_ id: Work.ID, _ now: Clock) {
    plan.withLock { $0.schedule.postpone(id, until: now() + work.settings.firstPause) }
  }

  /// Makes a delivery due again, because it was not tried after all.
  private func putBack(_ id: Work.ID, _ now: Clock) { plan.withLock { $0.schedule.postpone(id, until: now()) } }

  private enum Effect {
    case delivered, gone, stays
  }

  @discardableResult
  private func deliver(_ id: Work.ID, isForced: Bool, _ now: @escaping Clock) async -> Effect {
    // each attempt has its own trace, in the log and at the receiving system
    await Trace.$current.withValue(work.trace(of: id)) { await attempt(id, isForced, now) }
  }

  private func attempt(_ id: Work.ID, _ isForced: Bool, _ now: Clock) async -> Effect {
    let (attempts, known) = plan.withLock { ($0.schedule.begin(id), $0.schedule[id]?.noted) }
    switch await work.deliver(id, known: known, isForced: isForced, now) {
    case .delivered(let subject):
      plan.withLock { $0.delivered(id, at: now()) }
      work.report(.delivered(subject, attempts: attempts + 1))
      return .delivered
    case .refused(let subject):
      forget(id)
      work.report(.refused(subject))
    case .gone:
      forget(id)
      return .gone
    case .occupied: postpone(id, now)
    case .putOffElsewhere(let waiting):
      plan.withLock { $0.schedule.adopt(waiting, at: now(), work.time.now(), evenIfTried: true) }
    case .failed(let subject, let failure): await delay(id, subject, failure, now)
    case .failedHere: plan.withLock { $0.schedule.failed(id, nil, at: now(), dice: Self.dice) }
    }
    return .stays
  }

  private func delay(_ id: Work.ID, _ subject: Work.Subject, _ failure: Work.Failure, _ now: Clock) async {
    // a cancelled task means that the daemon stops
    guard !Task.isCancelled else { return putBack(id, now) }
    let failedAt = now()
    let entry = plan.withLock { plan in
      plan.schedule.failed(id, failure, at: failedAt, dice: Self.dice)
      plan.consider(failure, of: id, at: failedAt, dice: Self.dice)
      return plan.schedule[id]
    }
    guard let entry else { return }
    _ = await note(id, now)
    work.report(.delayed(subject, attempts: entry.attempts, failure, next: max(.zero, entry.next - failedAt)))
  }
}

// MARK: - Noting

/// Notes the outcomes of tries in the store, so that they outlive the process, and other regd processes with the same
/// store observe them.
extension Deliverer {
  /// Notes every failure of this process that is not noted yet. If the store fails, the next round tries again. Nothing
  /// else depends on the notes.
  func noteAll(_ now: Clock) async {
    for id in plan.withLock(\.schedule.unnoted) {
      guard await note(id, now) else { return }
    }
  }

  /// - Returns: False if the store has failed.
  private func note(_ id: Work.ID, _ now: Clock) async -> Bool {
    let result = await work.note(id) {
      plan.withLock { $0.schedule.note(of: id, at: now(), work.time.now()) }
    }
    switch result {
    case .notNow: return true
    case .noted(let note):
      plan.withLock { $0.schedule.noted(id, note) }
      return true
    case .storeFailed: return false
    }
  }
}
