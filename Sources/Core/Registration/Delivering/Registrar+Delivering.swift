extension Registrar {
  /// Asks the upstream again for a pending account. A caller who repeats the registration meanwhile joins the delivery.
  /// The delivery claims the account, so that other processes neither ask for it nor remove it.
  ///
  /// - Parameters:
  ///   - network: The network to ask, or nil for the one that registrations ask.
  ///   - known: The account's delivery note as this regd has last read it. If another regd has noted a pause after that, the
  ///     delivery waits for the pause to end.
  ///   - isForced: Whether to ignore that pause.
  func deliver(
    _ id: AccountID, over network: (any NetworkService)? = nil, known: Delivery? = nil, isForced: Bool = false
  ) async -> DeliveryOutcome {
    guard attempts.beginIfFree(id) else { return .inFlight }
    return await delivered(id, over: network, known: known, isForced: isForced)
  }

  /// Delivers an account for which the caller has begun an attempt (`attempts`), and ends the attempt.
  ///
  /// - Parameter approval: Not nil if an administrator has just approved the account.
  func delivered(
    _ id: AccountID, over network: (any NetworkService)? = nil, known: Delivery? = nil, isForced: Bool,
    approval: DeliveryConductor.Approval? = nil
  ) async -> DeliveryOutcome {
    let outcome: DeliveryOutcome
    do throws(StoreFailure) {
      // reads the account after the attempt has begun, because from then on no other task of this process changes it
      let found = try await store.find(pending: id)
      if let found, let obstacle = obstacle(to: found, known, isForced) {
        outcome = obstacle
      } else if let found {
        outcome = await deliver(found.stored, over: network ?? self.network ?? FailingNetwork(.offline), approval)
      } else {
        outcome = .gone
      }
    } catch {
      outcome = .obstructed(.store(error))
    }
    if outcome.isSettled { reservations.settled(id) }
    if let told = registrationOutcome(of: outcome) { attempts.end(id, told) } else { attempts.giveUp(id) }
    return outcome
  }

  /// Why another regd's work on the account prevents this delivery, or nil if this regd may ask the upstream.
  private func obstacle(to found: PendingAccount, _ known: Delivery?, _ isForced: Bool) -> DeliveryOutcome? {
    guard !found.isClaimedElsewhere else { return .claimedElsewhere }
    guard let delivery = found.delivery, delivery != known, !isForced, delivery.next > time.now() else { return nil }
    return .putOffElsewhere(found)
  }

  private func deliver(
    _ holder: StoredAccount, over network: any NetworkService, _ approval: DeliveryConductor.Approval?
  ) async -> DeliveryOutcome {
    let isMarked = reservations.isMarked(holder.account.id, holder.account.updatedAt)
    let conductor = DeliveryConductor(holder, isMarked: isMarked, now: time.now(), approval: approval)
    return await conduct(conductor, faults) {
      (action) async in
      let stamp = Stamp(time.now())
      switch action {
      case .mark(let id, let seen, let mark):
        let event = await DeliveryConductor.Event.storing(
          .marked(try await store.resume(id, seen: seen, Stamp(mark))))
        if event == .marked(.resumed) { reservations.marked(id, at: mark, isNew: false) }
        return .event(event)
      case .renew(let id, let seen):
        return await .storing(.renewed(try await renewClaim(id, seen: seen, for: .daemon)))
      case .ask(let registration):
        let mayDefer = approval?.mayDefer ?? false
        return .event(await ask(registration, over: network, mayDefer: mayDefer, for: .daemon))
      case .activate(let account):
        let notice = approvalNotice(account.account, nil, by: nil, isApproval: approval != nil)
        return await .storing(.activated(try await activate(account, request: nil, approved: notice, stamp)))
      case .disapprove(let id, let seen):
        return await .storing(.disapproved(try await store.disapprove(id, seen: seen, stamp)))
      case .release(let id, let seen):
        return await .storing(
          .released(try await store.release(id, seen: seen, remembered: true, endingClaim: true, stamp)))
      case .finish(let outcome): return .finished(outcome)
      }
    }
  }

  /// The outcome for callers who repeated the registration and joined the delivery, or nil if they have to start again.
  private func registrationOutcome(of outcome: DeliveryOutcome) -> RegistrationOutcome? {
    switch outcome {
    case .activated(let account): .registered(account)
    // the account waits for an administrator again
    case .taken(let account) where account.state == .waiting, .failed(let account, _) where account.state == .waiting:
      nil
    case .taken: .taken
    case .failed(let account, let failure) where defersWhenUnreachable && failure.isWorthRepeating:
      .deferred(account, failure)
    case .failed(_, let failure): .obstructed(.network(failure), isPending: true)
    case .takenPerhaps(let account) where defersWhenUnreachable: .deferred(account, .failed)
    case .takenPerhaps: .obstructed(.network(.failed), isPending: true)
    case .obstructed(let obstacle): .obstructed(obstacle, isPending: true)
    case .gone, .inFlight, .claimedElsewhere, .putOffElsewhere: nil
    }
  }

  /// Activates an account that the upstream has registered. If another process has removed the pending account
  /// meanwhile, inserts the account again, as active.
  ///
  /// - Parameters:
  ///   - request: The request under which the account is inserted again, or nil for none.
  ///   - notice: The mail for an account that an administrator has approved.
  func activate(
    _ account: StoredAccount, request: RequestKey?, approved notice: MailIntent? = nil, _ stamp: Stamp
  ) async throws(StoreFailure) -> ActivationAnswer {
    var account = account
    while true {
      let active = try await store.activate(account.account.id, approved: notice, stamp)
      reservations.settled(account.account.id)
      if let active { return .active(active) }
      account.account.state = account.account.becomesDisabled ? .disabled : .active
      account.registrant = nil
      switch try await store.insert(account, request: request, stamp) {
      case .inserted: return .active(account.account)
      case .requestKnown(let known): return .requestKnown(known)
      case .invitationRejected, .tooManyWaiting, .releasedMeanwhile: return .taken
      case .taken(let holder) where holder.account.id != account.account.id: return .taken
      case .taken(let holder) where holder.account.state != .pending: return .active(holder.account)
      case .taken(let holder): account = holder
      }
    }
  }
}

/// The outcome of activating an account that the upstream has registered.
package enum ActivationAnswer: Equatable, Sendable {
  /// The account is active, or an administrator has disabled it since.
  case active(Account)
  /// Another account has the same address.
  case taken
  /// The same request has made another account.
  case requestKnown(KnownRequest)
}

extension DeliveryOutcome {
  /// Whether the account is no longer pending.
  fileprivate var isSettled: Bool {
    switch self {
    case .activated, .taken, .gone: true
    case .failed(let account, _): account.state == .waiting
    case .takenPerhaps, .inFlight, .claimedElsewhere, .putOffElsewhere, .obstructed: false
    }
  }
}
