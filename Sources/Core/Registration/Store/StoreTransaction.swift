/// One transaction of a store: reads rows and writes them. The operations on it define each change once for all stores.
/// A conformer defines how a row is read and written. (Each store implements `sweep` itself, because a sweep concerns
/// many rows at once.)
///
/// A read sees at least what was committed before the transaction, and what the transaction has written by a method
/// other than `write`. Whether it sees a `write` is unspecified. A conformer may defer the writes of `write`: it then
/// does them in the order of the calls, just before the commit, under the commit's locks. If other transactions can
/// come in between, the conformer also checks each write's requirement (`StoreWrite`), and repeats the whole
/// transaction if another one has changed the rows meanwhile.
package protocol StoreTransaction: AnyObject {
  // MARK: Accounts

  func account(_ key: EmailKey) throws(StoreFailure) -> StoredAccount?
  func account(_ id: AccountID) throws(StoreFailure) -> StoredAccount?
  /// The account with the same address as this one, or else the account with the same id.
  func holder(of account: Account) throws(StoreFailure) -> StoredAccount?
  /// Reads an account and locks it: until this transaction ends, no other transaction changes the account or the record
  /// of its delivery.
  func lockedAccount(_ id: AccountID) throws(StoreFailure) -> StoredAccount?
  /// Accounts in the order of their ids, starting after `after`. Reports unreadable accounts, and leaves them out.
  ///
  /// - Parameter state: The state of the accounts, or nil for any state.
  func accounts(_ state: Account.State?, after: AccountID?, limit: Int) throws(StoreFailure) -> [StoredAccount]
  /// Members of a group, as `accounts` returns accounts. Reads few rows besides those of the members.
  func members(of group: GroupName, after: AccountID?, limit: Int) throws(StoreFailure) -> [StoredAccount]
  /// Groups in the order of their names, starting after `after`. Reads few rows besides those that it counts.
  ///
  /// - Parameter most: The page ends after the group with which it has counted this many members.
  func groups(after: GroupName?, limit: Int, counting most: Int) throws(StoreFailure) -> Page<GroupName, CountedGroup>
  /// Adds an account and the request that made it, if the store's constraints permit both. Must be the first write of
  /// its transaction, because the conformer may restart the transaction.
  ///
  /// - Parameter seen: As in `Admission.releases`.
  /// - Returns: `requestKnown` if the request is known. Otherwise `taken` if another account conflicts. Otherwise
  ///   `releasedMeanwhile` if `seen` lacks the latest release. In these three cases, nothing was written.
  func add(
    _ account: StoredAccount, _ request: RequestKey?, seen: [AccountID]?
  ) throws(StoreFailure) -> InsertAnswer
  /// The numbers of waiting accounts with a known registrant: in total, of this registrant's user, and of this
  /// registrant's origin.
  func waiting(by registrant: Registrant) throws(StoreFailure) -> WaitingCounts
  /// Adds the accounts that can be added. A later account may conflict with an earlier one.
  func add(_ accounts: [StoredAccount]) throws(StoreFailure) -> [ImportAnswer]
  /// Changes an account that has the expected values, and sets its `updatedAt` to `time`, unless its `updatedAt` is
  /// already later. A compare-and-set.
  ///
  /// - Returns: The updated account, or nil if there is no such account, or if it has other values.
  func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) throws(StoreFailure) -> Account?
  /// Records when the password was last confirmed, unless a later time is recorded. Nil erases the time. `updatedAt`
  /// keeps its value.
  ///
  /// - Returns: Whether there is such an account.
  func confirm(_ id: AccountID, at time: Timestamp?) throws(StoreFailure) -> Bool
  /// Removes an account with its requests, its claim and the recorded outcome of its delivery.
  func remove(_ id: AccountID) throws(StoreFailure)

  // MARK: Requests, and released registrations

  func request(_ request: RequestKey) throws(StoreFailure) -> KnownRequest?
  /// Records a request for an existing account, unless the request is recorded already.
  ///
  /// - Returns: The request as it is recorded afterwards, or nil if nothing is recorded, because there is no such
  ///   account.
  func note(_ request: RequestKey, for id: AccountID) throws(StoreFailure) -> KnownRequest?
  /// Remembers the removal of an account for each of its requests, before the account is removed. Makes room as
  /// `Accounts.release` defines.
  func remember(_ id: AccountID, at time: Timestamp) throws(StoreFailure)
  func forgetReleased(_ key: EmailKey) throws(StoreFailure)
  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) throws(StoreFailure)
    -> [ReleasedRegistration]

  // MARK: Deliveries

  /// Whether another regd has a claim of the account that has not expired.
  func isClaimedElsewhere(_ id: AccountID) throws(StoreFailure) -> Bool
  /// Claims an existing account for this regd, for `Claimant.lease`.
  func claimDelivery(of id: AccountID) throws(StoreFailure)
  /// Records the outcome of a delivery to the upstream, and ends the claim of the account.
  func putOff(_ id: AccountID, _ delivery: Delivery) throws(StoreFailure)
  func forgetDelivery(of id: AccountID) throws(StoreFailure)
  func pendingAccounts(after: AccountID?, limit: Int) throws(StoreFailure) -> [PendingAccount]
  func pendingAccount(_ id: AccountID) throws(StoreFailure) -> PendingAccount?

  // MARK: Invitations

  func invitation(_ digest: InvitationDigest) throws(StoreFailure) -> Invitation?
  func invitation(_ id: InvitationID) throws(StoreFailure) -> Invitation?
  /// Invitations in the order of their ids, starting after `after`, with the numbers of uses that accounts and claims
  /// have.
  func invitations(after: InvitationID?, limit: Int, at now: Timestamp) throws(StoreFailure) -> [CountedInvitation]
  func countedInvitation(_ id: InvitationID, at now: Timestamp) throws(StoreFailure) -> CountedInvitation?
  /// Whether a use of the invitation is free: neither an account nor an unexpired claim has it. Reads few rows, however
  /// many uses the invitation has.
  func hasUse(_ invitation: Invitation, at now: Timestamp) throws(StoreFailure) -> Bool
  /// Whether the claim holds a use of an invitation, or its account has the use.
  func hasUse(for claim: ClaimID) throws(StoreFailure) -> Bool
  /// The oldest unexpired claim of the share that holds a use of the invitation. May be nil if a use is free. Reads one
  /// row, however many uses the invitation has and claims the share has.
  func oldestHolder(of id: InvitationID, _ share: Share, at now: Timestamp) throws(StoreFailure) -> ClaimID?
  /// Takes a free use, for a claim that is about to be added or an account that was added. The store's constraints
  /// ensure that no two transactions take the same use. Each use has its own row, because transactions would wait for
  /// each other at a common row. If the use was held by an expired claim, that claim is removed. Otherwise a regd whose
  /// clock is behind could still prove the claim, and make an account without a use.
  ///
  /// - Returns: Whether there was a free use.
  func takeUse(
    of invitation: Invitation, for holder: InvitationHolder, at now: Timestamp
  ) throws(StoreFailure) -> Bool
  /// Gives a claim the use that another claim holds.
  ///
  /// - Returns: Whether the other claim held a use.
  func moveUse(from old: ClaimID, to new: AddressClaim) throws(StoreFailure) -> Bool
  /// Gives back the use of an account that is about to be removed. If the account got the use from a claim that has not
  /// expired, that claim gets the use back. But if the invitation has been revoked meanwhile, the claim counts as
  /// absent.
  func giveBackUse(of id: AccountID) throws(StoreFailure)
  /// Adds an invitation.
  func add(_ invitation: Invitation) throws(StoreFailure)
  /// Marks an invitation as revoked, unless it is already.
  ///
  /// - Returns: Whether it was not revoked before.
  func revoke(_ id: InvitationID, at time: Timestamp) throws(StoreFailure) -> Bool
  /// The bound of `MailBounds` that admits the mail, or nil if none does. Until this transaction ends, no other
  /// transaction adds a mail for the same address.
  func bound(admitting mail: MailIntent) throws(StoreFailure) -> MailBounds.Part?

  // MARK: Claims, mails, the audit

  /// The claim with this id, unless it has expired, or its invitation was revoked before it made an account.
  func claim(_ id: ClaimID, at now: Timestamp) throws(StoreFailure) -> AddressClaim?
  func claim(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> AddressClaim?
  /// The claim with this id, as `claim(_:at:)` finds it, and the number of wrong codes over all addresses
  /// (`WrongCodes.overAll`). Until this transaction ends, no other transaction guesses the claim's code, or ends the
  /// claim.
  ///
  /// - Returns: The number is unspecified if the guess is right.
  func guessedClaim(
    _ id: ClaimID, _ guess: CodeGuess, at now: Timestamp
  ) throws(StoreFailure) -> (claim: AddressClaim, overAll: Int)?
  /// `requestKnown` if a claim has the request. Otherwise `requestHasAccount` if an account has it. Nil if neither has it.
  func claimOrAccount(of request: RequestKey, at now: Timestamp) throws(StoreFailure) -> ClaimAnswer?
  func claims(after: ClaimID?, limit: Int, at now: Timestamp) throws(StoreFailure) -> [AddressClaim]
  /// Whether there is such a claim, expired or not.
  func hasClaim(_ id: ClaimID) throws(StoreFailure) -> Bool
  /// Whether there is an open registration or change of address for this address, and its invitation is not revoked. When an account with the address
  /// becomes active, it ends these claims.
  func hasOpenClaims(at key: EmailKey) throws(StoreFailure) -> Bool
  func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) throws(StoreFailure) -> WrongCodes
  /// A mail in any state.
  func mail(_ id: MailID) throws(StoreFailure) -> StoredMail?
  /// Waiting mails in the order of their ids, starting after `after`.
  func mails(after: MailID?, limit: Int) throws(StoreFailure) -> [StoredMail]
  /// Whether the audit has an entry about this kind of change of the account, later than `since`.
  func hasEntry(_ change: AuditEntry.Change, of id: AccountID, since: Timestamp) throws(StoreFailure) -> Bool
  func audit(after: Int, limit: Int) throws(StoreFailure) -> [AuditEntry]
  func audit(of id: AccountID, limit: Int) throws(StoreFailure) -> [AuditEntry]
  /// The account and the entries about it, starting after a number, both from the same moment. Call this only within `list`,
  /// because it may begin a separate database transaction.
  func history(of id: AccountID, after: Int, limit: Int) throws(StoreFailure) -> AccountHistory?
  /// How many leaves the audit's tree has. Each entry gets its leaf together with its number.
  func auditSize() throws(StoreFailure) -> Int
  /// The leaf of the entry with this number. Nil if there is no such entry, or if another program has added the entry.
  func auditLeaf(of number: Int) throws(StoreFailure) -> Int?
  /// The hashes that are kept with these leaves.
  func auditHashes(of leaves: [Int]) throws(StoreFailure) -> AuditHashes
  /// When a head of the audit was last read, according to `StoreWrite.noteAuditHead`. Nil if never.
  func auditHeadAt() throws(StoreFailure) -> Timestamp?

  func write(_ write: StoreWrite) throws(StoreFailure)
}

