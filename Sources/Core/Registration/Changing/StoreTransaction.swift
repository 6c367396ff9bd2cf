/// One transaction of a store: reads rows and writes them. The operations on it define each change once for all stores;
/// a conformer defines how a row is read and written. (Each store implements `guess` and `sweep` itself, because they
/// concern many rows at once.)
///
/// A read sees at least what was committed before the transaction, and what the transaction has written by a method
/// other than `write`; whether it sees a `write` is unspecified. `write` may be put off: its writes are then done in
/// the order of the calls, before the commit, under the locks of the commit. A conformer that lets other transactions
/// come in between then checks each write's requirement (`StoreWrite`), and does the whole transaction again if another
/// was faster.
package protocol StoreTransaction {
  associatedtype Failure: Error

  // MARK: Accounts

  func account(_ key: EmailKey) throws(Failure) -> StoredAccount?
  func account(_ id: AccountID) throws(Failure) -> StoredAccount?
  /// The account that conflicts with this one: it has the same address, or else the same id.
  func holder(of account: Account) throws(Failure) -> StoredAccount?
  /// The account, which no other transaction changes or delivers until this one ends.
  func lockedAccount(_ id: AccountID) throws(Failure) -> StoredAccount?
  /// Accounts in the order of their ids, beginning after `after`; leaves out and reports unreadable ones.
  ///
  /// - Parameter state: Nil for any.
  func accounts(_ state: Account.State?, after: AccountID?, limit: Int) throws(Failure) -> [StoredAccount]
  /// Adds an account, and the request that made it. The store's constraints decide whether it can. Comes before any
  /// other write of its transaction, which may begin anew.
  ///
  /// - Returns: `requestKnown` before `taken`; nothing was written then.
  mutating func add(_ account: StoredAccount, _ request: RequestKey?) throws(Failure) -> InsertAnswer
  /// Adds the accounts that can be added; a later one may conflict with an earlier one.
  mutating func add(_ accounts: [StoredAccount]) throws(Failure) -> [ImportAnswer]
  /// Changes an account that is as expected, and raises its `updatedAt` to `time` unless it is already later. A
  /// compare-and-set.
  ///
  /// - Returns: The updated account; nil if no account is as expected.
  mutating func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) throws(Failure) -> Account?
  /// Notes the time of a confirmation, unless a later one is noted, or forgets it; `updatedAt` stays.
  ///
  /// - Returns: Whether there is such an account.
  mutating func confirm(_ id: AccountID, at time: Timestamp?) throws(Failure) -> Bool
  /// Removes an account with its requests and the notes about its deliveries.
  mutating func remove(_ id: AccountID) throws(Failure)

  // MARK: Requests, and released registrations

  func request(_ request: RequestKey) throws(Failure) -> KnownRequest?
  /// Notes a request of an existing account, unless the request is known.
  ///
  /// - Returns: The request as it is known afterwards.
  mutating func note(_ request: RequestKey, for id: AccountID) throws(Failure) -> KnownRequest?
  /// Remembers an account that is about to be removed, for each of its requests; makes room as `AccountStore.release`
  /// defines.
  mutating func remember(_ id: AccountID, at time: Timestamp) throws(Failure)
  mutating func forgetReleased(_ key: EmailKey) throws(Failure)
  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) throws(Failure) -> [ReleasedRegistration]

  // MARK: Deliveries

  /// Whether another regd has a claim of the account that has not expired.
  func isClaimedElsewhere(_ id: AccountID) throws(Failure) -> Bool
  /// Claims an existing account for the time of this regd's lease.
  mutating func claimDelivery(of id: AccountID) throws(Failure)
  /// Notes the outcome of a delivery, and ends the claim.
  mutating func putOff(_ id: AccountID, _ delivery: Delivery) throws(Failure)
  mutating func forgetDelivery(of id: AccountID) throws(Failure)
  func pendingAccounts(after: AccountID?, limit: Int) throws(Failure) -> [PendingAccount]
  func pendingAccount(_ id: AccountID) throws(Failure) -> PendingAccount?

  // MARK: Invitations

  func invitation(_ digest: InvitationDigest) throws(Failure) -> Invitation?
  func invitation(_ id: InvitationID) throws(Failure) -> Invitation?
  /// Invitations in the order of their ids, beginning after `after`, with the numbers of used and held uses.
  func invitations(after: InvitationID?, limit: Int, at now: Timestamp) throws(Failure) -> [CountedInvitation]
  func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(Failure) -> CountedInvitation?
  /// Whether the invitation has a free use: no account has it, and no claim holds it that is open or a decoy and has not expired.
  func hasUse(_ invitation: Invitation, at now: Timestamp) throws(Failure) -> Bool
  /// The share's oldest living claim that holds a use of the invitation.
  func oldestHolder(of id: InvitationID, _ share: Share, at now: Timestamp) throws(Failure) -> ClaimID?
  /// Takes a free use, for a claim that is about to be added or an account that was added. The store's constraints
  /// decide whether one is left: no two transactions take the same one, and only transactions about this invitation
  /// wait for each other. (There is no row for all uses together; they would wait for it.) A claim that has expired is
  /// removed if its use is taken: otherwise a change that proves it, by a clock that is behind, would make an account
  /// without a use.
  ///
  /// - Returns: Whether there was a free use.
  mutating func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(Failure) -> Bool
  /// Gives a claim the use that another claim holds.
  ///
  /// - Returns: Whether the other claim held a use.
  mutating func moveUse(from old: ClaimID, to new: ClaimID) throws(Failure) -> Bool
  /// Gives back the use of an account that is about to be removed: to the claim that it came from, if that claim is still living.
  mutating func giveBackUse(of id: AccountID) throws(Failure)
  /// Adds an invitation.
  mutating func add(_ invitation: Invitation) throws(Failure)
  /// Marks an invitation as revoked, unless it is already.
  ///
  /// - Returns: Whether it was not revoked before.
  mutating func revoke(_ id: InvitationID, at time: Timestamp) throws(Failure) -> Bool
  /// Whether `MailBounds` admit the mail; keeps other transactions from adding one for its address until this one ends.
  mutating func admits(_ mail: MailIntent) throws(Failure) -> Bool

  // MARK: Claims, mails, the audit

  /// A claim that has not expired.
  func claim(_ id: ClaimID, at now: Timestamp) throws(Failure) -> AddressClaim?
  func claim(of request: RequestKey, at now: Timestamp) throws(Failure) -> AddressClaim?
  /// The claim that has the request, or else the account that has it.
  func claimOrAccount(of request: RequestKey, at now: Timestamp) throws(Failure) -> ClaimAnswer?
  func claims(after: ClaimID?, limit: Int, at now: Timestamp) throws(Failure) -> [AddressClaim]
  /// Whether there is such a claim, expired or not.
  func hasClaim(_ id: ClaimID) throws(Failure) -> Bool
  /// Whether an account that becomes active would end any claim of the address.
  func hasOpenClaims(at key: EmailKey) throws(Failure) -> Bool
  func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) throws(Failure) -> WrongCodes
  /// A mail in any state.
  func mail(_ id: MailID) throws(Failure) -> StoredMail?
  /// Mails that wait.
  func mails(after: MailID?, limit: Int) throws(Failure) -> [StoredMail]
  /// Whether the audit has such an entry of the account later than this.
  func hasEntry(_ change: AuditEntry.Change, of id: AccountID, since: Timestamp) throws(Failure) -> Bool
  func audit(after: Int, limit: Int) throws(Failure) -> [AuditEntry]
  func audit(of id: AccountID, limit: Int) throws(Failure) -> [AuditEntry]
  /// The account and the latest entries about it, both as of one time. For `list` only.
  func history(of id: AccountID, limit: Int) throws(Failure) -> AccountHistory?

  mutating func write(_ write: StoreWrite) throws(Failure)
}

extension StoreTransaction {
  package func holder(of account: Account) throws(Failure) -> StoredAccount? {
    if let holder = try self.account(account.email.key) { return holder }
    return try self.account(account.id)
  }
}

/// A new value of an account.
package enum AccountUpdate: Sendable {
  /// `updatedAt` alone: another mark.
  case mark
  case state(Account.State)
  /// The state `disabled`, and another epoch.
  case disabled(SessionEpoch)
  /// Confirmed at the time of the update; with another password also the epoch that it begins.
  case password(PasswordHash, SessionEpoch?)
  case epoch(SessionEpoch)
  case email(EmailAddress)
  case terms(AcceptedTerms)
}

/// The values that an account must have for an update; nil for any.
package struct ExpectedAccount: Sendable {
  package var state: Account.State?
  package var passwordHash: PasswordHash?

  package init(_ state: Account.State? = nil, having hash: PasswordHash? = nil) {
    self.state = state
    passwordHash = hash
  }
}
