extension Registrar {
  /// Renews this regd's claim of a pending account that has this regd's mark, for an attempt in flight.
  ///
  /// - Returns: Whether this regd has the claim; false if another regd has taken the account over, or the account is gone.
  func renewClaim(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    // waits for a note of the previous attempt, which would end the renewed claim; no note begins while an attempt is
    // in flight
    if await notes.join(id) == .ours { notes.giveUp(id) }
    let isRenewed = try await store.renew(id, seen: seen, for: share)
    if !isRenewed { reservations.lostMark(id) }
    return isRenewed
  }
}
