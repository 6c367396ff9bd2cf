internal import Synchronization

/// What came of asks is noted in the store: it outlives the process, and another regd that has the store open keeps to it.
extension Outbox {
  /// Notes all that has failed here and is not noted yet. What the store does not take now is tried again with the next
  /// round; nothing else depends on it.
  func noteAll(_ now: Clock) async {
    for id in plan.withLock(\.schedule.unnoted) {
      guard await note(id, now) else { return }
    }
  }

  /// Notes what came of asking for one account, and ends this regd's claim of it.
  ///
  /// - Returns: False where the store has failed.
  func note(_ id: AccountID, _ now: Clock) async -> Bool {
    let registrar = registrar
    guard registrar.notes.beginIfFree(id) else { return true }
    defer { registrar.notes.giveUp(id) }
    // an attempt is under way, under the claim that would end: its own end is noted
    guard !registrar.attempts.isUnderWay(id) else { return true }
    // without a mark there is nothing to note it by: the claim, if there is one, runs out
    guard let mark = registrar.reservations.mark(of: id), let entry = plan.withLock({ $0.schedule[id] }) else {
      plan.withLock { $0.schedule.noted(id, nil) }
      return true
    }
    let delivery = Delivery(
      attempts: entry.attempts, failure: entry.failure, next: registrar.time.now().advanced(by: entry.next - now()))
    do throws(StoreFailure) {
      let isNoted = try await registrar.store.putOff(id, seen: mark, delivery)
      if !isNoted { registrar.reservations.lostMark(id) }
      plan.withLock { $0.schedule.noted(id, isNoted ? delivery : nil) }
      return true
    } catch {
      return false
    }
  }
}
