/// Approves and refuses accounts that wait for an administrator (`registration.approval`).
extension Administrator {
  /// Approves a waiting account, and registers it at the upstream if there is one. If the upstream certainly did not
  /// register the account, the account waits again, and the outcome gives the reason.
  ///
  /// Idempotent: an active or pending account is returned unchanged. For a disabled account the outcome is `notFound`.
  ///
  /// - Parameter mayCommit: Called once, before the store is changed. If it returns false, nothing is done.
  package func approve(
    _ who: AccountReference, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (found) async throws(Obstacle) in
      let registrar = registrar.value
      guard await registrar.decisions.beginNext(found.id) else { throw .cancelled }
      defer { registrar.decisions.giveUp(found.id) }
      // another administrator may have approved the account meanwhile
      guard let account = try await Obstacle.ofStore(try await store.find(found.id))?.account else { return .notFound }
      switch account.state {
      case .active, .pending: return .account(account)
      case .disabled: return .notFound
      case .waiting: break
      }
      guard mayCommit() else { throw .cancelled }
      return try await Obstacle.ofStore(try await registrar.approve(account, by: requester))
    }
  }

  /// Removes a waiting account, and notifies the person who registered it.
  package func refuse(
    _ who: AccountReference, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      guard account.state == .waiting else { return .notFound }
      guard mayCommit() else { throw .cancelled }
      let (registrar, stamp) = (registrar.value, Stamp(time.now(), by: requester))
      // the mail names no account, because the account no longer exists when it is sent
      let notice = registrar.notice(.accountRefused, account, about: nil, by: requester)
      guard try await Obstacle.ofStore(try await store.refuse(account.id, notice, stamp)) else { return .notFound }
      await forgive(account.email.key)
      return .deleted
    }
  }
}

extension Registrar {
  func notice(
    _ kind: MailKind, _ account: Account, about id: AccountID?, _ language: String? = nil, by requester: Requester?
  ) -> MailIntent? {
    guard verification.hasMail else { return nil }
    return ClaimDraft(verification, by: requester, language: language, now: time.now())
      .notice(kind, account, about: id)
  }

  /// The mail that notifies an account's owner of the approval. The store adds the mail only if an administrator has
  /// approved the account. Nil if accounts need no approval, or if there is no mail system.
  ///
  /// - Parameter isApproval: Whether an administrator is approving the account now. The mail is then made even if new
  ///   accounts need no approval any more.
  func approvalNotice(
    _ account: Account, _ language: String?, by requester: Requester?, isApproval: Bool = false
  ) -> MailIntent? {
    guard isApproval || admission.approval != .none else { return nil }
    return notice(.accountApproved, account, about: account.id, language, by: requester)
  }

  fileprivate func approve(
    _ account: Account, by requester: Requester?
  ) async throws(StoreFailure) -> AdministrationOutcome {
    guard attempts.beginIfFree(account.id) else { return .pending }
    var hasEnded = false
    defer { if !hasEnded { attempts.giveUp(account.id) } }
    let stamp = Stamp(time.now(), by: requester)
    guard network != nil else {
      let notice = notice(.accountApproved, account, about: account.id, by: requester)
      let approved = try await store.approve(account.id, to: .active, notice, stamp)
      return try await outcome(approved, of: account.id)
    }
    reservations.adding(account.id, at: stamp.time)
    defer { if !hasEnded { reservations.notAdded(account.id, at: stamp.time) } }
    guard let pending = try await store.approve(account.id, to: .pending, nil, stamp) else {
      return try await outcome(nil, of: account.id)
    }
    reservations.marked(account.id, at: pending.updatedAt, isNew: true)
    hasEnded = true
    let approval = DeliveryConductor.Approval(mayDefer: defersWhenUnreachable)
    let delivered = await delivered(account.id, isForced: true, approval: approval)
    return outcome(of: delivered, pending)
  }

  /// - Parameter approved: The approved account, or nil if the account no longer waited, because another change was
  ///   first.
  private func outcome(
    _ approved: Account?, of id: AccountID
  ) async throws(StoreFailure) -> AdministrationOutcome {
    if let approved { return .account(approved) }
    return try await store.find(id).map { .account($0.account) } ?? .notFound
  }

  private func outcome(of delivery: DeliveryOutcome, _ pending: Account) -> AdministrationOutcome {
    switch delivery {
    case .activated(let account): return .account(account)
    case .taken: return .taken
    case .failed(let account, let failure) where account.state == .waiting: return .obstructed(.network(failure))
    case .failed(_, let failure):
      leaveApproved(pending.id, failure)
      return defersWhenUnreachable && failure.isWorthPuttingOff ? .account(pending) : .unfinished(failure)
    case .takenPerhaps:
      leaveApproved(pending.id, .failed)
      return .unfinished(.failed)
    case .gone: return .notFound
    // another regd, or another task of this one, delivers the account
    case .claimedElsewhere, .putOffElsewhere, .inFlight: return .account(pending)
    case .obstructed(let obstacle): return .obstructed(obstacle)
    }
  }

  /// Leaves an approved account to the outbox, under regd's own share as after a reading of the store: approvals are
  /// never refused, so they use up no user's room (`PendingBounds`).
  private func leaveApproved(_ id: AccountID, _ failure: NetworkFailure) {
    leftPending?.add(.init(id: id, share: .daemon, failure: failure))
  }
}
