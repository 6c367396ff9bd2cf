internal import Synchronization
internal import Tracing

extension Outbox {
  /// Reads all that is pending into the schedule.
  func read(_ now: Clock) async throws(StoreFailure) {
    plan.withLock { $0.beginReading() }
    var after: AccountID?
    while !Task.isCancelled {
      let page = try await registrar.store.pending(after: after, limit: Self.pageSize)
      for pending in page { registrar.reservations.met(pending.stored.account.id) }
      plan.withLock { $0.read(page, at: now(), registrar.time.now()) }
      guard page.count == Self.pageSize else {
        // another regd has delivered them, or an administrator has ended them
        for id in plan.withLock({ $0.endReading(at: now()) }) { registrar.reservations.givenUp(id) }
        registrar.reservations.sweep()
        return
      }
      after = page.last?.stored.account.id
    }
    plan.withLock { $0.readingFailed(at: now()) }
  }

  /// Delivers what is due when it begins, what has failed the fewest times first, a few at once. Ends early when the
  /// upstream is down, asks for a pause, or fails too often in a row.
  func deliverDue(_ now: @escaping Clock) async {
    let start = now()
    await withTaskGroup(of: Void.self) { group in
      var begun: Set<AccountID> = []
      while let (id, isForced) = next(at: start, besides: begun, now) {
        if begun.count >= Self.width { await group.next() }
        guard !Task.isCancelled, !outlook.isDown, !isHeld(at: now()) else { return putBack(id, now) }
        begun.insert(id)
        group.addTask { await self.deliver(id, isForced: isForced, now) }
        plan.withLock { take(&$0, at: now()) }
        await noteAll(now)
      }
    }
  }

  /// The account to try next: what an administrator wants tried comes before the others.
  ///
  /// - Returns: With whether it is tried also if another regd has put it off.
  private func next(
    at start: ContinuousClock.Instant, besides begun: Set<AccountID>, _ now: Clock
  ) -> (id: AccountID, isForced: Bool)? {
    while let wanted = plan.withLock({ $0.takeWanted() }) {
      // in the next round, if it was tried in this one
      if begun.contains(wanted) { putBack(wanted, now) } else if mayBegin(wanted, now) { return (wanted, true) }
    }
    while let due = plan.withLock({ $0.schedule.takeDue(at: start) }) {
      if mayBegin(due, now) { return (due, false) }
    }
    return nil
  }

  /// Tries with one whether an upstream that was down is back.
  func probe(_ now: Clock) async {
    guard let id = plan.withLock({ $0.probe(outlook, at: now()) }), !registrar.isUnderWay(id) else { return }
    let isDelivered = await deliver(id, isForced: true, now)
    // for failures that speak against the upstream the breaker has a pause
    guard !isDelivered, outlook.mayBeAsked else { return }
    let longest = breaker?.maximumPause ?? settings.maximumPause
    plan.withLock { $0.probeFailed(atMost: longest, at: now(), dice: Self.dice) }
  }

  /// Whether the account may be tried now; one that may not is put back for a while.
  private func mayBegin(_ id: AccountID, _ now: Clock) -> Bool {
    // when that is over, it is noted
    guard registrar.isUnderWay(id) else { return true }
    postpone(id, now)
    return false
  }

  private func postpone(_ id: AccountID, _ now: Clock) {
    plan.withLock { $0.schedule.postpone(id, until: now() + settings.firstPause) }
  }

  /// The account was not tried after all.
  private func putBack(_ id: AccountID, _ now: Clock) { plan.withLock { $0.schedule.postpone(id, until: now()) } }

  /// - Returns: Whether the upstream has it now.
  @discardableResult
  private func deliver(_ id: AccountID, isForced: Bool, _ now: Clock) async -> Bool {
    // each attempt is work of its own for the log and for the upstream
    await Trace.$current.withValue(Trace(of: "delivery", account: "\(id)")) { await attempt(id, isForced, now) }
  }

  private func attempt(_ id: AccountID, _ isForced: Bool, _ now: Clock) async -> Bool {
    let (attempts, known) = plan.withLock { ($0.schedule.begin(id), $0.schedule[id]?.noted) }
    let terms = terms.value
    switch await terms.registrar.deliver(id, over: terms.breaker?.forOutbox, known: known, isForced: isForced) {
    case .activated(let active):
      plan.withLock { $0.delivered(id, at: now()) }
      observer(.delivered(active, attempts: attempts + 1))
      return true
    case .taken(let account):
      plan.withLock { $0.schedule.forget(id) }
      observer(.refused(account))
    case .gone: plan.withLock { $0.schedule.forget(id) }
    case .underWay, .claimedElsewhere: postpone(id, now)
    case .putOffElsewhere(let pending):
      plan.withLock { $0.schedule.adopt(pending, at: now(), registrar.time.now(), evenIfTried: true) }
    case .takenPerhaps(let account): await delay(account, .failed, now)
    case .failed(let account, let failure): await delay(account, failure, now)
    case .store, .fault: plan.withLock { $0.schedule.failed(id, nil, at: now(), dice: Self.dice) }
    }
    return false
  }

  private func delay(_ account: Account, _ failure: NetworkFailure, _ now: Clock) async {
    // cancelled: the daemon stops
    guard !Task.isCancelled else { return putBack(account.id, now) }
    let failedAt = now()
    let entry = plan.withLock { plan in
      plan.schedule.failed(account.id, failure, at: failedAt, dice: Self.dice)
      plan.consider(failure, at: failedAt, dice: Self.dice)
      return plan.schedule[account.id]
    }
    guard let entry else { return }
    _ = await note(account.id, now)
    observer(.delayed(account, attempts: entry.attempts, failure, next: max(.zero, entry.next - failedAt)))
  }
}
