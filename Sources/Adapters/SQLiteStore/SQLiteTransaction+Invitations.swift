package import Registration

// MARK: - Invitations

extension SQLiteTransaction {
  package func invitation(_ digest: InvitationDigest) throws(SQLiteFailure) -> Invitation? {
    try InvitationRow.find(connection, by: .digest, digest.text)
  }

  package func invitation(_ id: InvitationID) throws(SQLiteFailure) -> Invitation? {
    try InvitationRow.find(connection, by: .id, id.description)
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) throws(SQLiteFailure) -> [CountedInvitation] {
    try InvitationRow.list(connection, after: after, limit: limit, at: now)
  }

  package func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(SQLiteFailure) -> CountedInvitation? {
    try InvitationRow.counted(connection, id, at: now)
  }

  package func hasUse(_ invitation: Invitation, at now: Timestamp) throws(SQLiteFailure) -> Bool {
    try InvitationUseRow.free(connection, of: invitation, at: now) != nil
  }

  package func hasUse(for claim: ClaimID) throws(SQLiteFailure) -> Bool {
    try InvitationUseRow.isThere(connection, for: claim)
  }

  package func oldestHolder(
    of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) -> ClaimID? {
    try InvitationUseRow.oldestHolder(connection, of: id, share, at: now)
  }

  package mutating func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(SQLiteFailure) -> Bool {
    guard let slot = try InvitationUseRow.free(connection, of: invitation, at: now) else { return false }
    try InvitationUseRow.take(connection, slot, of: invitation.id, for: holder)
    if case .account(let id) = holder { try InvitationRow.setUsed(connection, by: id, at: now) }
    return true
  }

  package mutating func moveUse(from old: ClaimID, to new: AddressClaim) throws(SQLiteFailure) -> Bool {
    try InvitationUseRow.move(connection, from: old, to: new)
  }

  package mutating func giveBackUse(of id: AccountID) throws(SQLiteFailure) {
    try InvitationRow.setUsed(connection, by: id, at: nil)
    try InvitationUseRow.giveBack(connection, of: id)
  }

  package mutating func add(_ invitation: Invitation) throws(SQLiteFailure) {
    try InvitationRow.insert(connection, invitation)
  }

  package mutating func revoke(_ id: InvitationID, at time: Timestamp) throws(SQLiteFailure) -> Bool {
    try InvitationRow.revoke(connection, id, at: time)
  }

  package mutating func bound(admitting mail: MailIntent) throws(SQLiteFailure) -> MailBounds.Part? {
    try MailRow.bound(connection, admitting: mail, codeKey)
  }
}
