/// Invitations in memory, and the claims and accounts that have taken their uses.
struct InvitationTable {
  private struct Use {
    let invitation: InvitationID
    /// The claim that holds the use. If `account` has the use by now: the claim that made this account, if any.
    var claim: ClaimID?
    var account: AccountID?
  }

  private var rows: [InvitationID: Invitation] = [:]
  private var uses: [Use] = []

  func find(_ id: InvitationID) -> Invitation? { rows[id] }

  func find(_ digest: InvitationDigest) -> Invitation? { rows.values.first { $0.digest == digest } }

  var all: [Invitation] { rows.values.sorted { $0.id < $1.id } }

  mutating func add(_ invitation: Invitation) { rows[invitation.id] = invitation }

  mutating func revoke(_ id: InvitationID, at time: Timestamp) -> Bool {
    guard let found = rows[id], found.revokedAt == nil else { return false }
    rows[id]?.revokedAt = time
    return true
  }

  /// - Parameter isAlive: Returns whether a claim still holds the use that it was given.
  func counted(_ invitation: Invitation, isAlive: (ClaimID) -> Bool) -> CountedInvitation {
    let own = uses.filter { $0.invitation == invitation.id }
    return CountedInvitation(
      invitation, used: own.count { $0.account != nil },
      held: own.count { $0.account == nil && $0.claim.map(isAlive) ?? false })
  }

  mutating func take(
    _ invitation: Invitation, for holder: InvitationHolder, isAlive: (ClaimID) -> Bool
  ) -> Bool {
    let counted = counted(invitation, isAlive: isAlive)
    guard counted.used + counted.held < invitation.uses else { return false }
    switch holder {
    case .claim(let claim): uses.append(Use(invitation: invitation.id, claim: claim, account: nil))
    case .account(let account): uses.append(Use(invitation: invitation.id, claim: nil, account: account))
    }
    return true
  }

  func holders(of id: InvitationID) -> [ClaimID] {
    uses.compactMap { $0.invitation == id && $0.account == nil ? $0.claim : nil }
  }

  mutating func move(from old: ClaimID, to new: ClaimID) -> Bool {
    guard let index = uses.firstIndex(where: { $0.claim == old && $0.account == nil }) else { return false }
    uses[index].claim = new
    return true
  }

  mutating func pass(from claim: ClaimID, to account: AccountID) {
    if let index = uses.firstIndex(where: { $0.claim == claim }) { uses[index].account = account }
  }

  /// - Returns: The claim that would have the use again, if the invitation has been revoked.
  mutating func giveBack(_ account: AccountID) -> ClaimID? {
    guard let index = uses.firstIndex(where: { $0.account == account }) else { return nil }
    uses[index].account = nil
    return rows[uses[index].invitation]?.revokedAt == nil ? nil : uses[index].claim
  }

  /// Erases the address and the note of the invitation that made an account, because that account is being deleted. The
  /// note of an invitation with several uses stays until it is used up, revoked or expired, because it is about others, too.
  mutating func forgetAddress(of account: AccountID) {
    for use in uses where use.account == account && rows[use.invitation]?.uses == 1 { erase(use.invitation) }
  }

  private mutating func erase(_ id: InvitationID) {
    rows[id]?.email = nil
    rows[id]?.note = nil
  }

  /// Removes the uses that neither an account nor a claim has any more, and erases the addresses and notes of invitations
  /// that ended before `addressesBefore`.
  ///
  /// - Parameter usedAt: Returns when an account was made; nil if the account's registration may still be released.
  mutating func sweep(addressesBefore: Timestamp, usedAt: (AccountID) -> Timestamp?, isAlive: (ClaimID) -> Bool) {
    uses.removeAll { $0.account == nil && !($0.claim.map(isAlive) ?? false) }
    for invitation in rows.values where invitation.email != nil || invitation.note != nil {
      let users = uses.filter { $0.invitation == invitation.id }.compactMap(\.account)
      let times = users.compactMap(usedAt)
      let usedUp = times.count == invitation.uses ? times.max() : nil
      let ends = [invitation.revokedAt, usedUp, invitation.expiresAt].compactMap(\.self)
      if let end = ends.min(), end < addressesBefore { erase(invitation.id) }
    }
  }
}
