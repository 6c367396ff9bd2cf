/// Keeps accounts. The one place where uniqueness is decided.
///
/// What holds for every store:
/// - Each operation is atomic: it is wholly done or, with a failure other than `unknown`, wholly not.
/// - An operation that has returned is durable: it survives a killed process and a killed machine, if the store is durable
///   at all (`StoreBackend.isDurable`).
/// - At most one account has a given key, and at most one registration a given request, however many calls run at once.
///   The store's own constraint decides, never a look before a write. The call that comes second is told so by its answer;
///   that is no failure.
/// - Keys and ids are compared byte by byte, with no collation.
/// - Operations are serializable: nothing of a later one is seen by an earlier one.
/// - An operation that changes an account writes an entry of the audit in the same transaction, with the stamp that came
///   with it; one that changes nothing writes none. The store's observer is told of each entry after the commit, in the
///   order of the numbers.
///
/// Several regd may have one store open. Each has an instance's name (`Claimant`), which is the same after a restart:
/// - A *claim* of a pending account says which regd may ask the upstream for it, and until when, by the store's own clock.
///   It lasts for the claimant's lease, unless it is ended earlier; a claim that has run out is none. An account has one
///   claim at most. One's own claim stands in no way: what this regd has asked before a restart is its own.
/// - A *mark* is the account's `updatedAt`. It is the fence: whoever takes an account over gives it another mark, and what
///   the regd before still does by its own mark changes nothing.
/// - Every entry of the audit has the instance of the regd that made the change.
///
/// Failures. Each operation may fail with those of its kind, and its own documentation says more where more is to be said:
/// - A *look-up* (`find`, `released`) fails with `unavailable`, with `cancelled`, or with `unknown` if a commit in doubt
///   concerns what was asked for and cannot be settled now. It never changes anything.
/// - A *list* (`list`, `pending`, `audit`) fails with `unavailable` or `cancelled`. A row that cannot be read is left out
///   and reported to the store's damage observer, once; a page shorter than its limit is the last one all the same. A
///   look-up of such a row, or a change of it, fails with `unavailable`.
/// - A *change* (all others but `check`) fails with any `StoreFailure`. After `unavailable`, `full`, `readOnly` and
///   `cancelled` nothing was changed, and the same call may be made again. After `unknown` it was wholly done or wholly
///   not; a look-up tells which, once it succeeds.
///
/// Cancellation. An operation that waits for its turn fails with `cancelled` if its task is cancelled before the turn comes;
/// a store that never waits does not fail so. From its turn on an operation is done to its end, and its answer is given.
/// The changes that say so ignore cancellation: they record what an upstream or an authority has said, which is true
/// whether or not a caller still waits.
package protocol AccountStore: AuditLog, ClaimStore, MailStore, Sendable {
  /// Adds an account in the state that it has, and notes the request that it was made by. A pending one is claimed by this
  /// regd.
  ///
  /// A change. After `unknown`, a look-up by the request or by the id tells whether the account was added.
  ///
  /// - Returns: `requestKnown` if the request has an account already, which is looked at first; `taken` with the account
  ///   that has the key. Nothing was changed then.
  func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer

  /// The account with this key in any state. A look-up.
  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount?

  /// The account with this id in any state. A look-up.
  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount?

  /// The registration that was asked for by this request; nil also if its account is gone. A look-up.
  func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest?

  /// Notes a request as one that has asked for an account, with the hash that the account has now. The account itself does
  /// not change: `updatedAt` stays, and the audit has no entry.
  ///
  /// A change that ignores cancellation: a caller that has given up is to find its registration by the request. May be
  /// repeated after any failure; a request that was noted stays noted.
  ///
  /// - Returns: Which account the request belongs to afterwards; if it was another's before, nothing was changed.
  func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer

  /// Makes a pending account active.
  ///
  /// A change, and idempotent: an account that is active stays as it is, `updatedAt` too, so that it may be repeated after
  /// any failure. No claim stands in its way, for it is the upstream's own word; the claim ends, and what is noted of
  /// deliveries is forgotten.
  ///
  /// - Returns: The account as it is afterwards; nil if none is there that is pending or active.
  func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Marks a pending account as asked for once more, by a later `updatedAt`, and claims it for this regd: the caller that
  /// reserved it can then no longer release it. A compare-and-set. What is noted of deliveries stays.
  ///
  /// A change. After `unknown`, `updatedAt` tells whether it was marked; a repeat with the same `seen` answers `gone` if so.
  ///
  /// - Parameters:
  ///   - seen: The `updatedAt` that the account was read with.
  ///   - stamp: Its time is later than `seen`.
  /// - Returns: `claimed` where another regd has the claim, whatever the mark is; nothing was changed then.
  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer

  /// Claims a pending account for another lease that still bears the mark which this regd has given it. The account itself
  /// does not change: `updatedAt` stays, and the audit has no entry. A compare-and-set.
  ///
  /// A change, and idempotent: it may be repeated after any failure.
  ///
  /// - Parameters:
  ///   - seen: This regd's own mark.
  ///   - share: Whose turn it takes.
  /// - Returns: Whether this regd has the claim; false if the account is gone, not pending, was changed since `seen`, or is
  ///   claimed by another regd.
  func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool

  /// Removes a pending account that has not been changed since `seen`, and that no other regd has a claim of; its address
  /// and its requests are free again. Any other stays. A compare-and-set.
  ///
  /// A change. After `unknown`, a look-up by the id tells whether the account is still there.
  ///
  /// - Parameter remembered: Whether the store remembers, for each request of the account, what it was reserved as: the
  ///   upstream may have it after all, and must then be asked for the very same. It remembers at most
  ///   `ReleasedRegistration.mostPerUser` of a user (past that, of the origin with the most the oldest go, until
  ///   `mostLeft` are left), and none for longer than `lifetime`. The origin is who has reserved the account.
  /// - Returns: Whether it was removed.
  func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// What this request was reserved as, for an address with this key, and released from again. A look-up.
  ///
  /// Inserting an account under the request, with one of these ids or another, takes nothing from the memory; deleting an
  /// account takes all that is remembered of its address.
  ///
  /// - Parameter now: What was released longer ago than `ReleasedRegistration.lifetime` is not given.
  /// - Returns: The latest release first; each id once; at most `ReleasedRegistration.mostGiven`.
  func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration]

  /// Replaces the hash by another, of the same password or, where the upstream is the authority for sign-ins, of another
  /// one, unless it is no longer `old`. It is confirmed as of the stamp's time. A compare-and-set.
  ///
  /// A change that ignores cancellation: the hash records what the authority has said. A repeat after it was done answers
  /// false.
  ///
  /// - Returns: Whether it was replaced.
  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// Notes when the authority for passwords has last accepted the one that the hash is of, or that it has refused the
  /// account since. The account itself does not change: `updatedAt` stays, and the audit has no entry.
  ///
  /// A change that ignores cancellation, and idempotent: it may be repeated after any failure.
  ///
  /// - Parameter time: Nil for refused. Of two times the later one stays.
  /// - Returns: Whether there is such an account.
  func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool

  /// Notes in the audit that much was guessed at the account, unless that was noted within the day before the stamp's time. The
  /// account itself does not change.
  ///
  /// A change, and idempotent: it may be repeated after any failure.
  ///
  /// - Returns: Whether it was noted now; false also where there is no such account.
  func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool

  // MARK: For the outbox

  /// Pending accounts in the order of their ids, which is the order in which they were made, beginning behind `after`. A
  /// list. Where only what is noted of deliveries cannot be read, the account is given without it.
  ///
  /// - Parameter limit: At most as many; 1 or more.
  func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount]

  /// The account with this id, if it is pending. A look-up.
  func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount?

  /// Notes what came of asking the upstream for a pending account, and ends this regd's claim of it. The account itself
  /// does not change: `updatedAt` stays, and the audit has no entry. A compare-and-set.
  ///
  /// A change that ignores cancellation: it records what has happened. Idempotent: it may be repeated after any failure.
  ///
  /// - Parameters:
  ///   - seen: The mark under which this regd has asked.
  ///   - delivery: Takes the place of what was noted before.
  /// - Returns: Whether it was noted; false if the account is gone, not pending, or was changed since `seen`, as it is
  ///   where another regd has taken it over.
  func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async throws(StoreFailure) -> Bool

  // MARK: For administrators

  /// Sets the hash of another password, confirmed as of the stamp's time. The requests that made the account keep theirs.
  ///
  /// A change. A repeat after `unknown` sets the same hash again, and writes another entry of the audit.
  ///
  /// - Returns: The account as it is afterwards; nil if there is none.
  func setPassword(of id: AccountID, to hash: PasswordHash, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Makes an active account disabled, or a disabled one active. A pending one stays as it is.
  ///
  /// A change, and idempotent: an account that has the state stays as it is, so that it may be repeated after any failure.
  ///
  /// - Parameter isEnabled: Whether it is to be active.
  /// - Returns: The account as it is afterwards; nil if there is none.
  func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Removes an account in any state, with its requests and what is remembered of its address; its address is free again.
  /// A pending one that another regd has a claim of stays.
  ///
  /// A change. A repeat after it was done answers `gone`.
  ///
  /// - Parameter hash: That of the password which the owner has shown; nil for an administrator. An account with another one stays.
  func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer

  /// Accounts in any state, in the order of their ids, beginning behind `after`. A list.
  ///
  /// - Parameter limit: At most as many; 1 or more.
  func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount]

  /// Adds accounts from elsewhere, all that can be: one that cannot is no reason to leave out the others. A pending one has
  /// no claim.
  ///
  /// A change: after a failure other than `unknown`, none was added. Idempotent: an account that is there already answers
  /// `present`, so that all of them may be given again after any failure.
  ///
  /// - Returns: What became of each, in their order.
  func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer]

  /// Whether the store answers and is still what was opened; the daemon calls it every two seconds. Settles a commit that
  /// is in doubt, if it can be settled.
  ///
  /// - Throws: `unavailable`, with what is wrong for the log and `daemon.status`; `cancelled` if the task was cancelled.
  ///   No account was changed.
  func check() async throws(StoreFailure)

  /// Returns when all commits have ended that were under way at the call, whichever regd has begun them: what a look-up does not
  /// find from then on was done by none of them. A regd that was killed may have left one at a server.
  ///
  /// Returns at once where a change is seen as soon as it is done. Changes nothing, and fails as a look-up does.
  ///
  /// - Parameter share: Whose turn it takes.
  func awaitCommits(for share: Share) async throws(StoreFailure)

  /// The count of guesses that all regd of this store share; nil where there is none, for one regd has the store for
  /// itself. The same for as long as the store is open.
  var sharedThrottle: (any SharedThrottle)? { get }
}

extension AccountStore {
  package var sharedThrottle: (any SharedThrottle)? { nil }
  package func awaitCommits(for share: Share) async throws(StoreFailure) {}

  /// Removes an account, whatever its password is.
  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer {
    try await delete(id, having: nil, stamp)
  }
}

/// The record of changes, for operators and for reconciling.
package protocol AuditLog: Sendable {
  /// Entries in the order of their numbers, beginning behind `after`. A list, as `AccountStore` says it.
  ///
  /// - Parameters:
  ///   - after: 0 begins with the first.
  ///   - limit: At most as many; 1 or more.
  func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry]
}
