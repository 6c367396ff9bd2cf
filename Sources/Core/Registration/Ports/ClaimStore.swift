/// Keeps claims of addresses (`AddressClaim`): the part of an `AccountStore` that decides who owns an address.
///
/// The rules of `AccountStore` apply here too: operations are atomic, durable and serializable, and fail or are
/// cancelled as described there. In addition:
/// - An operation treats a claim as absent if the claim expired before the operation's `now` or stamp.
/// - *When an account becomes active, or is added in another state than pending* (`prove`, `activate`, `insert`,
///   `importing`, `changeEmail`), *the same transaction ends the open claims for its address*: the claim that made the
///   account becomes `proven`, and each other open registration or change of address becomes `taken`. Recoveries remain
///   open. A pending account ends no claim.
/// - *A new password* (`setPassword`, `changePassword`, `recover`) *and a new address end* the account's recoveries and
///   changes of address that are not proven: the store removes them, except for the claim that the operation itself
///   proved. Decoys and taken changes of address are also removed. A remaining claim would show its caller that another
///   account has the address.
/// - *Deleting an account* also deletes all its requests, all claims and mails with its id, and the mails for its
///   address that belong to no claim. Claims of others for its address, and their mails, remain until they expire. The
///   counts of mails also remain until they expire. They are keyed hashes (`MailCounter`), which do not reveal an
///   address.
/// - An operation adds the mail that it is given in its own transaction, as `MailStore.add` describes. The mail then
///   waits to be sent, or leaves no trace if `MailBounds` do not admit it.
package protocol ClaimStore: Sendable {
  /// The key of the codes: 32 random bytes that were made with the store and never change. Every regd that has the store open
  /// uses the same key, and the key moves with the accounts.
  var codeKey: CodeKey { get }

  /// Adds a claim and its mail. If `MailBounds` do not admit the mail, no code proves the claim. `ClaimBounds` limits
  /// how many claims an address may have if the address's own bound did not admit their mails.
  ///
  /// A change. After `unknown`, a look-up by the id shows whether the claim was added. A claim of kind `changeOfEmail`
  /// with a password hash is added only while its account is active and has this hash, so that a caller with an older
  /// password cannot claim an address.
  ///
  /// - Parameter invitation: The invitation of which the claim takes a use. If no use is left, the oldest claim by the
  ///   same user and origin is removed, and the new claim takes over its use. Without an origin, this happens only if
  ///   the invitation has a single use. If the address's bound does not admit the mail, the claim takes no use.
  func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer

  /// The claim with this id. A look-up.
  func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim?

  /// The registration claim that this request asked for. A look-up.
  func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim?

  /// The counts of wrong codes: for this address, and for all addresses together. A look-up.
  ///
  /// - Parameter limit: The number at which counting for the address stops, at least 1.
  func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes

  /// Checks a guess of a claim's code, and counts a wrong one for the claim and for its address. The count for the
  /// address remains when its account is deleted. The last wrong guess that the claim allows removes the claim. A
  /// hidden claim allows one wrong guess, which is not counted for the address. If wrong codes over all addresses are
  /// so many that new codes are long, a wrong guess also ends the claim's present code, unless that code is long
  /// (`AddressClaim.afterWrongGuess`). A correct guess writes nothing. The caller then proves the claim.
  ///
  /// A change. After `unknown`, a wrong guess may have been counted. A repeat may count it again.
  func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer

  /// Sends the mail again, or gives the claim another code. A compare-and-set. Does nothing if the claim got another
  /// generation or another `resendAt` since the caller read it, or if the claim is hidden and `mail` is given. A hidden
  /// claim remains hidden. Afterwards, `mailed` is the bound that admitted the mail or an earlier mail with the same
  /// code. If the address's bound admitted one of them, it is that bound. Without a mail, `mailed` keeps its value. If
  /// a claim was made with an invitation and has no use of it yet, the claim takes a use together with its mail. If no
  /// use is left, or only a known share's own bound admits the mail, no mail is added.
  ///
  /// A change. After `unknown`, a look-up shows whether it was done.
  ///
  /// - Parameters:
  ///   - claim: The claim's new state. Only `generation`, `digits`, `codeUntil` and `resendAt` count.
  ///   - seen: The claim as the caller read it.
  /// - Returns: Whether it was done.
  func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// Removes a claim in any state, so that its request is free again.
  ///
  /// An idempotent change.
  func end(_ id: ClaimID) async throws(StoreFailure)

  /// Adds the account that an open claim of kind `registration` makes, with the claim's request. If the account is
  /// active or waiting, the claim becomes `proven`, as described above. If the account is pending, the `AddressClaim`
  /// remains open, and this regd gets the claim of the account, as in `insert`.
  ///
  /// A change. After `unknown`, a look-up by the account's id shows whether it was added.
  ///
  /// - Parameters:
  ///   - account: The account to add, whose id is the claim's account id. The account gets the invitation's use that the claim
  ///     holds.
  ///   - notice: A mail that the store adds in the same transaction.
  func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer

  /// Records the terms that the owner of an active account has accepted. Does nothing if the account's terms already
  /// have this version.
  ///
  /// An idempotent change.
  ///
  /// - Parameter hash: The hash of the password that the owner has given.
  /// - Returns: The account afterwards, or nil if it is gone, not active, or has another password.
  func acceptTerms(
    of id: AccountID, _ terms: AcceptedTerms, having hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Sets the password of the active account of an open claim of kind `recovery`, and makes the claim `proven`.
  ///
  /// A change. After `unknown`, the claim's state shows whether it was done.
  ///
  /// - Parameters:
  ///   - account: The claim's account.
  ///   - epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if the claim is gone, not open or of another account, or if the account is
  ///   not active.
  func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Replaces the hash of an active account by the hash of another password, if it is still `old`. A compare-and-set.
  ///
  /// A change. A repeat after success returns nil.
  ///
  /// - Parameter epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if nothing was changed.
  func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Gives an active account another address.
  ///
  /// A change. After `unknown`, a look-up by the account's id shows whether it was done.
  ///
  /// - Parameters:
  ///   - old: The account's address key, as the caller read it.
  ///   - hash: The hash of the password that the owner has given, or nil if that hash was checked when `claim` was
  ///     added.
  ///   - claim: The open claim of kind `changeOfEmail` that the operation proves, or nil if no proof is required. If
  ///     the claim is gone or not open, nothing is changed.
  func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer

  /// Claims in any state, in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most claims to return, at least 1.
  func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim]

  /// The audit entries of one account, in the order of their numbers: the latest `limit` of them. A list.
  func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry]

  /// The account with this id in any state, and the entries about it, starting after the number `after`, both from the same
  /// moment: each change is in both or in neither. A list. Fails with `unavailable` if the account cannot be read.
  ///
  /// - Parameter limit: The most entries to return, at least 1.
  /// - Returns: Nil if there is no such account.
  func history(of id: AccountID, after: Int, limit: Int) async throws(StoreFailure) -> AccountHistory?

  /// Removes what has expired:
  /// - Claims, with their waiting mails.
  /// - Other mails that no longer wait, and counts of mails, if older than `MailBounds.span`.
  /// - Wrong codes older than `CodeBounds.span`.
  /// - In the audit, addresses whose accounts were deleted or released, or got another address, before
  ///   `addressesBefore`.
  /// - The addresses and notes of invitations that expired or were revoked before `addressesBefore`, and of invitations
  ///   of a single use that was used before then.
  ///
  /// Makes room if there are more claims than `ClaimBounds.all`. Removed data remains neither in the store's files nor
  /// in copies made afterwards.
  ///
  /// A change that regd makes by itself, and may repeat after any failure.
  ///
  /// - Parameter limit: The most records of each kind to remove.
  /// - Returns: Whether more may be left.
  func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool
}

