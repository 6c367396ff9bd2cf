/// The changes that follow from proven claims, and those that owners make.
extension StoreTransaction {
  func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) -> ProofAnswer {
    guard let claim = try claim(id, at: stamp.time), claim.kind == .registration else { return .gone }
    if let holder = try holder(of: account.account) {
      // an earlier try, whose answer was lost, has made the account
      if holder.account.id == account.account.id, holder.account.state != .pending,
        try hasOpenClaims(at: holder.account.email.key)
      {
        try write(.endClaims(of: [holder.account]))
      }
      return .taken(holder)
    }
    guard claim.state == .open else { return .gone }
    // a claim whose mail only a known share's own bound admitted has taken no use
    if claim.invitation != nil, try !hasUse(for: id) { return .gone }
    switch try insert(account, request: claim.request, proving: claim, Admission(notice: notice), stamp) {
    case .inserted: return .added
    case .tooManyWaiting: return .tooManyWaiting
    case .invitationRejected, .releasedMeanwhile: return .gone
    case .taken(let holder): return .taken(holder)
    case .requestKnown(let known): return try self.account(known.account.id).map { .taken($0) } ?? .gone
    }
  }

  func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    guard let claim = try claim(id, at: stamp.time), claim.kind == .recovery, claim.state == .open,
      claim.account == account,
      let changed = try update(account, .recovered(hash, epoch), ifIs: ExpectedAccount(.active), at: stamp.time)
    else { return nil }
    try write(.prove(id, at: stamp.time))
    try finish(changed, .passwordRecovered, notice, stamp)
    return changed
  }

  func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    let expected = ExpectedAccount(.active, having: old)
    guard let changed = try update(id, .password(new, epoch), ifIs: expected, at: stamp.time) else { return nil }
    try finish(changed, .passwordChanged, notice, stamp)
    return changed
  }

  func setPassword(
    of id: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    let changed = try update(id, .password(hash, epoch), ifIs: ExpectedAccount(), at: stamp.time)
    guard let changed else { return nil }
    try finish(changed, .passwordSet, nil, stamp)
    return changed
  }

  func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    let expected = ExpectedAccount(hash == nil ? nil : .active, having: hash)
    guard let changed = try update(id, .epoch(epoch), ifIs: expected, at: stamp.time) else { return nil }
    try write(.note(.signedOut, changed, stamp))
    return changed
  }

  func acceptTerms(
    of id: AccountID, _ terms: AcceptedTerms, having hash: PasswordHash, _ stamp: Stamp
  ) throws(StoreFailure) -> Account? {
    guard let found = try lockedAccount(id), found.account.state == .active, found.passwordHash == hash else {
      return nil
    }
    guard found.account.terms?.version != terms.version else { return found.account }
    let changed = try update(id, .terms(terms), ifIs: ExpectedAccount(.active, having: hash), at: stamp.time)
    guard let changed else { return nil }
    try write(.note(AuditEntry.Draft(.termsAccepted, changed, terms: terms.version, stamp)))
    return changed
  }

  func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) -> EmailChangeAnswer {
    if let claim, let answer = try obstacle(to: claim, of: id, stamp) { return answer }
    guard let found = try lockedAccount(id), found.account.email.key == old, found.account.state == .active,
      hash == nil || hash == found.passwordHash
    else { return .gone }
    if let holder = try account(new.key), holder.account.id != id { return .taken }
    let update = AccountUpdate.email(new, isProven: claim != nil)
    guard let changed = try self.update(id, update, ifIs: ExpectedAccount(.active), at: stamp.time) else {
      return .gone
    }
    try forgetReleased(old)
    if let claim { try write(.prove(claim, at: stamp.time)) }
    try write(.endAddresses(of: id, at: stamp.time))
    try finish(changed, .emailChanged, notice, stamp)
    try write(.endClaims(of: [changed]))
    return .changed(changed)
  }

  /// Why a claim does not prove a change of the account's address, or nil if it does.
  private func obstacle(
    to id: ClaimID, of account: AccountID, _ stamp: Stamp
  ) throws(StoreFailure) -> EmailChangeAnswer? {
    guard let found = try claim(id, at: stamp.time), found.kind == .changeOfEmail, found.account == account else {
      return .gone
    }
    switch found.state {
    case .open: return nil
    case .taken: return .taken
    case .proven, .decoy: return .gone
    }
  }

  /// Ends the account's unproven recoveries and changes of address, and adds the notice and the audit entry of the change.
  private func finish(
    _ account: Account, _ change: AuditEntry.Change, _ notice: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) {
    try write(.endRest(of: account.id))
    if let notice { try write(.addMail(notice)) }
    try write(.note(change, account, stamp))
  }
}
