package import Registration

// MARK: - Claims, mails, the audit

extension SQLiteTransaction {
  package func claim(_ id: ClaimID, at now: Timestamp) throws(StoreFailure) -> AddressClaim? {
    try kept(ClaimRow.find(connection, id, at: now))
  }

  package func claim(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> AddressClaim? {
    try kept(ClaimRow.find(connection, of: request, at: now))
  }

  package func guessedClaim(
    _ id: ClaimID, _ guess: CodeGuess, at now: Timestamp
  ) throws(StoreFailure) -> (claim: AddressClaim, overAll: Int)? {
    guard let claim = try claim(id, at: now) else { return nil }
    let overAll = guess.isRight ? 0 : try wrongCodes(at: claim.email.key, limit: 1, now).overAll
    return (claim: claim, overAll: overAll)
  }

  package func claimOrAccount(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> ClaimAnswer? {
    if let known = try claim(of: request, at: now) { return .requestKnown(known) }
    return try self.request(request).map { .requestHasAccount($0) }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) throws(StoreFailure) -> [AddressClaim] {
    try kept(ClaimRow.list(connection, after: after, limit: limit, at: now))
  }

  package func hasClaim(_ id: ClaimID) throws(StoreFailure) -> Bool { try kept(ClaimRow.exists(connection, id)) }

  package func hasOpenClaims(at key: EmailKey) throws(StoreFailure) -> Bool {
    try kept(ClaimRow.hasOpen(connection, key))
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) throws(StoreFailure) -> WrongCodes {
    try kept(WrongCodeRow.count(connection, at: GuessedAddress(key, codeKey), limit: limit, now))
  }

  package func mail(_ id: MailID) throws(StoreFailure) -> StoredMail? {
    try kept(MailRow.find(connection, id, claimant))
  }

  package func mails(after: MailID?, limit: Int) throws(StoreFailure) -> [StoredMail] {
    try kept(MailRow.list(connection, after: after, limit: limit, claimant))
  }

  package func hasEntry(
    _ change: AuditEntry.Change, of id: AccountID, since: Timestamp
  ) throws(StoreFailure) -> Bool {
    try kept(AuditRow.has(connection, change, of: id, since: since))
  }

  package func audit(after: Int, limit: Int) throws(StoreFailure) -> [AuditEntry] {
    try kept(AuditRow.list(connection, after: after, limit: limit))
  }

  package func audit(of id: AccountID, limit: Int) throws(StoreFailure) -> [AuditEntry] {
    try kept(AuditRow.list(connection, of: id, limit: limit))
  }

  package func history(of id: AccountID, after: Int, limit: Int) throws(StoreFailure) -> AccountHistory? {
    try keeping { () throws(SQLiteFailure) in
      try connection.asOfOneTime { () throws(SQLiteFailure) -> AccountHistory? in
        guard let account = try AccountRow.find(connection, id) else { return nil }
        return AccountHistory(
          account: account, entries: try AuditRow.list(connection, of: id, after: after, limit: limit))
      }
    }
  }

  package func auditSize() throws(StoreFailure) -> Int { try kept(AuditTreeRow.size(connection)) }

  package func auditLeaf(of number: Int) throws(StoreFailure) -> Int? {
    try kept(AuditTreeRow.leaf(connection, of: number))
  }

  package func auditHashes(of leaves: [Int]) throws(StoreFailure) -> AuditHashes {
    try kept(AuditTreeRow.hashes(connection, of: leaves))
  }

  package func auditHeadAt() throws(StoreFailure) -> Timestamp? { try kept(Installation.auditHeadAt(connection)) }

  /// Writes at once, without checking requirements again, because no other transaction comes between this one's reads and
  /// writes.
  package func write(_ write: StoreWrite) throws(StoreFailure) {
    try keeping { () throws(SQLiteFailure) in
      switch write {
      case .note(let draft): try note(draft)
      case .endAddresses(let id, let time): try AuditAddressRow.end(connection, of: id, time)
      case .noteAuditHead(let time): try Installation.noteAuditHead(connection, at: time)
      case .endClaims(let accounts): try end(claimsOf: accounts)
      case .endRegistration(let id): try ClaimRow.endRegistration(connection, of: id)
      case .endRest(let id): try ClaimRow.endRest(connection, of: id)
      case .prove(let id, _): try ClaimRow.setState(connection, id, .proven)
      case .requireOpen: break
      case .addClaim(let claim, let mail, let time): try add(claim, mail, time)
      case .renewClaim(let claim, let seen, let mail, _): try renew(claim, seen, mail)
      case .removeClaim(let id): try ClaimRow.remove(connection, id)
      case .countGuess(let claim): try ClaimRow.guessed(connection, claim)
      case .noteWrongCode(let key, let time):
        try WrongCodeRow.note(connection, at: GuessedAddress(key, codeKey), time)
      case .passUse(let claim, let account, let time):
        try InvitationUseRow.pass(connection, from: claim, to: account)
        try InvitationRow.setUsed(connection, by: account, at: time)
      case .forgetInvitation(let account): try InvitationRow.forget(connection, account)
      case .forgetClaims(let account): try ClaimRow.forget(connection, account)
      case .addMail(let mail): try MailRow.add(connection, mail, codeKey)
      case .leaseMail(let id): try MailRow.lease(connection, id, claimant)
      case .putOffMail(let mail): try MailRow.putOff(connection, mail)
      case .endMail(let id, let state, let reason): try MailRow.end(connection, id, state, reason)
      case .forgetMails(let account): try MailRow.forget(connection, account)
      }
    }
  }

  private func add(_ claim: AddressClaim, _ mail: MailIntent, _ now: Timestamp) throws(SQLiteFailure) {
    var claim = claim
    claim.mailed = try MailRow.add(connection, mail, codeKey)
    try ClaimRow.insert(connection, claim, at: now)
    if !claim.ranksAsMailed { try ClaimRow.makeRoom(connection, claim.email.key, at: now) }
  }

  private func renew(_ claim: AddressClaim, _ seen: AddressClaim, _ mail: MailIntent?) throws(SQLiteFailure) {
    var part: MailBounds.Part?
    if let mail { part = try MailRow.add(connection, mail, codeKey) }
    try ClaimRow.renew(connection, claim, mailed: claim.mailed(after: seen, mail, by: part))
  }
}
