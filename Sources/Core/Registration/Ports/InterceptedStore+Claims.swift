/// The operations for claims and mails; they go through `around` too.
extension InterceptedStore {
  package var codeKey: CodeKey { store.codeKey }

  package func add(_ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp) async throws(StoreFailure) -> ClaimAnswer
  {
    try await around(.addClaim) { () async throws(StoreFailure) in try await store.add(claim, mail, stamp) }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await around(.findClaim) { () async throws(StoreFailure) in try await store.find(id, at: now) }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await around(.findClaim) { () async throws(StoreFailure) in try await store.find(claimOf: request, at: now) }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    try await around(.guess) { () async throws(StoreFailure) in try await store.guess(id, guess, stamp) }
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) async throws(StoreFailure) -> WrongCodes {
    try await around(.wrongCodes) { () async throws(StoreFailure) in
      try await store.wrongCodes(at: key, limit: limit, now)
    }
  }

  package func renew(_ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp)
    async throws(StoreFailure) -> Bool
  {
    try await around(.renewClaim) { () async throws(StoreFailure) in
      try await store.renew(claim, seen: seen, mail, stamp)
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await around(.endClaim) { () async throws(StoreFailure) in try await store.end(id) }
  }

  package func prove(_ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp) async throws(StoreFailure) -> ProofAnswer
  {
    try await around(.prove) { () async throws(StoreFailure) in try await store.prove(id, account, stamp) }
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  )
    async throws(StoreFailure) -> Account?
  {
    try await around(.recover) { () async throws(StoreFailure) in
      try await store.recover(id, of: account, to: hash, notice, stamp)
    }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await around(.changePassword) { () async throws(StoreFailure) in
      try await store.changePassword(of: id, from: old, to: new, notice, stamp)
    }
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    try await around(.changeEmail) { () async throws(StoreFailure) in
      try await store.changeEmail(of: id, from: old, having: hash, to: new, proving: claim, notice, stamp)
    }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    try await around(.claims) { () async throws(StoreFailure) in
      try await store.claims(after: after, limit: limit, at: now)
    }
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await around(.auditOf) { () async throws(StoreFailure) in try await store.audit(of: id, limit: limit) }
  }

  package func history(of id: AccountID, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await around(.auditOf) { () async throws(StoreFailure) in try await store.history(of: id, limit: limit) }
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await around(.sweep) { () async throws(StoreFailure) in
      try await store.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }

  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    try await around(.addMail) { () async throws(StoreFailure) in try await store.add(mail) }
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    try await around(.mails) { () async throws(StoreFailure) in try await store.mails(after: after, limit: limit) }
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await around(.findMail) { () async throws(StoreFailure) in try await store.find(mail: id) }
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await around(.leaseMail) { () async throws(StoreFailure) in try await store.lease(mail: id) }
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    try await around(.putOffMail) { () async throws(StoreFailure) in try await store.putOff(mail: mail) }
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    try await around(.endMail) { () async throws(StoreFailure) in try await store.end(mail: id, state, reason: reason) }
  }
}
