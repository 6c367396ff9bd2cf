internal import Synchronization

extension Outbox {
  /// Reads all that is pending into the schedule.
  func read(at now: ContinuousClock.Instant) async throws(StoreFailure) {
    plan.withLock { $0.beginReading() }
    var after: AccountID?
    while !Task.isCancelled {
      let page = try await registrar.store.pending(after: after, limit: Self.pageSize).map(\.account.id)
      for id in page { registrar.reservations.met(id) }
      plan.withLock { $0.read(page, at: now) }
      guard page.count == Self.pageSize else {
        plan.withLock { $0.endReading(at: max(now, .now)) }
        registrar.reservations.sweep()
        return
      }
      after = page.last
    }
  }

  /// Delivers what is due, who has failed the fewest times first, a few at once; ends when the upstream is down, or asks for a
  /// pause.
  func deliverDue(at now: ContinuousClock.Instant) async {
    await withTaskGroup(of: Void.self) { group in
      var begun: Set<AccountID> = []
      while let id = next(at: now, besides: begun) {
        if begun.count >= Self.width { await group.next() }
        guard canGoOn(at: now) else {
          plan.withLock { $0.putBack(id, at: max(now, .now)) }
          return
        }
        begun.insert(id)
        group.addTask { await self.deliver(id, at: now) }
      }
    }
  }

  /// Whom to try next: whoever an administrator wants tried does not wait behind the others.
  private func next(at now: ContinuousClock.Instant, besides begun: Set<AccountID>) -> AccountID? {
    while let wanted = plan.withLock({ $0.takeWanted() }) {
      // in its next round, if it was tried in this one
      guard !begun.contains(wanted) else {
        plan.withLock { $0.putBack(wanted, at: max(now, .now)) }
        continue
      }
      if mayBegin(wanted, max(now, .now)) { return wanted }
    }
    while let due = plan.withLock({ $0.takeDue(at: now) }) {
      if mayBegin(due, max(now, .now)) { return due }
    }
    return nil
  }

  /// Tries with one whether an upstream that was down is back.
  func probe(at now: ContinuousClock.Instant) async {
    guard let id = plan.withLock({ $0.probe(isOpen: isOpen, at: now) }), !registrar.isUnderWay(id) else { return }
    let isDelivered = await deliver(id, at: now)
    // what nobody answers, the breaker has a pause for
    guard !isDelivered, breaker?.pause == nil else { return }
    let longest = breaker?.maximumPause ?? settings.maximumPause
    plan.withLock { $0.probeFailed(longest: longest, at: max(now, .now), dice: Double.random(in: 0...1)) }
  }

  /// Whether the breaker is not closed.
  var isOpen: Bool { !(breaker?.state.isClosed ?? true) }

  private func canGoOn(at now: ContinuousClock.Instant) -> Bool {
    !Task.isCancelled && !isOpen && !plan.withLock { $0.isHeld(at: max(now, .now)) }
  }

  /// Whether it may be tried now; what may not is put back.
  private func mayBegin(_ id: AccountID, _ now: ContinuousClock.Instant) -> Bool {
    // when that is over, it is noted
    guard registrar.isUnderWay(id) else { return true }
    plan.withLock { $0.postpone(id, at: now) }
    return false
  }

  /// - Returns: Whether the upstream has it now.
  @discardableResult
  private func deliver(_ id: AccountID, at now: ContinuousClock.Instant) async -> Bool {
    let entry = plan.withLock { $0.begin(id) }
    switch await registrar.deliver(id, over: breaker?.forOutbox) {
    case .activated(let active):
      plan.withLock { $0.delivered(id, at: .now) }
      observer(.delivered(active, attempts: (entry?.attempts ?? 0) + 1))
      return true
    case .taken(let account):
      plan.withLock { $0.settle(id) }
      observer(.refused(account))
    case .gone: plan.withLock { $0.settle(id) }
    case .underWay: plan.withLock { $0.postpone(id, at: max(now, .now)) }
    case .takenPerhaps(let account): delay(account, .failed, now)
    case .failed(let account, let failure): delay(account, failure, now)
    case .store: plan.withLock { $0.failed(id, nil, at: .now, dice: Self.dice) }
    }
    return false
  }

  private func delay(
    _ account: Account, _ failure: NetworkFailure, _ now: ContinuousClock.Instant
  ) {
    // cancelled: the daemon stops
    guard !Task.isCancelled else { return plan.withLock { $0.putBack(account.id, at: max(now, .now)) } }
    let entry = plan.withLock { plan in
      plan.failed(account.id, failure, at: .now, dice: Self.dice)
      plan.consider(failure, at: max(now, .now), dice: Self.dice)
      return plan.schedule[account.id]
    }
    guard let entry else { return }
    observer(.delayed(account, attempts: entry.attempts, failure, next: max(.zero, entry.next - .now)))
  }

  static var dice: Double { Double.random(in: 0...1) }
}
