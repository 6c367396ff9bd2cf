package import Registration

extension SQLiteStore {
  package var codeKey: CodeKey { CodeKey.random() }

  package func add(_ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp) async throws(StoreFailure) -> ClaimAnswer
  { throw .unavailable(detail: "claims are not kept yet") }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func renew(_ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp)
    async throws(StoreFailure) -> Bool
  { throw .unavailable(detail: "claims are not kept yet") }

  package func end(_ id: ClaimID) async throws(StoreFailure) { throw .unavailable(detail: "claims are not kept yet") }

  package func prove(_ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp) async throws(StoreFailure) -> ProofAnswer
  { throw .unavailable(detail: "claims are not kept yet") }

  package func recover(_ id: ClaimID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp)
    async throws(StoreFailure) -> Account?
  { throw .unavailable(detail: "claims are not kept yet") }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? { throw .unavailable(detail: "claims are not kept yet") }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, to new: EmailAddress, proving claim: ClaimID?, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer { throw .unavailable(detail: "claims are not kept yet") }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    throw .unavailable(detail: "claims are not kept yet")
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    throw .unavailable(detail: "claims are not kept yet")
  }
}
