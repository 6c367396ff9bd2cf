package import Registration

// MARK: - Invitations

extension SQLiteTransaction {
  package func invitation(_ digest: InvitationDigest) throws(StoreFailure) -> Invitation? {
    try kept(InvitationRow.find(connection, by: .digest, digest.text))
  }

  package func invitation(_ id: InvitationID) throws(StoreFailure) -> Invitation? {
    try kept(InvitationRow.find(connection, by: .id, id.description))
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) throws(StoreFailure) -> [CountedInvitation] {
    try kept(InvitationRow.list(connection, after: after, limit: limit, at: now))
  }

  package func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(StoreFailure) -> CountedInvitation? {
    try kept(InvitationRow.counted(connection, id, at: now))
  }

  package func hasUse(_ invitation: Invitation, at now: Timestamp) throws(StoreFailure) -> Bool {
    try kept(InvitationUseRow.free(connection, of: invitation, at: now) != nil)
  }

  package func hasUse(for claim: ClaimID) throws(StoreFailure) -> Bool {
    try kept(InvitationUseRow.isThere(connection, for: claim))
  }

  package func oldestHolder(
    of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(StoreFailure) -> ClaimID? {
    try kept(InvitationUseRow.oldestHolder(connection, of: id, share, at: now))
  }

  package func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    try keeping { () throws(SQLiteFailure) in
      guard let slot = try InvitationUseRow.free(connection, of: invitation, at: now) else { return false }
      try InvitationUseRow.take(connection, slot, of: invitation.id, for: holder)
      if case .account(let id) = holder { try InvitationRow.setUsed(connection, by: id, at: now) }
      return true
    }
  }

  package func moveUse(from old: ClaimID, to new: AddressClaim) throws(StoreFailure) -> Bool {
    try kept(InvitationUseRow.move(connection, from: old, to: new))
  }

  package func giveBackUse(of id: AccountID) throws(StoreFailure) {
    try keeping { () throws(SQLiteFailure) in
      try InvitationRow.setUsed(connection, by: id, at: nil)
      try InvitationUseRow.giveBack(connection, of: id)
    }
  }

  package func add(_ invitation: Invitation) throws(StoreFailure) {
    try kept(InvitationRow.insert(connection, invitation))
  }

  package func revoke(_ id: InvitationID, at time: Timestamp) throws(StoreFailure) -> Bool {
    try kept(InvitationRow.revoke(connection, id, at: time))
  }

  package func bound(admitting mail: MailIntent) throws(StoreFailure) -> MailBounds.Part? {
    try kept(MailRow.bound(connection, admitting: mail, codeKey))
  }
}
