package import Registration

// MARK: - Invitations

extension PostgreSQLTransaction {
  package func invitation(_ digest: InvitationDigest) throws(ServerFailure) -> Invitation? {
    try InvitationRow.find(connection, InvitationRow.look(digest))
  }

  package func invitation(_ id: InvitationID) throws(ServerFailure) -> Invitation? {
    try InvitationRow.find(connection, InvitationRow.look(id))
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) throws(ServerFailure) -> [CountedInvitation] {
    try InvitationRow.list(connection, after: after, limit: limit, clocks(now))
  }

  package func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(ServerFailure) -> CountedInvitation? {
    try InvitationRow.count(connection, id, clocks(now))
  }

  package func hasUse(_ invitation: Invitation, at now: Timestamp) throws(ServerFailure) -> Bool {
    try UseRow.find(connection, invitation, clocks(now)) != nil
  }

  package func hasUse(for claim: ClaimID) throws(ServerFailure) -> Bool {
    try connection.answer(UseRow.look(of: claim)).first != nil
  }

  package func oldestHolder(
    of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(ServerFailure) -> ClaimID? {
    try connection.answer(UseRow.oldest(id, share, clocks(now))).first.flatMap { ClaimID($0.text(0)) }
  }

  /// Looks for a free use of the invitation. The transaction takes the use later, after the locks of addresses. If
  /// another change takes the use first, the whole transaction is repeated, and looks for a use again. Returns false
  /// only if all uses are taken.
  package mutating func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(ServerFailure) -> Bool {
    // Prefers a use that no other change is taking. If other changes are taking all remaining uses, waits for one of them.
    let clocks = clocks(now)
    var free = try UseRow.find(connection, invitation, clocks, lock: numbering.locks.uses(of: invitation.id))
    if free == nil { free = try UseRow.find(connection, invitation, clocks) }
    guard let free else { return false }
    requireOpen(invitation.id)
    if let claim = free.claim { changes.add(UseRow.ending(claim, clocks)) }
    changes.require(UseRow.taking(free, of: invitation.id, for: holder))
    if case .account(let id) = holder { changes.add(InvitationRow.using(by: id, at: now)) }
    return true
  }

  package mutating func moveUse(from old: ClaimID, to new: AddressClaim) throws(ServerFailure) -> Bool {
    let held = try connection.answer(UseRow.invitation(heldBy: old)).first
    guard let id = held.flatMap({ InvitationID($0.text(0)) }) else { return false }
    requireOpen(id)
    changes.require(UseRow.keeping(old))
    changes.require(UseRow.moving(from: old, to: new))
    return true
  }

  /// Keeps the invitation from being revoked until the transaction ends.
  mutating func requireOpen(_ id: InvitationID) {
    changes.add(numbering.locks.invitation(id, isAlone: false))
    changes.require(InvitationRow.isOpen(id))
  }

  package mutating func giveBackUse(of id: AccountID) throws(ServerFailure) {
    changes.add(InvitationRow.givingBack(id))
    changes.add(UseRow.givingBack(id))
  }

  package mutating func add(_ invitation: Invitation) throws(ServerFailure) {
    changes.add(InvitationRow.insertion(invitation))
  }

  package mutating func revoke(_ id: InvitationID, at time: Timestamp) throws(ServerFailure) -> Bool {
    let answers = try connection.run([
      numbering.locks.invitation(id, isAlone: true), InvitationRow.revocation(id, time),
    ])
    return answers[1].changedRows == 1
  }

  package mutating func bound(admitting mail: MailIntent) throws(ServerFailure) -> MailBounds.Part? {
    let counting = MailRow.admitting(mail, codeKey, clocks(mail.createdAt))
    let row = try connection.run([numbering.locks.address(mail.to.key)] + counting).last?.first
    return row.flatMap { MailBounds.Part(rawValue: $0.integer(2)) }
  }
}
