/// Invitations in memory, and the claims and accounts that have taken their uses.
struct InvitationTable {
  private struct Use {
    /// The claim that holds the use. If `account` has the use by now: the claim that made this account, if any.
    var claim: ClaimID?
    var account: AccountID?
  }

  private var rows: [InvitationID: Invitation] = [:]
  private var ofDigest: [InvitationDigest: InvitationID] = [:]
  private var uses: [InvitationID: [Use]] = [:]

  func find(_ id: InvitationID) -> Invitation? { rows[id] }

  func find(_ digest: InvitationDigest) -> Invitation? { ofDigest[digest].flatMap { rows[$0] } }

  var all: [Invitation] { rows.values.sorted { $0.id < $1.id } }

  mutating func add(_ invitation: Invitation) {
    rows[invitation.id] = invitation
    ofDigest[invitation.digest] = invitation.id
  }

  mutating func revoke(_ id: InvitationID, at time: Timestamp) -> Bool {
    guard let found = rows[id], found.revokedAt == nil else { return false }
    rows[id]?.revokedAt = time
    return true
  }

  /// - Parameter isAlive: Returns whether a claim still holds the use that it was given.
  func counted(_ invitation: Invitation, isAlive: (ClaimID) -> Bool) -> CountedInvitation {
    let own = uses[invitation.id, default: []]
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
    case .claim(let claim): uses[invitation.id, default: []].append(Use(claim: claim.id, account: nil))
    case .account(let account): uses[invitation.id, default: []].append(Use(claim: nil, account: account))
    }
    return true
  }

  func holders(of id: InvitationID) -> [ClaimID] {
    uses[id, default: []].compactMap { $0.account == nil ? $0.claim : nil }
  }

  /// - Returns: Whether the claim has a use, and if so, whether its account has it by now.
  func use(of claim: AddressClaim) -> (isThere: Bool, isUsed: Bool) {
    let use = claim.invitation.flatMap { uses[$0, default: []].first { $0.claim == claim.id } }
    return (use != nil, use?.account != nil)
  }

  mutating func move(from old: AddressClaim, to new: ClaimID) -> Bool {
    change(old.invitation, where: { $0.claim == old.id && $0.account == nil }, { $0.claim = new })
  }

  mutating func pass(from claim: AddressClaim, to account: AccountID) {
    change(claim.invitation, where: { $0.claim == claim.id }, { $0.account = account })
  }

  mutating func giveBack(_ account: AccountID) {
    for id in uses.keys { change(id, where: { $0.account == account }, { $0.account = nil }) }
  }

  /// - Returns: Whether the invitation has such a use.
  @discardableResult
  private mutating func change(
    _ id: InvitationID?, where isWanted: (Use) -> Bool, _ change: (inout Use) -> Void
  ) -> Bool {
    guard let id, let index = uses[id, default: []].firstIndex(where: isWanted) else { return false }
    change(&uses[id, default: []][index])
    return true
  }

  /// Erases the address and the note of the invitation of a single use by which an account was made, because that
  /// account is being deleted.
  mutating func forget(_ account: AccountID) {
    for (id, uses) in uses where rows[id]?.uses == 1 && uses.contains(where: { $0.account == account }) { erase(id) }
  }

  private mutating func erase(_ id: InvitationID) {
    rows[id]?.email = nil
    rows[id]?.note = nil
  }

  /// Removes the uses that neither an account nor a claim has any more, and erases the addresses and notes of
  /// invitations that ended.
  ///
  /// - Parameter usedAt: Returns when an account was made, or nil if the account's registration may still be released.
  mutating func sweep(
    _ isOver: (Timestamp) -> Bool, usedAt: (AccountID) -> Timestamp?, isAlive: (ClaimID) -> Bool
  ) {
    for id in uses.keys { uses[id]?.removeAll { $0.account == nil && !($0.claim.map(isAlive) ?? false) } }
    for invitation in rows.values where invitation.email != nil || invitation.note != nil {
      let users = uses[invitation.id, default: []].compactMap(\.account)
      let times = users.compactMap(usedAt)
      let usedUp = times.count == invitation.uses ? times.max() : nil
      let ends = [invitation.revokedAt, usedUp, invitation.expiresAt].compactMap(\.self)
      if let end = ends.min(), isOver(end) { erase(invitation.id) }
    }
  }
}
