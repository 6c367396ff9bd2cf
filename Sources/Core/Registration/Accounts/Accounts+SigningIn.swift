/// What sign-ins change.
///
/// The stamp of a sign-in, with which a caller can check later that the sign-in is still valid, depends on the account's
/// epoch (`SessionStamps`). An account keeps its epoch until an operation changes it: `signOut`, disabling
/// (`setEnabled`), or another password (`setPassword`, `changePassword`, `recover`, and `replaceHash` with an epoch). Such
/// an operation changes the epoch in its own transaction, and returns the account with the new epoch. Nothing else
/// changes an epoch.
extension Accounts {
  /// Replaces the password hash if it is still `old`. A compare-and-set. The new hash is of the same password, or
  /// perhaps of another password if the upstream is the authority for sign-ins. It counts as confirmed at the stamp's time.
  ///
  /// A change that ignores cancellation, because the hash records the authority's answer. A repeat after success returns false.
  ///
  /// - Parameter epoch: The account's new epoch, if the upstream has confirmed another password. Nil keeps the epoch.
  /// - Returns: Whether the hash was replaced.
  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await write(.replaceHash, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let replaced = try rows.update(id, .password(new, epoch), ifIs: ExpectedAccount(having: old), at: stamp.time)
      guard let replaced else { return false }
      try rows.write(.note(.rehashed, replaced, stamp))
      return true
    }
  }

  /// Records when the upstream, as the authority for passwords, last accepted the password of the stored hash, or that
  /// it has refused the account since. The account itself does not change: `updatedAt` keeps its value, and the audit
  /// gets no entry.
  ///
  /// An idempotent change that ignores cancellation: the caller may repeat it after any failure.
  ///
  /// - Parameter time: When the upstream accepted the password. Ignored if a later time is stored. Nil if the upstream
  ///   has refused the account.
  /// - Returns: Whether the account exists.
  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await write(.confirm, ChangeScope(id), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.confirm(id, at: time)
    }
  }

  /// Writes an audit entry that many passwords were guessed at the account, unless the account has such an entry from
  /// the 24 hours before the stamp's time. The account itself does not change.
  ///
  /// An idempotent change: the caller may repeat it after any failure.
  ///
  /// - Returns: Whether an entry was written. False if a recent one exists or there is no such account.
  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await write(.noteGuessed, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      // locks the account, so that only one of several regd processes writes the entry
      guard let account = try rows.lockedAccount(id)?.account,
        try !rows.hasEntry(.guessed, of: id, since: stamp.time.advanced(by: .seconds(-86_400)))
      else { return false }
      try rows.write(.note(.guessed, account, stamp))
      return true
    }
  }

  /// Gives an account in any state another epoch, and changes nothing else.
  ///
  /// A change. A repeat after `unknown` sets the same epoch again, and writes another audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. If it is given,
  ///   an account that has another hash or is not active is not changed.
  /// - Returns: The account afterwards, or nil if nothing was changed.
  package func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await write(.signOut, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      let expected = ExpectedAccount(hash == nil ? nil : .active, having: hash)
      guard let changed = try rows.update(id, .epoch(epoch), ifIs: expected, at: stamp.time) else { return nil }
      try rows.write(.note(.signedOut, changed, stamp))
      return changed
    }
  }
}