/// A store's two secret keys: one for the codes of claims, and one for the stamps of sign-ins (`SessionStamps`).
package struct StoreKeys: Equatable, Sendable {
  package let codes: CodeKey
  package let stamps: CodeKey

  package init(codes: CodeKey, stamps: CodeKey) { (self.codes, self.stamps) = (codes, stamps) }

  package static func random() -> StoreKeys { StoreKeys(codes: .random(), stamps: .random()) }
}

/// A secret key, for the codes of claims or for the stamps of sign-ins. Its description hides the bytes, so that no log
/// line can show them.
package struct CodeKey: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// - Parameter bytes: 32 bytes. The result is nil for any other number.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  package static func random() -> CodeKey {
    var random = SystemRandomNumberGenerator()
    return CodeKey(unchecked: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  package var description: String { "(key of codes)" }
}

package enum ClaimAnswer: Equatable, Sendable {
  case added
  /// The request has a claim already. Nothing was changed.
  case requestKnown(AddressClaim)
  /// The request has an account already. Nothing was changed.
  case requestHasAccount(KnownRequest)
  /// The account whose address was to change is gone, not active, or has another password. Nothing was changed.
  case outdated
  /// The invitation does not admit the address, or no longer does. Nothing was changed.
  case invitationRejected
}

package enum GuessAnswer: Equatable, Sendable {
  /// The code is correct. The claim is returned in any state.
  case right(AddressClaim)
  /// `attemptsLeft` is 0 if the claim has ended.
  case wrong(attemptsLeft: Int)
  /// The claim got another code after the caller compared the guess. Nothing was counted.
  case outdated
  case gone
}

package enum ProofAnswer: Equatable, Sendable {
  case added
  /// This account already has the address or the id. If an earlier try to prove the claim made this account, and the
  /// account is not pending, the claim is now `proven`.
  case taken(StoredAccount)
  /// The claim is gone, or not open.
  case gone
  /// `WaitingBounds` do not admit another waiting account of the registrant. Nothing was changed.
  case tooManyWaiting
}

package enum EmailChangeAnswer: Equatable, Sendable {
  case changed(Account)
  /// Another account has the new address, or had it at some time since the claim was made.
  case taken
  /// The account is gone, is not active, or got another address or password, or the claim is gone.
  case gone
}
