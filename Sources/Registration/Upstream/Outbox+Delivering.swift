internal import Synchronization

extension Outbox {
  /// Reads all that is pending, and delivers what is due.
  func deliverAll(at now: ContinuousClock.Instant) async throws(StoreFailure) {
    plan.withLock { $0.beginReading() }
    var seen: Set<AccountID> = []
    var after: AccountID?
    var isWhole = false
    while !isWhole, canGoOn {
      let page = try await registrar.store.pending(after: after, limit: Self.pageSize)
      seen.formUnion(page.map(\.account.id))
      guard await deliver(page.map(\.account.id), at: max(now, .now)) else { break }
      after = page.last?.account.id
      isWhole = page.count < Self.pageSize
    }
    if isWhole { plan.withLock { [seen] in $0.endReading(seen, at: max(now, .now)) } }
    try await count()
  }

  /// Delivers what the schedule says is due; does not look for anything else.
  func deliverDue(at now: ContinuousClock.Instant) async {
    _ = await deliver(plan.withLock { $0.schedule.due(at: now) }, at: now)
  }

  /// Tries with one whether an upstream that was down is back.
  func probe(at now: ContinuousClock.Instant) async throws(StoreFailure) {
    var candidate = plan.withLock { $0.schedule.leastFailed(at: now) }
    if candidate == nil {
      let oldest = try await registrar.store.pending(after: nil, limit: 1).first?.account.id
      candidate = oldest.flatMap { isDue($0, now) ? $0 : nil }
    }
    guard let candidate else { return }
    await deliver(candidate)
    guard !(breaker?.state.isClosed ?? true) else { return }
    plan.withLock { $0.probeFailed(at: .now, dice: Double.random(in: 0...1)) }
  }

  private var canGoOn: Bool {
    !Task.isCancelled && breaker?.state.isClosed ?? true && plan.withLock { $0.notBefore == nil }
  }

  /// What is due of them, in their order, a few at once.
  ///
  /// - Returns: Whether all were tried; not where the upstream turned out to be down, or has asked for a pause.
  private func deliver(_ ids: [AccountID], at now: ContinuousClock.Instant) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      var begun: Set<AccountID> = []
      for id in ids {
        // whoever an administrator wants tried does not wait behind the others
        for next in plan.withLock({ $0.takeWanted() }) + [id] where !begun.contains(next) && isDue(next, now) {
          if begun.count >= Self.width { await group.next() }
          guard canGoOn else { return false }
          group.addTask { await self.deliver(next) }
          begun.insert(next)
        }
      }
      await group.waitForAll()
      return canGoOn
    }
  }

  private func isDue(_ id: AccountID, _ now: ContinuousClock.Instant) -> Bool {
    let isUnderWay = registrar.isUnderWay(id)
    return plan.withLock { plan in
      // when that is over, it is noted
      if isUnderWay { plan.schedule.postpone(id, until: .now + settings.firstPause) }
      return !isUnderWay && plan.schedule.isDue(id, at: now)
    }
  }

  private func deliver(_ id: AccountID) async {
    let entry = plan.withLock { plan in
      plan.schedule.begin(id)
      return plan.schedule[id]
    }
    let delivery = await registrar.deliver(
      id, mark: entry?.mark, believesTaken: (entry?.timesTaken ?? 0) + 1 >= Self.timesTaken,
      // one that has failed before may be what fails, and says little about the upstream
      over: (entry?.attempts ?? 0) > 0 ? breaker?.forRepeats : nil)
    switch delivery.outcome {
    case .activated(let active):
      plan.withLock { $0.settle(id) }
      observer(.delivered(active, attempts: (entry?.attempts ?? 0) + 1))
    case .taken(let account):
      plan.withLock { $0.settle(id) }
      observer(.refused(account))
    case .gone: plan.withLock { $0.settle(id) }
    case .underWay: break
    case .takenPerhaps(let account): delay(account, .failed, delivery.mark, isTaken: true)
    case .failed(let account, let failure): delay(account, failure, delivery.mark, isTaken: false)
    case .store:
      plan.withLock { plan in
        plan.schedule.failed(id, nil, mark: delivery.mark, at: .now, dice: Double.random(in: 0...1))
      }
    }
  }

  private func delay(_ account: Account, _ failure: NetworkFailure, _ mark: Timestamp?, isTaken: Bool) {
    // cancelled: the daemon stops
    guard !Task.isCancelled else { return }
    let entry = plan.withLock { plan in
      plan.schedule.failed(
        account.id, failure, mark: mark, isTaken: isTaken, at: .now, dice: Double.random(in: 0...1))
      // so many at once are too many, whosever they are
      if case .throttled(let seconds) = failure { plan.hold(.seconds(seconds ?? 1), at: .now) }
      return plan.schedule[account.id]
    }
    guard let entry else { return }
    observer(.delayed(account, attempts: entry.attempts, failure, next: max(.zero, entry.next - .now)))
  }
}
