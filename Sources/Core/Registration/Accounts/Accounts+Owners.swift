/// What owners change about their accounts.
extension Accounts {
  /// Sets the password of the active account of an open claim of kind `recovery`, and makes the claim `proven`.
  ///
  /// A change. After `unknown`, the claim's state shows whether it was done.
  ///
  /// - Parameters:
  ///   - account: The claim's account.
  ///   - epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if the claim is gone, not open or of another account, or if the account is
  ///   not active.
  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(claims: [id], mails: [notice?.id])
    scope.ids = [account]
    return try await write(.recover, scope, for: stamp.by.share, of: (id, hash, epoch, notice, stamp.time)) {
      (rows) throws(StoreFailure) in
      guard let claim = try rows.claim(id, at: stamp.time), claim.kind == .recovery, claim.state == .open,
        claim.account == account,
        let changed = try rows.update(account, .recovered(hash, epoch), ifIs: ExpectedAccount(.active), at: stamp.time)
      else { return nil }
      try rows.write(.prove(id, at: stamp.time))
      try rows.finish(changed, .passwordRecovered, notice, stamp)
      return changed
    }
  }

  /// Replaces the hash of an active account by the hash of another password, if it is still `old`. A compare-and-set.
  ///
  /// A change. A repeat after success returns nil.
  ///
  /// - Parameter epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if nothing was changed.
  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await write(.changePassword, scope, for: stamp.by.share, of: (id, old, new, epoch, notice, stamp.time)) {
      (rows) throws(StoreFailure) in
      let expected = ExpectedAccount(.active, having: old)
      guard let changed = try rows.update(id, .password(new, epoch), ifIs: expected, at: stamp.time) else { return nil }
      try rows.finish(changed, .passwordChanged, notice, stamp)
      return changed
    }
  }

  /// Gives an active account another address.
  ///
  /// A change. After `unknown`, a look-up by the account's id shows whether it was done.
  ///
  /// - Parameters:
  ///   - old: The account's address key, as the caller read it.
  ///   - hash: The hash of the password that the owner has given, or nil if that hash was checked when `claim` was
  ///     added.
  ///   - claim: The open claim of kind `changeOfEmail` that the operation proves, or nil if no proof is required. If
  ///     the claim is gone or not open, nothing is changed.
  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    var scope = ChangeScope(claims: [claim].compactMap(\.self), mails: [notice?.id]).widened([old, new.key])
    scope.ids = [id]
    return try await write(
      .changeEmail, scope, for: stamp.by.share, of: (id, old, hash, new, claim, notice, stamp.time)
    ) { (rows) throws(StoreFailure) in
      if let claim, let answer = try rows.obstacle(to: claim, of: id, stamp) { return answer }
      guard let found = try rows.lockedAccount(id), found.account.email.key == old, found.account.state == .active,
        hash == nil || hash == found.passwordHash
      else { return .gone }
      if let holder = try rows.account(new.key), holder.account.id != id { return .taken }
      let update = AccountUpdate.email(new, isProven: claim != nil)
      guard let changed = try rows.update(id, update, ifIs: ExpectedAccount(.active), at: stamp.time) else {
        return .gone
      }
      try rows.forgetReleased(old)
      if let claim { try rows.write(.prove(claim, at: stamp.time)) }
      try rows.write(.endAddresses(of: id, at: stamp.time))
      try rows.finish(changed, .emailChanged, notice, stamp)
      try rows.write(.endClaims(of: [changed]))
      return .changed(changed)
    }
  }

  /// Records the terms that the owner of an active account has accepted. Does nothing if the account's terms already
  /// have this version.
  ///
  /// An idempotent change.
  ///
  /// - Parameter hash: The hash of the password that the owner has given.
  /// - Returns: The account afterwards, or nil if it is gone, not active, or has another password.
  package func acceptTerms(
    of id: AccountID, _ terms: AcceptedTerms, having hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await write(.acceptTerms, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id), found.account.state == .active, found.passwordHash == hash else {
        return nil
      }
      guard found.account.terms?.version != terms.version else { return found.account }
      let changed = try rows.update(id, .terms(terms), ifIs: ExpectedAccount(.active, having: hash), at: stamp.time)
      guard let changed else { return nil }
      try rows.write(.note(AuditEntry.Draft(.termsAccepted, changed, terms: terms.version, stamp)))
      return changed
    }
  }
}

extension StoreTransaction {
  /// Why a claim does not prove a change of the account's address, or nil if it does.
  fileprivate func obstacle(
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
  func finish(
    _ account: Account, _ change: AuditEntry.Change, _ notice: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) {
    try write(.endRest(of: account.id))
    if let notice { try write(.addMail(notice)) }
    try write(.note(change, account, stamp))
  }
}
