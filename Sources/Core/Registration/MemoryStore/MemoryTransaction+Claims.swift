// MARK: - Claims, mails, the audit

extension MemoryTransaction {
  package func claim(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { claimTable.find(id, at: now) }

  package func claim(of request: RequestKey, at now: Timestamp) -> AddressClaim? { claimTable.find(request, at: now) }

  package func claimOrAccount(of request: RequestKey, at now: Timestamp) -> ClaimAnswer? {
    if let known = claimTable.find(request, at: now) { return .requestKnown(known) }
    return self.request(request).map { .requestHasAccount($0) }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) -> [AddressClaim] {
    Array(claimTable.all(at: now).drop { claim in after.map { claim.id <= $0 } ?? false }.prefix(limit))
  }

  package func hasClaim(_ id: ClaimID) -> Bool { claimTable.has(id) }

  package func hasOpenClaims(at key: EmailKey) -> Bool { claimTable.hasOpen(at: key) }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) -> WrongCodes {
    wrongCodes.count(at: GuessedAddress(key, codeKey), limit: limit, now)
  }

  package func mail(_ id: MailID) -> StoredMail? { mailTable.find(id, claimant, now) }

  package func mails(after: MailID?, limit: Int) -> [StoredMail] {
    Array(mailTable.waiting(claimant, now).drop { mail in after.map { mail.intent.id <= $0 } ?? false }.prefix(limit))
  }

  package func hasEntry(_ change: AuditEntry.Change, of id: AccountID, since: Timestamp) -> Bool {
    entries.contains { $0.account == id && $0.change == change && $0.time > since }
  }

  package func audit(after: Int, limit: Int) -> [AuditEntry] { Array(entries.dropFirst(after).prefix(limit)) }

  package func audit(of id: AccountID, limit: Int) -> [AuditEntry] {
    entries.filter { $0.account == id }.suffix(limit)
  }

  package func history(of id: AccountID, limit: Int) -> AccountHistory? {
    account(id).map { AccountHistory(account: $0, entries: audit(of: id, limit: limit)) }
  }

  package func write(_ write: StoreWrite) {
    switch write {
    case .note(let change, let account, let stamp): note(change, account, stamp)
    case .endAddresses(let id, let time): endAddresses(of: id, at: time)
    case .endClaims(let accounts): for account in accounts { claimTable.end(for: account) }
    case .endRest(let id): claimTable.endRest(of: id)
    case .prove(let id, _): claimTable.proven(id)
    case .requireOpen: break
    case .addClaim(var claim, let mail, let time):
      claim.isMailed = admit(mail)
      claimTable.add(claim, at: time)
    case .renewClaim(let claim, let seen, let mail, _):
      claimTable.renew(claim, isMailed: claim.isMailed(after: seen, isAdmitted: mail.map { admit($0) }))
    case .removeClaim(let id): claimTable.end(id)
    case .forgetClaims(let account): claimTable.forget(account)
    case .addMail(let mail): _ = admit(mail)
    case .leaseMail(let id): mailTable.lease(id, claimant, now)
    case .putOffMail(let mail): mailTable.putOff(mail)
    case .endMail(let id, let state, let reason): mailTable.end(id, state, reason: reason)
    case .forgetMails(let account): mailTable.forget(account)
    }
  }

  /// - Returns: Whether it is there.
  private func admit(_ mail: MailIntent) -> Bool {
    let (id, entries) = (account(mail.to.key)?.account.id, entries)
    return mailTable.add(mail, codeKey) {
      // or the share is one that the account of the address was registered from
      guard !mail.isKnown else { return true }
      guard let id, let first = entries.first(where: { $0.account == id }) else { return false }
      return AuditEntry.Change.registrations.contains(first.change) && first.by.share == mail.share
    }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) -> GuessAnswer {
    let claim = claimTable.find(id, at: stamp.time)
    let answer = guess.answer(at: claim)
    guard let claim, case .wrong(let left) = answer else { return answer }
    wrongCodes.note(at: GuessedAddress(claim.email.key, codeKey), stamp.time)
    if left > 0 { claimTable.setAttempts(id, claim.attempts + 1) } else { claimTable.end(id) }
    return answer
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) -> Bool {
    let (expired, areMoreClaims) = claimTable.sweep(at: now, limit: limit)
    mailTable.forget(claims: expired)
    let areMoreMails = mailTable.sweep(at: now, limit: limit)
    wrongCodes.sweep(at: now)
    // the addresses are gone at once: here they are in no list of their own
    eraseAddresses(before: addressesBefore)
    return areMoreClaims || areMoreMails
  }
}
