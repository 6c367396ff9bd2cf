// MARK: - Claims, mails, the audit

extension MemoryTransaction {
  package func claim(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { unlessRevoked(claimTable.find(id, at: now)) }

  package func claim(of request: RequestKey, at now: Timestamp) -> AddressClaim? {
    unlessRevoked(claimTable.find(request, at: now))
  }

  package func guessedClaim(
    _ id: ClaimID, _ guess: CodeGuess, at now: Timestamp
  ) -> (claim: AddressClaim, overAll: Int)? {
    claim(id, at: now).map { (claim: $0, overAll: wrongCodes(at: $0.email.key, limit: 1, now).overAll) }
  }

  private func unlessRevoked(_ claim: AddressClaim?) -> AddressClaim? { claim.flatMap { isRevoked($0) ? nil : $0 } }

  /// Whether the claim has ended, because its invitation was revoked before it made an account.
  private func isRevoked(_ claim: AddressClaim) -> Bool {
    guard let id = claim.invitation, invitation(id)?.revokedAt != nil, claim.mayHoldUse else { return false }
    return !invitationTable.use(of: claim).isUsed
  }

  package func claimOrAccount(of request: RequestKey, at now: Timestamp) -> ClaimAnswer? {
    if let known = claim(of: request, at: now) { return .requestKnown(known) }
    return self.request(request).map { .requestHasAccount($0) }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) -> [AddressClaim] {
    Array(
      claimTable.all(at: now).drop { claim in after.map { claim.id <= $0 } ?? false }.filter { !isRevoked($0) }
        .prefix(limit))
  }

  package func hasClaim(_ id: ClaimID) -> Bool { claimTable.has(id) }

  package func hasOpenClaims(at key: EmailKey) -> Bool { claimTable.hasOpen(at: key, isRevoked: isRevoked) }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) -> WrongCodes {
    wrongCodes.count(at: GuessedAddress(key, codeKey), limit: limit, now)
  }

  package func mail(_ id: MailID) -> StoredMail? { mailTable.find(id, claimant, now) }

  package func mails(after: MailID?, limit: Int) -> [StoredMail] {
    Array(mailTable.waiting(claimant, now).drop { mail in after.map { mail.intent.id <= $0 } ?? false }.prefix(limit))
  }

  // MARK: Invitations

  package func invitation(_ digest: InvitationDigest) -> Invitation? { invitationTable.find(digest) }

  package func invitation(_ id: InvitationID) -> Invitation? { invitationTable.find(id) }

  package func invitations(after: InvitationID?, limit: Int, at now: Timestamp) -> [CountedInvitation] {
    invitationTable.all.drop { invitation in after.map { invitation.id <= $0 } ?? false }.prefix(limit).map {
      counted($0, at: now)
    }
  }

  package func countedInvitation(_ id: InvitationID, at now: Timestamp) -> CountedInvitation? {
    invitation(id).map { counted($0, at: now) }
  }

  private func counted(_ invitation: Invitation, at now: Timestamp) -> CountedInvitation {
    invitationTable.counted(invitation) { holdsUse($0, at: now) }
  }

  /// Whether the claim keeps its use. Reads no invitations, because it is called while they are changed.
  private func holdsUse(_ id: ClaimID, at now: Timestamp) -> Bool { claimTable.find(id, at: now)?.mayHoldUse ?? false }

  package func hasUse(_ invitation: Invitation, at now: Timestamp) -> Bool {
    let counted = counted(invitation, at: now)
    return counted.used + counted.held < invitation.uses
  }

  package func hasUse(for claim: ClaimID) -> Bool {
    claimTable.find(claim).map { invitationTable.use(of: $0).isThere } ?? false
  }

