/// What administrators do with accounts.
extension Accounts {
  /// Sets the hash of another password, which counts as confirmed at the stamp's time. The requests that made the account keep
  /// their hashes.
  ///
  /// A change. A repeat after `unknown` sets the same hash again, and writes another audit entry.
  ///
  /// - Parameter epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if there is no such account.
  package func setPassword(
    of id: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await write(.setPassword, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let changed = try rows.update(id, .password(hash, epoch), ifIs: ExpectedAccount(), at: stamp.time)
      guard let changed else { return nil }
      try rows.finish(changed, .passwordSet, nil, stamp)
      return changed
    }
  }

  /// Disables an active account, or makes a disabled one active. A pending or waiting account remains unchanged.
  ///
  /// An idempotent change: an account that already has the state remains unchanged, so the caller may repeat the change
  /// after any failure.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the account becomes active.
  ///   - epoch: The new epoch of an account that is disabled, which ends all its sign-ins. Unused when an account is
  ///     enabled.
  /// - Returns: The account afterwards, or nil if there is no such account.
  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await write(.setEnabled, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let (from, change): (Account.State, AccountUpdate) =
        isEnabled ? (.disabled, .state(.active)) : (.active, .disabled(epoch))
      guard let changed = try rows.update(id, change, ifIs: ExpectedAccount(from), at: stamp.time) else {
        return try rows.account(id)?.account
      }
      try rows.write(.note(isEnabled ? .enabled : .disabled, changed, stamp))
      return changed
    }
  }

  /// Removes an account in any state, with its requests, claims and mails, and the releases of its address. The address
  /// is free again. A pending account that another regd claims is not removed.
  ///
  /// A change. A repeat after success returns `gone`.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. An account with
  ///   another hash is not removed.
  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await write(.delete, ChangeScope(id), for: stamp.by.share, of: (id, hash)) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id) else { return .gone }
      guard try !rows.isClaimedElsewhere(id) else { return .claimed }
      guard hash == nil || hash == found.passwordHash else { return .changed }
      try rows.forget(found.account, .deleted, stamp)
      return .deleted
    }
  }

  /// Removes an account, whatever its password is.
  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer {
    try await delete(id, having: nil, stamp)
  }

  /// Accounts in this state (nil for any state), in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most accounts to return, at least 1.
  package func list(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await scan(.list) { (rows) throws(StoreFailure) in try rows.accounts(state, after: after, limit: limit) }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await list(nil, after: after, limit: limit)
  }

  /// Members of a group in every state, as `list` returns accounts. A list.
  package func members(
    of group: GroupName, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await scan(.list) { (rows) throws(StoreFailure) in
      try rows.members(of: group, after: after, limit: limit)
    }
  }

  /// Adds an account in any state to groups, and removes it from others. A name among both is added. The `updatedAt` of a
  /// pending account remains unchanged, because it is the account's mark.
  ///
  /// An idempotent change: a repeat changes nothing and writes no audit entry.
  ///
  /// - Returns: The account afterwards, or why nothing was changed.
  package func changeGroups(
    of id: AccountID, adding added: [GroupName], removing removed: [GroupName], _ stamp: Stamp
  ) async throws(StoreFailure) -> GroupingAnswer {
    try await write(.changeGroups, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id)?.account else { return .gone }
      guard let groups = found.groups.removing(removed).adding(added) else { return .tooMany }
      guard groups != found.groups else { return .account(found) }
      let time = found.timeOfLabel(stamp.time)
      guard let changed = try rows.update(id, .groups(groups), ifIs: ExpectedAccount(), at: time) else { return .gone }
      let change = GroupChange(from: found.groups, to: groups)
      try rows.write(.note(AuditEntry.Draft(.grouped, changed, groups: change, stamp)))
      return .account(changed)
    }
  }

  /// Groups that have members, in the order of their names, starting after `after`. A list. All counts are from one moment.
  ///
  /// - Parameters:
  ///   - limit: The most groups to return, at least 1.
  ///   - most: The page ends after the group with which it has counted this many members, at least 1.
  package func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) async throws(StoreFailure) -> Page<GroupName, CountedGroup> {
    try await scan(.groups) { (rows) throws(StoreFailure) in
      try rows.groups(after: after, limit: limit, counting: most)
    }
  }

  /// Gives an account a display name, or none. The `updatedAt` of a pending account remains unchanged, because it is the
  /// account's mark.
  ///
  /// An idempotent change: a repeat changes nothing and writes no audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. If it is given, an
  ///   account that has another hash or is not active remains unchanged.
  /// - Returns: The account afterwards, or nil if nothing was changed, because there is no such account, or because of `hash`.
  package func setDisplayName(
    of id: AccountID, to name: DisplayName?, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await write(.setDisplayName, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let expected = ExpectedAccount(hash == nil ? nil : .active, having: hash)
      guard let found = try rows.lockedAccount(id) else { return nil }
      guard hash == nil || found.account.state == .active && found.passwordHash == hash else { return nil }
      guard found.account.displayName != name else { return found.account }
      let time = found.account.timeOfLabel(stamp.time)
      guard let changed = try rows.update(id, .displayName(name), ifIs: expected, at: time) else { return nil }
      try rows.write(.note(.renamed, changed, stamp))
      return changed
    }
  }

  /// Adds accounts from elsewhere. An account that cannot be added does not prevent the others. No regd gets the claim
  /// of a pending account.
  ///
  /// A change: after a failure other than `unknown`, none was added. Idempotent: an account that already exists answers
  /// `present`, so the caller may pass all of them again after any failure.
  ///
  /// - Returns: The outcome for each account, in the same order.
  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await write(.importing, ChangeScope(accounts), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let answers = try rows.add(accounts)
      let imported = zip(accounts, answers).filter { $0.1 == .imported }.map(\.0.account)
      for account in imported {
        try rows.write(.note(.imported, account, stamp))
        try rows.noteGroups(of: account, stamp)
      }
      let complete = imported.filter { $0.state != .pending }
      if !complete.isEmpty { try rows.write(.endClaims(of: complete)) }
      return answers
    }
  }

  // MARK: Accounts that wait for an administrator

  /// Approves a waiting account: makes it active or, if the upstream has to be asked, pending and claimed by this regd.
  ///
  /// A change. A repeat returns nil.
  ///
  /// - Parameter notice: A mail that the store adds in the same transaction, in the language of the account's `Registrant`
  ///   if that is known.
  /// - Returns: The account afterwards, or nil if there is no such account, or it does not wait.
  package func approve(
    _ id: AccountID, to state: Account.State, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await write(.approve, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      // read before the update, which may erase it
      let registrant = notice == nil ? nil : try rows.lockedAccount(id)?.registrant
      guard let approved = try rows.update(id, .state(state), ifIs: ExpectedAccount(.waiting), at: stamp.time) else {
        return nil
      }
      if state == .pending { try rows.claimDelivery(of: id) }
      try rows.write(.note(.approved, approved, stamp))
      if let notice { try rows.write(.addMail(notice.written(for: registrant))) }
      return approved
    }
  }

  /// Makes a pending account wait for approval again, because the upstream certainly does not have the account.
  ///
  /// A change.
  ///
  /// - Parameter seen: The account's mark (`updatedAt`), as the caller read it.
  /// - Returns: Whether the account was pending with this mark. If not, it is not changed.
  package func disapprove(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await write(.disapprove, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id)?.account, found.state == .pending, found.updatedAt == seen,
        let changed = try rows.update(id, .state(.waiting), ifIs: ExpectedAccount(.pending), at: stamp.time)
      else { return false }
      try rows.forgetDelivery(of: id)
      try rows.write(.note(.waiting, changed, stamp))
      return true
    }
  }

  /// Removes a waiting account, as `delete` does.
  ///
  /// A change.
  ///
  /// - Parameter notice: As for `approve`.
  /// - Returns: Whether the account existed and was waiting.
  package func refuse(_ id: AccountID, _ notice: MailIntent?, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await write(.refuse, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id), found.account.state == .waiting else { return false }
      try rows.forget(found.account, .refused, stamp)
      if let notice { try rows.write(.addMail(notice.written(for: found.registrant))) }
      return true
    }
  }
}

extension StoreTransaction {
  /// Removes an account and everything about its owner except the audit entries.
  fileprivate func forget(_ account: Account, _ change: AuditEntry.Change, _ stamp: Stamp) throws(StoreFailure) {
    try remove(account.id)
    try forgetReleased(account.email.key)
    try write(.note(change, account, stamp))
    try write(.endAddresses(of: account.id, at: stamp.time))
    try write(.forgetInvitation(of: account.id))
    try write(.forgetClaims(of: account))
    try write(.forgetMails(of: account))
  }
}

extension Account {
  /// The `updatedAt` that a change of groups or of the display name may set. For a pending account it keeps its value, because
  /// it is the mark by which the registration in flight releases, renews or completes the account (`Accounts`).
  fileprivate func timeOfLabel(_ now: Timestamp) -> Timestamp { state == .pending ? updatedAt : now }
}