extension StoreTransaction {
  package func holder(of account: Account) throws(StoreFailure) -> StoredAccount? {
    if let holder = try self.account(account.email.key) { return holder }
    return try self.account(account.id)
  }
}

/// One update of an account's values.
package enum AccountUpdate: Sendable {
  /// Changes only `updatedAt`, which serves as the account's mark (`Accounts`).
  case mark
  /// Also erases the account's registrant, unless the state keeps it (`keepsRegistrant`).
  case state(Account.State)
  /// The state `disabled`, and another epoch.
  case disabled(SessionEpoch)
  /// The hash of a password, confirmed at the time of the update, and the new epoch (nil if the password is the
  /// same).
  case password(PasswordHash, SessionEpoch?)
  /// As `password`, by an owner whose code has proven the address.
  case recovered(PasswordHash, SessionEpoch)
  case epoch(SessionEpoch)
  case email(EmailAddress, isProven: Bool)
  case terms(AcceptedTerms)
  case groups(Groups)
  /// Nil for none.
  case displayName(DisplayName?)
}

/// The values that an account must have for an update. Nil admits any value.
package struct ExpectedAccount: Sendable {
  package var state: Account.State?
  package var passwordHash: PasswordHash?

  package init(_ state: Account.State? = nil, having hash: PasswordHash? = nil) {
    self.state = state
    passwordHash = hash
  }
}

