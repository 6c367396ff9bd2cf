extension Registrar {
  /// Renews this regd's claim of a pending account, for an attempt in flight. The account must have this regd's mark
  /// (`updatedAt`).
  ///
  /// - Returns: Whether this regd has the claim. False if another regd has taken the account over, or the account is gone.
  func renewClaim(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    // Waits until the previous attempt's note is written, because that note would end the renewed claim. No note begins
    // while an attempt is in flight.
    if case .ours = await notes.join(id) { notes.giveUp(id) }
    let isRenewed = try await store.renew(id, seen: seen, for: share)
    if !isRenewed { reservations.lostMark(id) }
    return isRenewed
  }
}
