/// Asking the upstream about pending accounts: the outbox.
extension Accounts {
  /// Claims a pending account for this regd and gives it a later `updatedAt` (its new mark), before this regd asks the
  /// upstream again. Because of the new mark, the call that reserved the account can no longer release it. A
  /// compare-and-set. The recorded outcome of the last delivery remains.
  ///
  /// A change. After `unknown`, the account's `updatedAt` shows whether the change was done. If it was, a repeat with
  /// the same `seen` answers `gone`.
  ///
  /// - Parameters:
  ///   - seen: The `updatedAt` that the caller read.
  ///   - stamp: Its time must be later than `seen`.
  /// - Returns: `claimed` if another regd has the claim, whatever the mark is. In that case, nothing was changed.
  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await write(.resume, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(id)?.account else { return .gone }
      guard try !rows.isClaimedElsewhere(id) else {
        return .claimed(wasPutOff: try rows.pendingAccount(id)?.delivery?.failure?.isWorthPuttingOff ?? false)
      }
      guard found.state == .pending, found.updatedAt == seen,
        let resumed = try rows.update(id, .mark, ifIs: ExpectedAccount(.pending), at: stamp.time)
      else { return .gone }
      try rows.claimDelivery(of: id)
      try rows.write(.note(.resumed, resumed, stamp))
      return .resumed
    }
  }

  /// Renews this regd's claim of a pending account for another lease, if the account still has the mark that this regd
  /// gave it. The account itself does not change: `updatedAt` keeps its value, and the audit gets no entry. A
  /// compare-and-set.
  ///
  /// An idempotent change: the caller may repeat it after any failure.
  ///
  /// - Parameters:
  ///   - seen: This regd's own mark.
  ///   - share: The user and origin in whose queue the operation waits.
  /// - Returns: Whether this regd has the claim. False if the account is gone, not pending, was changed since `seen`,
  ///   or is claimed by another regd.
  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await write(.renew, ChangeScope(id), for: share) { (rows) throws(StoreFailure) in
      guard try rows.lockedAccount(pending: id, seen: seen) != nil, try !rows.isClaimedElsewhere(id) else {
        return false
      }
      try rows.claimDelivery(of: id)
      return true
    }
  }

  /// Records the outcome of asking the upstream for a pending account, and ends this regd's claim of the account. The
  /// account itself does not change: `updatedAt` keeps its value, and the audit gets no entry. A compare-and-set.
  ///
  /// A change that ignores cancellation, because it records what has happened. Idempotent: the caller may repeat it
  /// after any failure.
  ///
  /// - Parameters:
  ///   - seen: The mark under which this regd asked.
  ///   - delivery: The outcome, which replaces the recorded one.
  /// - Returns: Whether the outcome was recorded. False if the account is gone, not pending, or was changed since
  ///   `seen`, for example because another regd has taken it over.
  package func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async throws(StoreFailure) -> Bool {
    try await write(.putOff, ChangeScope(id), for: .daemon) { (rows) throws(StoreFailure) in
      guard try rows.lockedAccount(pending: id, seen: seen) != nil else { return false }
      try rows.putOff(id, delivery)
      return true
    }
  }

  /// Pending accounts in the order of their ids, which is the order in which they were made, starting after `after`. A
  /// list. If only the recorded outcome of a delivery cannot be read, the store returns the account without the
  /// outcome.
  ///
  /// - Parameter limit: The most accounts to return, at least 1.
  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    try await scan(.pending) { (rows) throws(StoreFailure) in try rows.pendingAccounts(after: after, limit: limit) }
  }

  /// The account with this id, if it is pending. A look-up.
  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    try await read(.find, ChangeScope(id)) { (rows) throws(StoreFailure) in try rows.pendingAccount(id) }
  }
}