/// A write that a store may defer until it commits. If what a write *requires* no longer holds, another transaction has
/// changed the rows since this one read them, and the store repeats the whole transaction.
package enum StoreWrite: Sendable {
  /// Writes an entry of the audit. The entries of a transaction get consecutive numbers in their order.
  case note(AuditEntry.Draft)
  /// Marks for erasure the addresses in all audit entries that the account has so far, because it no longer has these
  /// addresses.
  case endAddresses(of: AccountID, at: Timestamp)
  /// Records that a head of the audit was read.
  case noteAuditHead(at: Timestamp)

  /// Ends claims for the addresses of these accounts, which are no longer pending. An open registration with the
  /// account's id becomes `proven`. Each other open registration and change of address for the account's address
  /// becomes `taken`, and loses its use of an invitation unless it is concealed.
  case endClaims(of: [Account])
  /// Removes the open registration whose proof made the account.
  case endRegistration(of: AccountID)
  /// Removes the account's recoveries and changes of address that are not proven. Decoys and taken changes of address
  /// are also removed. A remaining claim would show its caller that another account has the address.
  case endRest(of: AccountID)
  /// Makes a claim `proven`. Requires that it is open and has not expired.
  case prove(ClaimID, at: Timestamp)
  /// Writes nothing. Requires that a claim is open and has not expired, and that its invitation is not revoked.
  case requireOpen(AddressClaim, at: Timestamp)
  /// Adds a mail and then its claim, which replaces an expired claim with the same request. Sets the claim's `mailed` to
  /// the bound that admits the mail. Unless that is the address's bound, removes older claims as
  /// `ClaimBounds.unmailedPerAddress` demands. Requires that no other claim or account has the request.
  case addClaim(AddressClaim, MailIntent, at: Timestamp)
  /// Gives a claim the new values of `Accounts.renew`. Requires that the claim has not changed since it was seen, and
  /// has not expired.
  case renewClaim(AddressClaim, seen: AddressClaim, MailIntent?, at: Timestamp)
  case removeClaim(ClaimID)
  /// Writes the claim's `attempts`, `generation` and `codeUntil` after a wrong guess.
  case countGuess(AddressClaim)
  /// Counts a wrong code at the address.
  case noteWrongCode(at: EmailKey, Timestamp)
  /// Passes the claim's use of an invitation, if any, to the account. If the account's registration is released, the
  /// claim has the use again.
  case passUse(from: ClaimID, to: AccountID, at: Timestamp)
  /// Erases the address and the note of the invitation of a single use that the account has.
  case forgetInvitation(of: AccountID)
  /// Removes all claims with the account's id. Claims of others for its address remain.
  case forgetClaims(of: Account)

  /// Adds a mail as `Accounts.add` defines.
  case addMail(MailIntent)
  /// Leases a mail for this regd. Requires that it waits, and that no other regd has a lease.
  case leaseMail(MailID)
  /// Records a failed try to send a mail. Requires the same as `leaseMail`.
  case putOffMail(StoredMail)
  /// Ends a mail. Requires that it waits.
  case endMail(MailID, StoredMail.State, reason: String?)
  /// Removes all mails with the account's id, and those for its address that belong to no claim.
  case forgetMails(of: Account)
}

