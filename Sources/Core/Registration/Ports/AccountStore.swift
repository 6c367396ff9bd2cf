/// Keeps accounts. Only the store decides whether an address or a request is unique.
///
/// Rules for every store:
/// - Each operation is atomic: it is done completely or not at all. After a failure other than `unknown`, it was not
///   done.
/// - If the store is durable (`StoreBackend.isDurable`), an operation that has returned survives a killed process and a
///   killed machine.
/// - At most one account has a given address key (`EmailKey`), and at most one registration has a given request
///   (`RequestKey`), however many calls run at once. The store's own constraint ensures this, not a look-up before the
///   write. A later call with the same key or request does not fail, but returns the account that was first.
/// - Keys and ids are compared byte by byte, with no collation.
/// - Operations are serializable: an earlier one sees no effect of a later one.
/// - An operation that changes an account writes an audit entry in the same transaction, with the call's stamp (time
///   and requester). An operation that changes nothing writes no entry. After the commit, the store reports each entry
///   to its observer, in the order of the entries' numbers.
///
/// Several regd processes may have one store open. Each has an instance name (`Claimant`), which remains the same after
/// a restart:
/// - A *claim* of a pending account determines which regd may ask the upstream for the account, and until when, by the
///   store's own clock. A claim lasts for `Claimant.lease`, unless it is ended earlier. An expired claim has no effect.
///   An account has at most one claim. A regd's own claim never blocks that regd, even after a restart.
/// - A *mark* is the account's `updatedAt`. It serves as a fence. A regd that takes over an account gives the account
///   another mark. Changes that the previous regd still makes under the old mark then have no effect.
/// - Every audit entry names the instance of the regd that made the change.
///
/// Failures. Each operation may fail with the failures of its kind, and with those that its own documentation names:
/// - A *look-up* (`find`, `released`) fails with `unavailable`, with `cancelled`, or with `unknown` if a commit in
///   doubt (one whose outcome the store does not know) concerns the record and cannot be settled now. It never changes
///   anything.
/// - A *list* (`list`, `pending`, `audit`) fails with `unavailable` or `cancelled`. The store skips a row that cannot
///   be read, reports it to the damage observer once, and continues. Only the last page is therefore shorter than its
///   limit. A look-up of such a row, or a change of it, fails with `unavailable`.
/// - A *change* (every other operation except `check`) fails with any `StoreFailure`. After `unavailable`, `full`,
///   `readOnly` and `cancelled` nothing was changed, and the caller may repeat the call. After `unknown`, the change
///   was done completely or not at all. A look-up that succeeds shows which.
///
/// Cancellation. An operation that waits in the store's queue fails with `cancelled` if its task is cancelled before
/// its turn comes. A store without a queue never fails like this. Once its turn has come, an operation runs to its end
/// and returns its answer. Some changes ignore cancellation, as their documentation states: they record an answer of the
/// upstream, which is true whether or not a caller still waits.
package protocol AccountStore: ApprovalStore, AuditLog, ClaimStore, InvitationStore, MailStore,
  SessionStore, StoreEntrances
{
  /// Adds an account in its given state, and records the request that asked for it. This regd gets the claim of the
  /// account if it is pending.
  ///
  /// A change. After `unknown`, a look-up by the request or by the id shows whether the account was added.
  ///
  /// - Returns: `requestKnown` if the request already has an account, which is checked first. `taken` with the account
  ///   that already has the address. `tooManyWaiting` if the account waits, and `WaitingBounds` do not admit another
  ///   one of its registrant. After every answer except `inserted`, nothing was changed.
  func insert(
    _ account: StoredAccount, request: RequestKey?, _ admission: Admission, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer

  /// The account with this key, in any state. A look-up.
  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount?

  /// The account with this id, in any state. A look-up.
  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount?

  /// The registration that this request made, or nil if there is no such registration or its account is gone. A
  /// look-up.
  func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest?

  /// Records that a request has asked for an existing account, and keeps the account's present password hash with the
  /// request. The account itself does not change: `updatedAt` keeps its value, and the audit gets no entry.
  ///
  /// A change that ignores cancellation, because a caller that no longer waits must find its registration by the
  /// request later. The caller may repeat it after any failure. A recorded request remains recorded.
  ///
  /// - Returns: Which account the request belongs to afterwards. If it belonged to another account before, nothing was
  ///   changed.
  func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer

  /// Makes a pending account active.
  ///
  /// An idempotent change: an active account remains unchanged, including its `updatedAt`. The caller may therefore
  /// repeat the change after any failure. Another regd's claim does not prevent the change, because the upstream itself
  /// has confirmed the account. Any claim ends, and the recorded outcome of asking the upstream is removed.
  ///
  /// - Parameter notice: A mail to add, but only if an administrator had approved the account.
  /// - Returns: The account afterwards, or nil if there is no pending or active account with this id.
  func activate(
    _ id: AccountID, approved notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Claims a pending account for this regd and gives it a later `updatedAt` (its new mark), before this regd asks the
  /// upstream again. Because of the new mark, the call that reserved the account can no longer release it. A
  /// compare-and-set. The recorded outcome of the last delivery remains.
  ///
  /// A change. After `unknown`, the account's `updatedAt` shows whether the change was done. If it was, a repeat with
  /// the same `seen` answers `gone`.
  ///
  /// - Parameters:
  ///   - seen: The `updatedAt` that the caller read.
  ///   - stamp: Its time must be later than `seen`.
  /// - Returns: `claimed` if another regd has the claim, whatever the mark is. In that case, nothing was changed.
  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer

  /// Renews this regd's claim of a pending account for another lease, if the account still has the mark that this regd
  /// gave it. The account itself does not change: `updatedAt` keeps its value, and the audit gets no entry. A
  /// compare-and-set.
  ///
  /// An idempotent change: the caller may repeat it after any failure.
  ///
  /// - Parameters:
  ///   - seen: This regd's own mark.
  ///   - share: The user and origin in whose queue the operation waits.
  /// - Returns: Whether this regd has the claim. False if the account is gone, not pending, was changed since `seen`,
  ///   or is claimed by another regd.
  func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool

  /// Removes a pending account, unless it was changed since `seen` or another regd claims it. Its address and its
  /// requests are free again. A compare-and-set.
  ///
  /// A change. After `unknown`, a look-up by the id shows whether the account still exists.
  ///
  /// - Parameter remembered: Whether the store remembers the released registration for each request of the account.
  ///   True if the upstream may have the account after all, because regd must then ask for the same registration again.
  ///   The store remembers a release for `ReleasedRegistration.lifetime` at most, and at most `mostPerUser` releases of
  ///   a user. Beyond that, it forgets releases of the user until `mostLeft` remain. Each time it forgets the oldest
  ///   release of the origin with the most releases. The origin of a release is the one that reserved the account.
  /// - Parameter endingClaim: Whether the claim whose proof made the account ends, because the upstream has refused the
  ///   registration for good.
  /// - Returns: Whether the account was removed.
  func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// The registrations that were reserved for this request and an address with this key, and then removed by `release`.
  /// A look-up.
  ///
  /// The store keeps them when an account is inserted under the request. When an account is deleted, the store forgets
  /// all releases of its address.
  ///
  /// - Parameter now: The present time. Releases older than `ReleasedRegistration.lifetime` are left out.
  /// - Returns: At most `ReleasedRegistration.mostGiven` registrations, the latest release first, and each id once.
  func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration]

  /// Replaces the password hash if it is still `old`. A compare-and-set. The new hash is of the same password, or
  /// perhaps of another password if the upstream is the authority for sign-ins. It counts as confirmed at the stamp's time.
  ///
  /// A change that ignores cancellation, because the hash records the authority's answer. A repeat after success returns false.
  ///
  /// - Parameter epoch: The account's new epoch, if the upstream has confirmed another password. Nil keeps the epoch.
  /// - Returns: Whether the hash was replaced.
  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// Records when the upstream, as the authority for passwords, last accepted the password of the stored hash, or that
  /// it has refused the account since. The account itself does not change: `updatedAt` keeps its value, and the audit
  /// gets no entry.
  ///
  /// An idempotent change that ignores cancellation: the caller may repeat it after any failure.
  ///
  /// - Parameter time: When the upstream accepted the password. Ignored if a later time is stored. Nil if the upstream
  ///   has refused the account.
  /// - Returns: Whether the account exists.
  func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool

  /// Writes an audit entry that many passwords were guessed at the account, unless the account has such an entry from
  /// the 24 hours before the stamp's time. The account itself does not change.
  ///
  /// An idempotent change: the caller may repeat it after any failure.
  ///
  /// - Returns: Whether an entry was written. False if a recent one exists or there is no such account.
  func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool

  // MARK: For the outbox

  /// Pending accounts in the order of their ids, which is the order in which they were made, starting after `after`. A
  /// list. If only the recorded outcome of a delivery cannot be read, the store returns the account without the
  /// outcome.
  ///
  /// - Parameter limit: The most accounts to return, at least 1.
  func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount]

  /// The account with this id, if it is pending. A look-up.
  func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount?

  /// Records the outcome of asking the upstream for a pending account, and ends this regd's claim of the account. The
  /// account itself does not change: `updatedAt` keeps its value, and the audit gets no entry. A compare-and-set.
  ///
  /// A change that ignores cancellation, because it records what has happened. Idempotent: the caller may repeat it
  /// after any failure.
  ///
  /// - Parameters:
  ///   - seen: The mark under which this regd asked.
  ///   - delivery: The outcome, which replaces the recorded one.
  /// - Returns: Whether the outcome was recorded. False if the account is gone, not pending, or was changed since
  ///   `seen`, for example because another regd has taken it over.
  func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async throws(StoreFailure) -> Bool

  // MARK: For administrators

  /// Sets the hash of another password, which counts as confirmed at the stamp's time. The requests that made the account keep
  /// their hashes.
  ///
  /// A change. A repeat after `unknown` sets the same hash again, and writes another audit entry.
  ///
  /// - Parameter epoch: The account's new epoch, which ends all its earlier sign-ins.
  /// - Returns: The account afterwards, or nil if there is no such account.
  func setPassword(
    of id: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Disables an active account, or makes a disabled one active. A pending or waiting account remains unchanged.
  ///
  /// An idempotent change: an account that already has the state remains unchanged, so the caller may repeat the change
  /// after any failure.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the account becomes active.
  ///   - epoch: The new epoch of an account that is disabled, which ends all its sign-ins. Unused when an account is
  ///     enabled.
  /// - Returns: The account afterwards, or nil if there is no such account.
  func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Removes an account in any state, with its requests, claims and mails, and the releases of its address. The address
  /// is free again. A pending account that another regd claims is not removed.
  ///
  /// A change. A repeat after success returns `gone`.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. An account with
  ///   another hash is not removed.
  func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer

  /// Accounts in this state (nil for any state), in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most accounts to return, at least 1.
  func list(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) async throws(StoreFailure) -> [StoredAccount]

  /// Members of a group in every state, as `list` returns accounts. A list.
  func members(of group: GroupName, after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount]

  /// Adds an account in any state to groups, and removes it from others. A name among both is added. The `updatedAt` of a
  /// pending account remains unchanged, because it is the account's mark.
  ///
  /// An idempotent change: a repeat changes nothing and writes no audit entry.
  ///
  /// - Returns: The account afterwards, or why nothing was changed.
  func changeGroups(
    of id: AccountID, adding added: [GroupName], removing removed: [GroupName], _ stamp: Stamp
  ) async throws(StoreFailure) -> GroupingAnswer

  /// Groups that have members, in the order of their names, starting after `after`. A list. All counts are from one moment.
  ///
  /// - Parameters:
  ///   - limit: The most groups to return, at least 1.
  ///   - most: The page ends after the group with which it has counted this many members, at least 1.
  func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) async throws(StoreFailure) -> Page<GroupName, CountedGroup>

  /// Gives an account a display name, or none. The `updatedAt` of a pending account remains unchanged, because it is the
  /// account's mark.
  ///
  /// An idempotent change: a repeat changes nothing and writes no audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. If it is given, an
  ///   account that has another hash or is not active remains unchanged.
  /// - Returns: The account afterwards, or nil if nothing was changed, because there is no such account, or because of `hash`.
  func setDisplayName(
    of id: AccountID, to name: DisplayName?, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Adds accounts from elsewhere. An account that cannot be added does not prevent the others. No regd gets the claim
  /// of a pending account.
  ///
  /// A change: after a failure other than `unknown`, none was added. Idempotent: an account that already exists answers
  /// `present`, so the caller may pass all of them again after any failure.
  ///
  /// - Returns: The outcome for each account, in the same order.
  func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer]

  /// Checks that the store answers and is still the one that was opened. The daemon calls this every two seconds. Also settles a
  /// commit in doubt, if possible.
  ///
  /// - Throws: `unavailable`, with the reason for the log and `daemon.status`, or `cancelled` if the task was cancelled. No
  ///   account was changed.
  func check() async throws(StoreFailure)

  /// Returns when all changes that may make the request's registration or claim, and were in flight at the call, have
  /// ended, in every regd. A look-up afterwards finds what they have written. A killed regd may have left such a change
  /// in flight at a server. Does not wait for changes to other records.
  ///
  /// Returns at once in a store where each change is visible as soon as it is done. Changes nothing, and fails like a
  /// look-up.
  func awaitCommit(of request: RequestKey) async throws(StoreFailure)

  /// Counts password guesses for all regd processes that have the store open. Nil if only one regd can open it. The
  /// value remains the same while the store is open.
  var sharedThrottle: (any SharedThrottle)? { get }

  /// Notices a database that has gone back to an earlier state. Nil for a store that cannot.
  var continuity: (any StoreContinuity)? { get }
}
