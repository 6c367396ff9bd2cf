extension Registrar {
  /// Claims a pending account for this regd that bears its mark, for an attempt that is under way.
  ///
  /// - Returns: False where another regd has taken it over, or it is gone.
  func renewClaim(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    // a note of the attempt before would end this claim, too; from here on none is begun, for the attempt is under way
    if await notes.join(id) == .ours { notes.giveUp(id) }
    let isRenewed = try await store.renew(id, seen: seen, for: share)
    if !isRenewed { reservations.lostMark(id) }
    return isRenewed
  }
}
