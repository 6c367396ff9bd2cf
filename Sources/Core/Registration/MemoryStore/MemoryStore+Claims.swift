extension MemoryStore {
  package func add(_ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp) -> ClaimAnswer {
    if let request = claim.request {
      if let known = claims.find(request, at: stamp.time) { return .requestKnown(known) }
      if let known = find(request) { return .requestHasAccount(known) }
    }
    if let fence = claim.fence, claim.isOutdated(accounts[fence]) { return .outdated }
    var claim = claim
    claim.isMailed = admit(mail)
    claims.add(claim, at: stamp.time)
    return .added
  }

  package func find(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { claims.find(id, at: now) }

  package func find(claimOf request: RequestKey, at now: Timestamp) -> AddressClaim? { claims.find(request, at: now) }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) -> GuessAnswer {
    guard let claim = claims.find(id, at: stamp.time) else { return .gone }
    guard claim.generation == guess.generation else { return .outdated }
    guard !guess.isRight else { return .right(claim) }
    wrongCodes.note(at: GuessedAddress(claim.email.key, codeKey), stamp.time)
    let attempts = claim.attempts + 1
    if attempts < guess.attempts { claims.setAttempts(id, attempts) } else { claims.end(id) }
    return .wrong(attemptsLeft: max(0, guess.attempts - attempts))
  }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) -> WrongCodes {
    wrongCodes.count(at: GuessedAddress(key, codeKey), limit: limit, now)
  }

  package func renew(_ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp) -> Bool {
    claims.renew(claim, seen: seen, at: stamp.time) { mail.map { admit($0) } }
  }

  package func end(_ id: ClaimID) { claims.end(id) }

  package func prove(_ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp) -> ProofAnswer {
    guard let claim = claims.find(id, at: stamp.time), claim.kind == .registration else { return .gone }
    if let holder = find(account.account.email.key) ?? find(account.account.id) {
      // the account was made active by an earlier try whose answer was lost
      if holder.account.id == account.account.id, holder.account.state != .pending { claims.end(for: holder.account) }
      return .taken(holder)
    }
    guard claim.state == .open else { return .gone }
    switch insert(account, request: claim.request, stamp) {
    case .inserted: return .added
    case .taken(let holder): return .taken(holder)
    case .requestKnown(let known): return find(known.account.id).map { .taken($0) } ?? .gone
    }
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) -> Account? {
    guard let claim = claims.find(id, at: stamp.time), claim.kind == .recovery, claim.state == .open,
      claim.account == account, accounts[claim.account]?.account.state == .active
    else { return nil }
    claims.proven(id)
    claims.endRest(of: claim.account)
    if let notice { _ = admit(notice) }
    return change(claim.account, .passwordRecovered, stamp) { $0.set(hash, stamp) }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) -> Account? {
    guard let found = accounts[id], found.passwordHash == old, found.account.state == .active else { return nil }
    claims.endRest(of: id)
    if let notice { _ = admit(notice) }
    return change(id, .passwordChanged, stamp) { $0.set(new, stamp) }
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) -> EmailChangeAnswer {
    if let claim {
      guard let found = claims.find(claim, at: stamp.time), found.kind == .changeOfEmail, found.account == id else {
        return .gone
      }
      guard found.state != .taken else { return .taken }
      guard found.state == .open else { return .gone }
    }
    guard let found = accounts[id], found.account.email.key == old, found.account.state == .active,
      hash == nil || hash == found.passwordHash
    else { return .gone }
    if let holder = find(new.key), holder.account.id != id { return .taken }
    if let claim { claims.proven(claim) }
    claims.endRest(of: id)
    if let notice { _ = admit(notice) }
    guard let account = move(found, to: new, stamp) else { return .gone }
    claims.end(for: account)
    return .changed(account)
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) -> [AddressClaim] {
    Array(claims.all(at: now).drop { claim in after.map { claim.id <= $0 } ?? false }.prefix(limit))
  }

  package func audit(of id: AccountID, limit: Int) -> [AuditEntry] {
    entries.filter { $0.account == id }.suffix(limit)
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) -> Bool {
    let (expired, areMoreClaims) = claims.sweep(at: now, limit: limit)
    mails.forget(claims: expired)
    let areMoreMails = mails.sweep(at: now, limit: limit)
    wrongCodes.sweep(at: now)
    // the addresses are gone at once: here they are in no list of their own
    eraseAddresses(before: addressesBefore)
    return areMoreClaims || areMoreMails
  }
}

extension MemoryStore {
  package func add(_ mail: MailIntent) { _ = admit(mail) }

  /// - Returns: Whether it is there.
  func admit(_ mail: MailIntent) -> Bool {
    mails.add(mail, codeKey) { isRegistered(mail.to.key, by: mail.share) }
  }

  /// Whether the share is one that the account of the address was registered from.
  private func isRegistered(_ key: EmailKey, by share: Share) -> Bool {
    guard let id = ids[key] else { return false }
    guard let first = entries.first(where: { $0.account == id }) else { return false }
    return AuditEntry.Change.registrations.contains(first.change) && first.by.share == share
  }

  package func mails(after: MailID?, limit: Int) -> [StoredMail] {
    Array(
      mails.waiting(claimant, now()).drop { mail in after.map { mail.intent.id <= $0 } ?? false }.prefix(limit))
  }

  package func find(mail id: MailID) -> StoredMail? { mails.find(id, claimant, now()) }

  package func lease(mail id: MailID) -> StoredMail? { mails.lease(id, claimant, now()) }

  package func putOff(mail: StoredMail) -> Bool { mails.putOff(mail, claimant, now()) }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) -> Bool {
    mails.end(id, state, reason: reason)
  }
}
