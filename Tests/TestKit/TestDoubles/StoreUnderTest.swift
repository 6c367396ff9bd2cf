package import Registration

/// A store, or something that has one, whose operations a test calls directly.
package protocol StoreUnderTest: Sendable {
  var accounts: Accounts { get }
}

extension StoreEngine {
  package var accounts: Accounts { Accounts(self) }
}

extension Accounts: StoreUnderTest {
  package var accounts: Accounts { self }
}

extension MemoryStore: StoreUnderTest {}

extension MemoryStore {
  /// A store that hashes its audit without a library.
  package init(
    _ claimant: Claimant = Claimant(), observer: @escaping AuditObserver = { _ in },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.init(claimant, cryptography: PlainCryptography(), observer: observer, now: now)
  }
}

extension SwitchableEngine: StoreUnderTest {}

// MARK: - The operations of `Accounts`

extension StoreUnderTest {
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ admission: Admission, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await accounts.insert(account, request: request, admission, stamp)
  }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await accounts.insert(account, request: request, stamp)
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await accounts.find(key)
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await accounts.find(id)
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await accounts.find(request)
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await accounts.note(request, for: id)
  }

  package func activate(
    _ id: AccountID, approved notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.activate(id, approved: notice, stamp)
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await accounts.activate(id, stamp)
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await accounts.release(id, seen: seen, remembered: remembered, endingClaim: endingClaim, stamp)
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try await accounts.released(request, key, at: now)
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await accounts.resume(id, seen: seen, stamp)
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await accounts.renew(id, seen: seen, for: share)
  }

  package func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async throws(StoreFailure) -> Bool {
    try await accounts.putOff(id, seen: seen, delivery)
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    try await accounts.pending(after: after, limit: limit)
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    try await accounts.find(pending: id)
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await accounts.replaceHash(of: id, from: old, to: new, epoch: epoch, stamp)
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await accounts.confirm(id, at: time)
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await accounts.noteGuessed(id, stamp)
  }

  package func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.signOut(id, having: hash, epoch: epoch, stamp)
  }

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.setPassword(of: id, to: hash, epoch: epoch, stamp)
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.setEnabled(id, isEnabled, epoch: epoch, stamp)
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await accounts.delete(id, having: hash, stamp)
  }

  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer {
    try await accounts.delete(id, stamp)
  }

  package func list(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await accounts.list(state, after: after, limit: limit)
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await accounts.list(after: after, limit: limit)
  }

  package func members(
    of group: GroupName, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount] {
    try await accounts.members(of: group, after: after, limit: limit)
  }

  package func changeGroups(
    of id: AccountID, adding added: [GroupName], removing removed: [GroupName], _ stamp: Stamp
  ) async throws(StoreFailure) -> GroupingAnswer {
    try await accounts.changeGroups(of: id, adding: added, removing: removed, stamp)
  }

  package func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) async throws(StoreFailure) -> Page<GroupName, CountedGroup> {
    try await accounts.groups(after: after, limit: limit, counting: most)
  }

  package func setDisplayName(
    of id: AccountID, to name: DisplayName?, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.setDisplayName(of: id, to: name, having: hash, stamp)
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await self.accounts.importing(accounts, stamp)
  }

  package func approve(
    _ id: AccountID, to state: Account.State, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.approve(id, to: state, notice, stamp)
  }

  package func disapprove(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await accounts.disapprove(id, seen: seen, stamp)
  }

  package func refuse(_ id: AccountID, _ notice: MailIntent?, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await accounts.refuse(id, notice, stamp)
  }

  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    try await accounts.add(claim, mail, invitation: invitation, stamp)
  }

  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    try await accounts.add(claim, mail, stamp)
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await accounts.find(id, at: now)
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await accounts.find(claimOf: request, at: now)
  }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes {
    try await accounts.wrongCodes(at: key, limit: limit, now)
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    try await accounts.guess(id, guess, stamp)
  }

  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await accounts.renew(claim, seen: seen, mail, stamp)
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await accounts.end(id)
  }

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    try await accounts.prove(id, account, notice, stamp)
  }

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    try await accounts.prove(id, account, stamp)
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    try await accounts.claims(after: after, limit: limit, at: now)
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.recover(id, of: account, to: hash, epoch: epoch, notice, stamp)
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.changePassword(of: id, from: old, to: new, epoch: epoch, notice, stamp)
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    try await accounts.changeEmail(of: id, from: old, having: hash, to: new, proving: claim, notice, stamp)
  }

  package func acceptTerms(
    of id: AccountID, _ terms: AcceptedTerms, having hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.acceptTerms(of: id, terms, having: hash, stamp)
  }

  package func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer {
    try await accounts.add(invitation, mail, stamp)
  }

  package func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation? {
    try await accounts.revokeInvitation(id, stamp)
  }

  package func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) async throws(StoreFailure) -> Admittance {
    try await accounts.admittance(digest, email, claiming: share, at: now)
  }

  package func find(invitation id: InvitationID) async throws(StoreFailure) -> Invitation? {
    try await accounts.find(invitation: id)
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [CountedInvitation] {
    try await accounts.invitations(after: after, limit: limit, at: now)
  }

  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    try await accounts.add(mail)
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    try await accounts.mails(after: after, limit: limit)
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await accounts.find(mail: id)
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await accounts.lease(mail: id)
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    try await accounts.putOff(mail: mail)
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    try await accounts.end(mail: id, state, reason: reason)
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await accounts.audit(after: after, limit: limit)
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await accounts.audit(of: id, limit: limit)
  }

  package func history(of id: AccountID, after: Int, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await accounts.history(of: id, after: after, limit: limit)
  }
}
