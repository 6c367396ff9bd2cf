/// The changes that registering, signing in and the outbox make.
extension StoreTransaction {
  /// - Parameter claim: The open claim whose proof makes the account, or nil if no proof is needed.
  func insert(
    _ account: StoredAccount, request: RequestKey?, proving claim: AddressClaim? = nil, _ admission: Admission,
    _ stamp: Stamp
  ) throws(StoreFailure) -> InsertAnswer {
    let answer = try add(account, request, seen: admission.releases)
    guard answer == .inserted else { return answer }
    // below, the rows that were just added are removed, so that the commit changes nothing
    if account.account.state == .waiting, let registrant = account.registrant,
      !WaitingBounds.admits(try waiting(by: registrant).withoutOne)
    {
      try remove(account.account.id)
      return .tooManyWaiting
    }
    if let id = admission.invitation, try !takeUse(of: id, for: account.account, at: stamp.time) {
      try remove(account.account.id)
      return .invitationRejected
    }
    if let claim {
      try write(.requireOpen(claim, at: stamp.time))
      if claim.invitation != nil { try write(.passUse(from: claim.id, to: account.account.id, at: stamp.time)) }
    }
    switch account.account.state {
    case .pending:
      try claimDelivery(of: account.account.id)
      try write(.note(.reserved, account.account, stamp))
    case .waiting:
      try write(.note(.waiting, account.account, stamp))
      try write(.endClaims(of: [account.account]))
    case .active, .disabled:
      try write(.note(.registered, account.account, stamp))
      try write(.endClaims(of: [account.account]))
    }
    try noteGroups(of: account.account, stamp)
    if let terms = account.account.terms {
      try write(.note(AuditEntry.Draft(.termsAccepted, account.account, terms: terms.version, stamp)))
    }
    if let notice = admission.notice { try write(.addMail(notice)) }
    return answer
  }

  private func takeUse(
    of id: InvitationID, for account: Account, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let invitation = try invitation(id), invitation.admits(account.email, at: now) else { return false }
    return try takeUse(of: invitation, for: .account(account.id), at: now)
  }

  func noteKnown(_ request: RequestKey, for id: AccountID) throws(StoreFailure) -> NoteAnswer {
    guard let known = try note(request, for: id) else { return .gone }
    guard known.account.id != id else { return .noted }
    return try account(id) == nil ? .gone : .known(known)
  }

  func activate(_ id: AccountID, approved notice: MailIntent?, _ stamp: Stamp) throws(StoreFailure) -> Account? {
    // read before the update, which erases it
    let registrant = notice == nil ? nil : try lockedAccount(id)?.registrant
    if var activated = try update(id, .state(.active), ifIs: ExpectedAccount(.pending), at: stamp.time) {
      try forgetDelivery(of: id)
      try write(.note(.activated, activated, stamp))
      if activated.becomesDisabled,
        let disabled = try update(id, .state(.disabled), ifIs: ExpectedAccount(.active), at: stamp.time)
      {
        activated = disabled
        try write(.note(.disabled, disabled, stamp))
      }
      try write(.endClaims(of: [activated]))
      if let notice, try hasEntry(.approved, of: id, since: Timestamp(microseconds: 0)) {
        try write(.addMail(notice.written(for: registrant)))
      }
      return activated
    }
    guard let found = try account(id)?.account,
      found.state == .active || found.state == .disabled && found.becomesDisabled
    else { return nil }
    if try hasOpenClaims(at: found.email.key) { try write(.endClaims(of: [found])) }
    return found
  }

  func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool, _ stamp: Stamp
  ) throws(StoreFailure) -> Bool {
    guard let found = try lockedAccount(pending: id, seen: seen), try !isClaimedElsewhere(id) else { return false }
    if remembered { try remember(id, at: stamp.time) }
    try giveBackUse(of: id)
    try remove(id)
    if endingClaim { try write(.endRegistration(of: id)) }
    try write(.note(.released, found, stamp))
    try write(.endAddresses(of: id, at: stamp.time))
    return true
  }

  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch?, _ stamp: Stamp
  ) throws(StoreFailure) -> Bool {
    let replaced = try update(id, .password(new, epoch), ifIs: ExpectedAccount(having: old), at: stamp.time)
    guard let replaced else { return false }
    try write(.note(.rehashed, replaced, stamp))
    return true
  }

  // MARK: The outbox

  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) throws(StoreFailure) -> ResumeAnswer {
    guard let found = try lockedAccount(id)?.account else { return .gone }
    guard try !isClaimedElsewhere(id) else {
      return .claimed(wasPutOff: try pendingAccount(id)?.delivery?.failure?.isWorthPuttingOff ?? false)
    }
    guard found.state == .pending, found.updatedAt == seen,
      let resumed = try update(id, .mark, ifIs: ExpectedAccount(.pending), at: stamp.time)
    else { return .gone }
    try claimDelivery(of: id)
    try write(.note(.resumed, resumed, stamp))
    return .resumed
  }

  func renew(_ id: AccountID, seen: Timestamp) throws(StoreFailure) -> Bool {
    guard try lockedAccount(pending: id, seen: seen) != nil, try !isClaimedElsewhere(id) else { return false }
    try claimDelivery(of: id)
    return true
  }

  func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) throws(StoreFailure) -> Bool {
    guard try lockedAccount(pending: id, seen: seen) != nil else { return false }
    try putOff(id, delivery)
    return true
  }

  /// Locks and returns the account, if it is still pending and its `updatedAt` is still `seen`.
  private func lockedAccount(pending id: AccountID, seen: Timestamp) throws(StoreFailure) -> Account? {
    guard let found = try lockedAccount(id)?.account, found.state == .pending, found.updatedAt == seen else {
      return nil
    }
    return found
  }
}
