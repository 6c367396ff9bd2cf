package import Registration

// MARK: - Invitations

extension PostgreSQLTransaction {
  package func invitation(_ digest: InvitationDigest) throws(StoreFailure) -> Invitation? {
    try kept(InvitationRow.find(connection, InvitationRow.look(digest)))
  }

  package func invitation(_ id: InvitationID) throws(StoreFailure) -> Invitation? {
    try kept(InvitationRow.find(connection, InvitationRow.look(id)))
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) throws(StoreFailure) -> [CountedInvitation] {
    try kept(InvitationRow.list(connection, after: after, limit: limit, clocks(now)))
  }

  package func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(StoreFailure) -> CountedInvitation? {
    try kept(InvitationRow.count(connection, id, clocks(now)))
  }

  package func hasUse(_ invitation: Invitation, at now: Timestamp) throws(StoreFailure) -> Bool {
    try kept(UseRow.find(connection, invitation, clocks(now)) != nil)
  }

  package func hasUse(for claim: ClaimID) throws(StoreFailure) -> Bool {
    try kept(connection.answer(UseRow.look(of: claim)).first != nil)
  }

  package func oldestHolder(
    of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(StoreFailure) -> ClaimID? {
    try kept(connection.answer(UseRow.oldest(id, share, clocks(now))).first.flatMap { ClaimID($0.text(0)) })
  }

  /// Looks for a free use of the invitation. The transaction takes the use later, after the locks of addresses. If
  /// another change takes the use first, the whole transaction is repeated, and looks for a use again. Returns false
  /// only if all uses are taken.
  package func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    try keeping { () throws(ServerFailure) in
      // Prefers a use that no other change is taking. If other changes are taking all remaining uses, waits for one of them.
      let clocks = clocks(now)
      var free = try UseRow.find(connection, invitation, clocks, lock: sequencer.locks.uses(of: invitation.id))
      if free == nil { free = try UseRow.find(connection, invitation, clocks) }
      guard let free else { return false }
      requireOpen(invitation.id)
      if let claim = free.claim { changes.add(UseRow.ending(claim, clocks)) }
      changes.require(UseRow.taking(free, of: invitation.id, for: holder))
      if case .account(let id) = holder { changes.add(InvitationRow.using(by: id, at: now)) }
      return true
    }
  }

  package func moveUse(from old: ClaimID, to new: AddressClaim) throws(StoreFailure) -> Bool {
    try keeping { () throws(ServerFailure) in
      let held = try connection.answer(UseRow.invitation(heldBy: old)).first
      guard let id = held.flatMap({ InvitationID($0.text(0)) }) else { return false }
      requireOpen(id)
      changes.require(UseRow.keeping(old))
      changes.require(UseRow.moving(from: old, to: new))
      return true
    }
  }

  /// Keeps the invitation from being revoked until the transaction ends.
  func requireOpen(_ id: InvitationID) {
    changes.add(sequencer.locks.invitation(id, isAlone: false))
    changes.require(InvitationRow.isOpen(id))
  }

  package func giveBackUse(of id: AccountID) throws(StoreFailure) {
    changes.add(InvitationRow.givingBack(id))
    changes.add(UseRow.givingBack(id))
  }

  package func add(_ invitation: Invitation) throws(StoreFailure) {
    changes.add(InvitationRow.insertion(invitation))
  }

  package func revoke(_ id: InvitationID, at time: Timestamp) throws(StoreFailure) -> Bool {
    try keeping { () throws(ServerFailure) in
      let answers = try connection.run([
        sequencer.locks.invitation(id, isAlone: true), InvitationRow.revocation(id, time),
      ])
      return answers[1].changedRows == 1
    }
  }

  package func bound(admitting mail: MailIntent) throws(StoreFailure) -> MailBounds.Part? {
    try keeping { () throws(ServerFailure) in
      let counting = MailRow.admitting(mail, codeKey, clocks(mail.createdAt))
      let row = try connection.run([sequencer.locks.address(mail.to.key)] + counting).last?.first
      return row.flatMap { MailBounds.Part(rawValue: $0.integer(2)) }
    }
  }
}
