/// Keeps claims of addresses: the part of an `AccountStore` that is about whose address it is.
///
/// What holds for an `AccountStore` holds here too: atomic, durable, serializable; failures and cancellation as it says them.
/// In addition:
/// - A claim that has expired, by the time that comes with an operation, is not there for any operation.
/// - *An account that becomes active* (`prove`, `activate`, `insert`, `importing`, `changeEmail`) *ends, in the same transaction,
///   all open claims for its address*: those of kind `recovery` stay; a claim with that very account and of the kind that made
///   it becomes `proven`; each other open registration and change of address becomes `taken`. A pending account ends none.
/// - *A password that was set* (`setPassword`, `changePassword`, `recover`) *and an address that was changed end* the account's open
///   recoveries and changes of address: they are removed, but for the one that was proven by it.
/// - *An account that is deleted* takes with it all claims and mails for its address or with its id, and every request. What was
///   counted of mails stays for its time: keyed hashes (`MailCounter`), of which nobody can read an address.
/// - A mail that comes with an operation is written in its transaction, as `MailStore.add` says it: it waits, or leaves no trace if
///   `MailBounds` do not admit it.
package protocol ClaimStore: Sendable {
  /// 32 random bytes that were made with the store, and stay the same for as long as it is: the key of the codes. The same for
  /// every regd that has the store open; it moves with the accounts.
  var codeKey: CodeKey { get }

  /// Adds a claim and the mail that it asks for. Where that is not admitted the claim has no code, and there is room for so many
  /// such claims of one address as `ClaimBounds` say.
  ///
  /// A change. After `unknown`, a look-up by the id tells whether it was added. A change of address that
  /// has a hash is added only while its account is active and has that hash: a caller with an older password claims nothing.
  func add(_ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp) async throws(StoreFailure) -> ClaimAnswer

  /// The claim with this id. A look-up.
  func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim?

  /// The registration's claim that was asked for by this request. A look-up.
  func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim?

  /// Wrong codes of claims for this address, and over all. A look-up.
  ///
  /// - Parameter limit: Counted so far at the address; 1 or more.
  func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes

  /// Counts a try at a claim's code, and says what it comes to. A wrong one is counted for the claim and for the address, also
  /// after the account of the address is deleted; the last one that the claim has ends it, which removes it. A right one writes nothing,
  /// and what it proves is still to be done.
  ///
  /// A change. After `unknown`, a wrong guess may have been counted; a repeat may count another one.
  func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer

  /// Has the mail sent again, or gives the claim another code. A compare-and-set: nothing is done if the claim has had another
  /// generation or another `resendAt` since it was read. Afterwards it has a code if the mail was admitted, or if it had this
  /// one; without a mail, if it had one.
  ///
  /// A change. After `unknown`, a look-up tells.
  ///
  /// - Parameters:
  ///   - claim: As it is to be; of it `generation`, `digits`, `codeUntil` and `resendAt` count.
  ///   - seen: As it was read.
  /// - Returns: Whether it was done.
  func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// Removes a claim, whatever it is; its request is free again.
  ///
  /// A change, and idempotent.
  func end(_ id: ClaimID) async throws(StoreFailure)

  /// Adds the account that an open claim of kind `registration` makes, with the claim's request. One that is active makes the claim
  /// `proven`, as said above; a pending one is claimed by this regd, as with `insert`, and leaves the claim open.
  ///
  /// A change. After `unknown`, a look-up by the account's id tells whether it was added.
  ///
  /// - Parameter account: Its id is the claim's.
  func prove(_ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp) async throws(StoreFailure) -> ProofAnswer

  /// Sets the password of the active account that an open claim of kind `recovery` is about, and makes the claim `proven`.
  ///
  /// A change. After `unknown`, the claim's state tells.
  ///
  /// - Parameter account: The claim's.
  /// - Returns: The account as it is afterwards; nil if the claim is gone, not open or another account's, or the account is not
  ///   active.
  func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Replaces the hash of an active account by that of another password, unless it is no longer `old`. A compare-and-set.
  ///
  /// A change. A repeat after it was done answers nil.
  ///
  /// - Returns: The account as it is afterwards; nil if nothing was changed.
  func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Gives an active account another address.
  ///
  /// A change. After `unknown`, a look-up by the account's id tells.
  ///
  /// - Parameters:
  ///   - old: The key that it was read with.
  ///   - hash: That of the password which the owner has shown; nil where `claim` was added for it.
  ///   - claim: The open claim of kind `changeOfEmail` that this proves; nil where none is asked for. If it is not there, nothing
  ///     is done.
  func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer

  /// Claims in any state, in the order of their ids, beginning behind `after`. A list.
  ///
  /// - Parameter limit: At most as many; 1 or more.
  func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim]

  /// The entries of the audit about one account, in the order of their numbers, the latest `limit` of them. A list.
  func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry]

  /// The account with this id in any state, and the latest `limit` entries about it, both as they were at one time: no change is in
  /// one of them alone. A list; an account that cannot be read is `unavailable`.
  ///
  /// - Returns: Nil if there is no such account.
  func history(of id: AccountID, limit: Int) async throws(StoreFailure) -> AccountHistory?

  /// Removes what has had its time: claims that have expired, with the mails that wait for them; mails that wait no more, and
  /// counts of mails, older than `MailBounds.span`; wrong codes older than `CodeBounds.span`; and the addresses of the audit whose
  /// account was deleted or released, or has had another address, since before `addressesBefore`. Makes room where there are more
  /// claims than `ClaimBounds.all`. What was removed is nowhere in the store's files, nor in copies made afterwards.
  ///
  /// A change of regd's own. May be repeated after any failure.
  ///
  /// - Parameter limit: At most so many of each kind.
  /// - Returns: Whether there may be more.
  func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool
}

/// The key that codes of claims are made with. It has no description, so that no log line can show it.
package struct CodeKey: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// - Parameter bytes: 32; nil for any other number.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A new one.
  package static func random() -> CodeKey {
    var random = SystemRandomNumberGenerator()
    return CodeKey(unchecked: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  package var description: String { "(key of codes)" }
}

package enum ClaimAnswer: Equatable, Sendable {
  case added
  /// The request has a claim already; nothing was changed.
  case requestKnown(AddressClaim)
  /// The request has an account already; nothing was changed.
  case requestHasAccount(KnownRequest)
  /// The account that is to have another address is gone, not active, or has another password; nothing was changed.
  case outdated
}

package enum GuessAnswer: Equatable, Sendable {
  /// The code is right; the claim as it is, in any state.
  case right(AddressClaim)
  /// `attemptsLeft`: 0 if the claim is over.
  case wrong(attemptsLeft: Int)
  /// The claim has had another code since it was compared; nothing was counted.
  case outdated
  case gone
}

package enum ProofAnswer: Equatable, Sendable {
  case added
  /// This account has the address, or the id; it may be the claim's own. An own one that is active has made the claim `proven`.
  case taken(StoredAccount)
  /// The claim is gone, or not open.
  case gone
}

package enum EmailChangeAnswer: Equatable, Sendable {
  case changed(Account)
  /// Another account has the new address, or has had it since the claim was made.
  case taken
  /// The account is gone, not active, or has had another address or password since; or the claim is gone.
  case gone
}