  package func oldestHolder(of id: InvitationID, _ share: Share, at now: Timestamp) -> ClaimID? {
    let claims = invitationTable.holders(of: id).compactMap { claim($0, at: now) }
    return claims.filter { $0.mayHoldUse && $0.share == share }.min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }?
      .id
  }

  package func takeUse(of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp) -> Bool {
    // ends the expired claims that hold a use: a proof with an earlier time would still find such a claim open, and
    // make an account without a use
    for id in invitationTable.holders(of: invitation.id) where claimTable.find(id, at: now) == nil {
      claimTable.end(id)
    }
    return invitationTable.take(invitation, for: holder) { holdsUse($0, at: now) }
  }

  package func moveUse(from old: ClaimID, to new: AddressClaim) -> Bool {
    claimTable.find(old).map { invitationTable.move(from: $0, to: new.id) } ?? false
  }

  package func giveBackUse(of id: AccountID) { invitationTable.giveBack(id) }

  package func add(_ invitation: Invitation) { invitationTable.add(invitation) }

  package func revoke(_ id: InvitationID, at time: Timestamp) -> Bool { invitationTable.revoke(id, at: time) }

  package func hasEntry(_ change: AuditEntry.Change, of id: AccountID, since: Timestamp) -> Bool {
    entries.contains { $0.account == id && $0.change == change && $0.time > since }
  }

  package func audit(after: Int, limit: Int) -> [AuditEntry] { Array(entries.dropFirst(after).prefix(limit)) }

  package func audit(of id: AccountID, limit: Int) -> [AuditEntry] {
    entries.filter { $0.account == id }.suffix(limit)
  }

  package func history(of id: AccountID, after: Int, limit: Int) -> AccountHistory? {
    let entries = entries.filter { $0.account == id && $0.number > after }.prefix(limit)
    return account(id).map { AccountHistory(account: $0, entries: Array(entries)) }
  }

  package func auditSize() -> Int { hashes.count }

  /// Entries have the numbers from 1 on, without gaps.
  package func auditLeaf(of number: Int) -> Int? { hashes.indices.contains(number - 1) ? number - 1 : nil }

  package func auditHashes(of leaves: [Int]) -> AuditHashes {
    AuditHashes(Dictionary(leaves.filter(hashes.indices.contains).map { ($0, hashes[$0]) }) { first, _ in first })
  }

  package func auditHeadAt() -> Timestamp? { headAt }

  package func write(_ write: StoreWrite) {
    switch write {
    case .note(let draft): note(draft)
    case .endAddresses(let id, let time): endAddresses(of: id, at: time)
    case .noteAuditHead(let time): headAt = time
    case .endClaims(let accounts): for account in accounts { claimTable.end(for: account, isRevoked: isRevoked) }
    case .endRegistration(let id): claimTable.endRegistration(of: id)
    case .endRest(let id): claimTable.endRest(of: id)
    case .prove(let id, _): claimTable.proven(id)
    case .requireOpen: break
    case .addClaim(var claim, let mail, let time):
      claim.mailed = admit(mail)
      claimTable.add(claim, at: time)
    case .renewClaim(let claim, let seen, let mail, _):
      claimTable.renew(claim, mailed: claim.mailed(after: seen, mail, by: mail.flatMap { admit($0) }))
    case .removeClaim(let id): claimTable.end(id)
    case .countGuess(let claim): claimTable.guessed(claim)
    case .noteWrongCode(let key, let time): wrongCodes.note(at: GuessedAddress(key, codeKey), time)
    case .passUse(let claim, let account, _):
      if let claim = claimTable.find(claim) { invitationTable.pass(from: claim, to: account) }
    case .forgetInvitation(let account): invitationTable.forget(account)
    case .forgetClaims(let account): claimTable.forget(account)
    case .addMail(let mail): _ = admit(mail)
    case .leaseMail(let id): mailTable.lease(id, claimant, now)
    case .putOffMail(let mail): mailTable.putOff(mail)
    case .endMail(let id, let state, let reason): mailTable.end(id, state, reason: reason)
    case .forgetMails(let account): mailTable.forget(account)
    }
  }

  package func bound(admitting mail: MailIntent) -> MailBounds.Part? {
    var table = mailTable
    return table.add(mail, codeKey) { isKnown(mail) }
  }

  /// - Returns: As `MailTable.add`.
  private func admit(_ mail: MailIntent) -> MailBounds.Part? {
    mailTable.add(mail, codeKey) { isKnown(mail) }
  }

  /// Whether the mail's share (user and origin) is known at the address: the mail records it, or the share registered the
  /// account.
  private func isKnown(_ mail: MailIntent) -> Bool {
    let (id, entries) = (account(mail.to.key)?.account.id, entries)
    return { () -> Bool in
      // without that flag, the share is known if it registered the account
      guard !mail.isKnown else { return true }
      guard let id, let first = entries.first(where: { $0.account == id }) else { return false }
      // an entry without its address proves nothing, because its origin was erased as well
      return first.email != nil && AuditEntry.Change.registrations.contains(first.change)
        && first.by.share == mail.share
    }()
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) -> Bool {
    var counts: [Int] = []
    for record in SweptRecord.allCases {
      let end = record.end(at: now, addressesBefore: addressesBefore)
      let isOver = { (time: Timestamp) in record.isOver(time, by: end) }
      switch record {
      case .claim:
        let expired = claimTable.sweep(limit: limit, isOver)
        mailTable.forget(claims: expired)
        counts.append(expired.count)
      case .mail: counts.append(mailTable.sweep(limit: limit, isOver))
      case .mailAsk: counts.append(mailTable.sweepAsks(at: now, limit: limit, isOver))
      case .wrongCode: wrongCodes.sweep(at: now, isOver)
      case .released: memory.sweep(isOver)
      // erases the addresses at once, because this store keeps no separate list of them
      case .auditAddress: eraseAddresses(isOver)
      case .invitation:
        invitationTable.sweep(
          isOver,
          usedAt: { id in
            // a pending or waiting account may still be released and give its use back, so the invitation keeps its
            // address, which limits who can take the use
            if let state = account(id)?.account.state, state == .pending || state == .waiting { return nil }
            return entries.first { $0.account == id }?.time
          }, isAlive: { holdsUse($0, at: now) })
      }
    }
    return counts.contains { $0 >= limit }
  }
}
