/// Operations of administrators on the outbox.
extension Outbox {
  package enum Answer: Equatable, Sendable {
    case done
    /// No pending account has this id.
    case notFound
    /// The upstream is being asked for the account right now.
    case inFlight
    /// There is no network to deliver to.
    case noNetwork
    case obstructed(Obstacle)
  }

  /// Returns the waiting registrations, in the order in which they were made, starting after `after`.
  package func list(
    after: AccountID?, limit: Int, _ now: Clock = { .now }
  ) async throws(StoreFailure) -> Page<AccountID, Waiting> {
    let found = try await registrar.store.pending(after: after, limit: limit + 1)
    let (now, time) = (now(), registrar.time.now())
    let held = terms.value.breaker?.nextDelivery ?? now
    let waiting = found.prefix(limit).map { pending in
      let entry = deliverer.entry(WaitingDelivery(pending), at: now, time)
      let next = pending.isClaimedElsewhere ? now : max(entry.next, held)
      return Waiting(
        account: pending.stored.account, attempts: entry.attempts, failure: entry.failure,
        next: next > now ? deliverer.time(of: next) : time)
    }
    return Page(elements: waiting, hasMore: found.count > limit)
  }

  /// Makes the outbox try one registration now, or all if `id` is nil, even if the upstream is known to be down.
  package func retry(_ id: AccountID?, _ now: Clock = { .now }) async -> Answer {
    do throws(StoreFailure) {
      if let id, try await registrar.store.find(id)?.account.state != .pending { return .notFound }
    } catch {
      return .obstructed(.store(error))
    }
    guard registrar.network != nil else { return .noNetwork }
    deliverer.retry(id, at: now())
    terms.value.breaker?.probeNow()
    deliverer.inbox.wake()
    return .done
  }

  /// Gives up one registration: removes its pending account from the store, whether or not the upstream has the account.
  ///
  /// - Parameters:
  ///   - requester: The administrator's process, which the audit names.
  ///   - mayCommit: Asked once, before the store is changed. If it returns false, nothing is done.
  package func discard(_ id: AccountID, by requester: Requester?, mayCommit: @Sendable () -> Bool) async -> Answer {
    guard await registrar.decisions.beginNext(id) else { return .obstructed(.cancelled) }
    defer { registrar.decisions.giveUp(id) }
    // from here on, neither a delivery nor a caller's repeat asks the upstream for the account
    guard registrar.attempts.beginIfFree(id) else { return .inFlight }
    defer { registrar.attempts.giveUp(id) }
    do throws(StoreFailure) {
      guard let account = try await registrar.store.find(id)?.account, account.state == .pending else {
        return .notFound
      }
      guard mayCommit() else { return .obstructed(.cancelled) }
      let stamp = Stamp(registrar.time.now(), by: requester)
      guard try await registrar.store.release(id, seen: account.updatedAt, remembered: true, endingClaim: false, stamp)
      else {
        return .inFlight
      }
      // the upstream may still be working on the registration, because regd does not notify it
      registrar.reservations.givenUp(id)
    } catch {
      return .obstructed(.store(error))
    }
    deliverer.forget(id)
    return .done
  }
}