extension StoreWrite {
  static func note(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) -> StoreWrite {
    .note(AuditEntry.Draft(change, account, stamp))
  }
}

/// A transaction of a database that reports more about a failure than a `StoreFailure` does, such as whether the
/// transaction may succeed if it is repeated. The store that runs the transaction gets the database's failure.
package protocol DatabaseTransaction: StoreTransaction {
  associatedtype Failure: DatabaseFailure

  /// The last failure of the database in this transaction.
  var failure: Failure? { get set }
}

/// What a database reports about a failure.
package protocol DatabaseFailure: Error {
  var storeFailure: StoreFailure { get }

  /// - Parameter failure: A failure that an operation has thrown although no statement of its transaction had failed.
  init(_ failure: StoreFailure)
}

extension DatabaseTransaction {
  /// Runs statements. If they fail, keeps the database's failure, and throws the failure that callers get.
  @discardableResult
  package func kept<Value>(_ statements: @autoclosure () throws(Failure) -> Value) throws(StoreFailure) -> Value {
    try keeping(statements)
  }

  /// As `kept`, for more than one statement.
  @discardableResult
  package func keeping<Value>(_ statements: () throws(Failure) -> Value) throws(StoreFailure) -> Value {
    do {
      return try statements()
    } catch {
      failure = error
      throw error.storeFailure
    }
  }

  /// Runs an operation in this transaction.
  ///
  /// - Throws: The database's failure.
  package func run<Value>(
    _ operation: (any StoreTransaction) throws(StoreFailure) -> Value
  ) throws(Failure) -> Value {
    do {
      return try operation(self)
    } catch {
      throw failure ?? Failure(error)
    }
  }
}
