package import Registration

// MARK: - Claims, mails, the audit

extension PostgreSQLTransaction {
  package func claim(_ id: ClaimID, at now: Timestamp) throws(StoreFailure) -> AddressClaim? {
    try kept(ClaimRow.find(connection, id, clocks(now)))
  }

  package func claim(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> AddressClaim? {
    try keeping { () throws(ServerFailure) in
      guard let row = try connection.answer(ClaimRow.look(request, clocks(now))).first else { return nil }
      return try ClaimRow.read(row)
    }
  }

  package func guessedClaim(
    _ id: ClaimID, _ guess: CodeGuess, at now: Timestamp
  ) throws(StoreFailure) -> (claim: AddressClaim, overAll: Int)? {
    try keeping { () throws(ServerFailure) in
      // even a right code waits for the lock of the claim's row, because earlier wrong codes may end the claim
      let answers = try connection.run([
        sequencer.locks.entering(), ClaimRow.lock(id, clocks(now)), WrongCodeRow.countingAll(clocks(now)),
      ])
      guard answers[0].first != nil else { throw Installation.replaced }
      guard let row = answers[1].first else { return nil }
      return (claim: try ClaimRow.read(row), overAll: answers[2].first?.integer(0) ?? 0)
    }
  }

  package func claimOrAccount(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> ClaimAnswer? {
    try keeping { () throws(ServerFailure) in
      let answers = try connection.run([
        sequencer.locks.request(request), ClaimRow.look(request, clocks(now)), RequestRow.look(request),
      ])
      if let row = answers[1].first { return .requestKnown(try ClaimRow.read(row)) }
      if let row = answers[2].first { return .requestHasAccount(try RequestRow.read(row)) }
      return nil
    }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) throws(StoreFailure) -> [AddressClaim] {
    try kept(ClaimRow.list(connection, after: after, limit: limit, clocks(now)))
  }

  package func hasClaim(_ id: ClaimID) throws(StoreFailure) -> Bool {
    try kept(!connection.run("SELECT 1 FROM claim WHERE id = $1", [.text(id.description)]).isEmpty)
  }

  package func hasOpenClaims(at key: EmailKey) throws(StoreFailure) -> Bool {
    try kept(ClaimRow.hasOpen(connection, key))
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) throws(StoreFailure) -> WrongCodes {
    try keeping { () throws(ServerFailure) in
      let address = GuessedAddress(key, codeKey)
      let row = try connection.answer(WrongCodeRow.counting(at: address, limit: limit, clocks(now))).first
      return WrongCodes(atAddress: row?.integer(0) ?? 0, overAll: row?.integer(1) ?? 0)
    }
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
    try keeping { () throws(ServerFailure) in
      try giveNumbers()
      return try AuditRow.list(connection, after: after, limit: limit)
    }
  }

  package func audit(of id: AccountID, limit: Int) throws(StoreFailure) -> [AuditEntry] {
    try keeping { () throws(ServerFailure) in
      try giveNumbers()
      return try AuditRow.list(connection, of: id, limit: limit)
    }
  }

  package func history(of id: AccountID, after: Int, limit: Int) throws(StoreFailure) -> AccountHistory? {
    try keeping { () throws(ServerFailure) in
      // all tries together take about as long as one answer may take
      let deadline = ContinuousClock.now + connection.limit
      for _ in 0..<10 where .now < deadline {
        try giveNumbers()
        var isWhole = true
        let history = try connection.asOfOneTime { () throws(ServerFailure) -> AccountHistory? in
          guard let account = try AccountRow.find(connection, id) else { return nil }
          isWhole = try !AuditRow.isWaiting(connection, of: id)
          return AccountHistory(
            account: account, entries: try AuditRow.list(connection, of: id, after: after, limit: limit))
        }
        // otherwise an entry of the account has no number yet: the account was changed since, or another session has the lock
        if isWhole { return history }
      }
      throw .numbersAreHeld
    }
  }

  /// Numbers all committed entries, unless another session that is giving numbers takes too long.
  func giveNumbers() throws(ServerFailure) {
    try sequencer.catchUp(connection, waitingAtMost: AuditSequencer.patience(connection))
  }

  package func write(_ write: StoreWrite) throws(StoreFailure) {
    switch write {
    case .note(let draft): changes.note(draft)
    case .endAddresses(let id, let time): changes.endAddresses(of: id, at: time)
    case .endClaims(let accounts): changes.end(claimsOf: accounts)
    case .endRegistration(let id): changes.add(ClaimRow.endingRegistration(of: id))
    case .endRest(let id): changes.add(ClaimRow.endingRest(of: id))
    case .prove(let id, let time): changes.require(ClaimRow.proving(id, clocks(time)))
    case .requireOpen(let claim, let time):
      if let invitation = claim.invitation { requireOpen(invitation) }
      changes.require(ClaimRow.isOpen(claim.id, clocks(time)))
    case .addClaim(let claim, let mail, let time):
      if let request = claim.request { changes.add(ClaimRow.removal(ended: request, clocks(time))) }
      add(mail)
      changes.lock(claim.email.key)
      changes.require(ClaimRow.insertion(claim, mail, codeKey))
      changes.add(ClaimRow.makingRoom(at: claim.email.key, clocks(time)))
    case .renewClaim(let claim, let seen, let mail, let time):
      if let mail { add(mail) }
      changes.lock(claim.email.key)
      changes.require(ClaimRow.renewal(claim, seen: seen, mail, codeKey, clocks(time)))
    case .removeClaim(let id):
      changes.add(ClaimRow.removal("id = $1", [.text(id.description)]))
    case .countGuess(let claim): changes.add(ClaimRow.guessed(claim))
    case .noteWrongCode(let key, let time):
      changes.add(WrongCodeRow.insertion(at: GuessedAddress(key, codeKey), time))
      changes.add(WrongCodeRow.forgetting)
    case .passUse(let claim, let account, let time):
      changes.add(UseRow.passing(from: claim, to: account))
      changes.add(InvitationRow.using(by: account, at: time))
    case .forgetInvitation(let account): changes.add(InvitationRow.forgetting(account))
    case .forgetClaims(let account):
      changes.lock(account.email.key)
      changes.add(ClaimRow.forgetting(account))
    case .addMail(let mail): add(mail)
    case .leaseMail(let id): changes.require(MailRow.leasing(id, claimant))
    case .putOffMail(let mail): changes.require(MailRow.puttingOff(mail, claimant))
    case .endMail(let id, let state, let reason): changes.require(MailRow.ending(id, state, reason))
    case .forgetMails(let account):
      changes.lock(account.email.key)
      changes.add(MailRow.forgetting(account))
    }
  }

  private func add(_ mail: MailIntent) {
    if mail.isBounded { changes.lock(mail.to.key) }
    for statement in MailRow.adding(mail, codeKey, clocks(mail.createdAt)) { changes.add(statement) }
  }
}
