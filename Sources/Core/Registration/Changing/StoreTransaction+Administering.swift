/// The changes that administrators make, and those that regd makes without a request.
extension StoreTransaction {
  func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, epoch: SessionEpoch, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    let (from, change): (Account.State, AccountUpdate) =
      isEnabled ? (.disabled, .state(.active)) : (.active, .disabled(epoch))
    guard let changed = try update(id, change, ifIs: ExpectedAccount(from), at: stamp.time) else {
      return try account(id)?.account
    }
    try write(.note(isEnabled ? .enabled : .disabled, changed, stamp))
    return changed
  }

  func noteGuessed(_ id: AccountID, _ stamp: Stamp) throws(StoreFailure) -> Bool {
    // locks the account, so that only one of several regd processes writes the entry
    guard let account = try lockedAccount(id)?.account,
      try !hasEntry(.guessed, of: id, since: stamp.time.advanced(by: .seconds(-86_400)))
    else { return false }
    try write(.note(.guessed, account, stamp))
    return true
  }

  func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) throws(StoreFailure) -> DeleteAnswer {
    guard let found = try lockedAccount(id) else { return .gone }
    guard try !isClaimedElsewhere(id) else { return .claimed }
    guard hash == nil || hash == found.passwordHash else { return .changed }
    try forget(found.account, .deleted, stamp)
    return .deleted
  }

  /// Removes an account and everything about its owner except the audit entries.
  private func forget(_ account: Account, _ change: AuditEntry.Change, _ stamp: Stamp) throws(StoreFailure) {
    try remove(account.id)
    try forgetReleased(account.email.key)
    try write(.note(change, account, stamp))
    try write(.endAddresses(of: account.id, at: stamp.time))
    try write(.forgetInvitation(of: account.id))
    try write(.forgetClaims(of: account))
    try write(.forgetMails(of: account))
  }

  // MARK: Approval

  func approve(
    _ id: AccountID, to state: Account.State, _ notice: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    // read before the update, which may erase it
    let registrant = notice == nil ? nil : try lockedAccount(id)?.registrant
    guard let approved = try update(id, .state(state), ifIs: ExpectedAccount(.waiting), at: stamp.time) else {
      return nil
    }
    if state == .pending { try claimDelivery(of: id) }
    try write(.note(.approved, approved, stamp))
    if let notice { try write(.addMail(notice.written(for: registrant))) }
    return approved
  }

  func disapprove(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) throws(StoreFailure) -> Bool {
    guard let found = try lockedAccount(id)?.account, found.state == .pending, found.updatedAt == seen,
      let changed = try update(id, .state(.waiting), ifIs: ExpectedAccount(.pending), at: stamp.time)
    else { return false }
    try forgetDelivery(of: id)
    try write(.note(.waiting, changed, stamp))
    return true
  }

  func refuse(_ id: AccountID, _ notice: MailIntent?, _ stamp: Stamp) throws(StoreFailure) -> Bool {
    guard let found = try lockedAccount(id), found.account.state == .waiting else { return false }
    try forget(found.account, .refused, stamp)
    if let notice { try write(.addMail(notice.written(for: found.registrant))) }
    return true
  }

  // MARK: Groups and names

  /// Notes the groups of a new account.
  func noteGroups(of account: Account, _ stamp: Stamp) throws(StoreFailure) {
    guard !account.groups.isEmpty else { return }
    let change = GroupChange(from: .none, to: account.groups)
    try write(.note(AuditEntry.Draft(.grouped, account, groups: change, stamp)))
  }

  func changeGroups(
    of id: AccountID, adding added: [GroupName], removing removed: [GroupName], _ stamp: Stamp
  ) throws(StoreFailure) -> GroupingAnswer {
    guard let found = try lockedAccount(id)?.account else { return .gone }
    guard let groups = found.groups.removing(removed).adding(added) else { return .tooMany }
    guard groups != found.groups else { return .account(found) }
    let time = found.timeOfLabel(stamp.time)
    guard let changed = try update(id, .groups(groups), ifIs: ExpectedAccount(), at: time) else { return .gone }
    let change = GroupChange(from: found.groups, to: groups)
    try write(.note(AuditEntry.Draft(.grouped, changed, groups: change, stamp)))
    return .account(changed)
  }

  func setDisplayName(
    of id: AccountID, to name: DisplayName?, having hash: PasswordHash?, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    let expected = ExpectedAccount(hash == nil ? nil : .active, having: hash)
    guard let found = try lockedAccount(id) else { return nil }
    guard hash == nil || found.account.state == .active && found.passwordHash == hash else { return nil }
    guard found.account.displayName != name else { return found.account }
    let time = found.account.timeOfLabel(stamp.time)
    guard let changed = try update(id, .displayName(name), ifIs: expected, at: time) else { return nil }
    try write(.note(.renamed, changed, stamp))
    return changed
  }

  // MARK: Importing

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) throws(StoreFailure) -> [ImportAnswer] {
    let answers = try add(accounts)
    let imported = zip(accounts, answers).filter { $0.1 == .imported }.map(\.0.account)
    for account in imported {
      try write(.note(.imported, account, stamp))
      try noteGroups(of: account, stamp)
    }
    let complete = imported.filter { $0.state != .pending }
    if !complete.isEmpty { try write(.endClaims(of: complete)) }
    return answers
  }
}

extension Account {
  /// The `updatedAt` that a change of groups or of the display name may set. For a pending account it keeps its value, because
  /// it is the mark by which the registration in flight releases, renews or completes the account (`AccountStore`).
  fileprivate func timeOfLabel(_ now: Timestamp) -> Timestamp { state == .pending ? updatedAt : now }
}
