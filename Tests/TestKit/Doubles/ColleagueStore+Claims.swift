package import Registration

extension ColleagueStore {
  package nonisolated var codeKey: CodeKey { memory.codeKey }

  package func add(_ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp) async -> ClaimAnswer {
    await memory.acting(as: claimant) { $0.add(claim, mail, stamp) }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async -> AddressClaim? {
    await memory.acting(as: claimant) { $0.find(id, at: now) }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async -> AddressClaim? {
    await memory.acting(as: claimant) { $0.find(claimOf: request, at: now) }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async -> GuessAnswer {
    await memory.acting(as: claimant) { $0.guess(id, guess, stamp) }
  }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async -> WrongCodes {
    await memory.acting(as: claimant) { $0.wrongCodes(at: key, limit: limit, now) }
  }

  package func renew(_ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp) async -> Bool {
    await memory.acting(as: claimant) { $0.renew(claim, seen: seen, mail, stamp) }
  }

  package func end(_ id: ClaimID) async {
    await memory.acting(as: claimant) { $0.end(id) }
  }

  package func prove(_ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp) async -> ProofAnswer {
    await memory.acting(as: claimant) { $0.prove(id, account, stamp) }
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async -> Account? {
    await memory.acting(as: claimant) { $0.recover(id, of: account, to: hash, notice, stamp) }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async -> Account? {
    await memory.acting(as: claimant) { $0.changePassword(of: id, from: old, to: new, notice, stamp) }
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async -> EmailChangeAnswer {
    await memory.acting(as: claimant) {
      $0.changeEmail(of: id, from: old, having: hash, to: new, proving: claim, notice, stamp)
    }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async -> [AddressClaim] {
    await memory.acting(as: claimant) { $0.claims(after: after, limit: limit, at: now) }
  }

  package func audit(of id: AccountID, limit: Int) async -> [AuditEntry] {
    await memory.acting(as: claimant) { $0.audit(of: id, limit: limit) }
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async -> Bool {
    await memory.acting(as: claimant) { $0.sweep(at: now, addressesBefore: addressesBefore, limit: limit) }
  }

  package func add(_ mail: MailIntent) async {
    await memory.acting(as: claimant) { $0.add(mail) }
  }

  package func mails(after: MailID?, limit: Int) async -> [StoredMail] {
    await memory.acting(as: claimant) { $0.mails(after: after, limit: limit) }
  }

  package func find(mail id: MailID) async -> StoredMail? {
    await memory.acting(as: claimant) { $0.find(mail: id) }
  }

  package func lease(mail id: MailID) async -> StoredMail? {
    await memory.acting(as: claimant) { $0.lease(mail: id) }
  }

  package func putOff(mail: StoredMail) async -> Bool {
    await memory.acting(as: claimant) { $0.putOff(mail: mail) }
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async -> Bool {
    await memory.acting(as: claimant) { $0.end(mail: id, state, reason: reason) }
  }
}
