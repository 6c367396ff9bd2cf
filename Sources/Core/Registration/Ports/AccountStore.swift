/// Keeps accounts. The one place where uniqueness is decided.
///
/// What holds for every store:
/// - Each operation is atomic: it is wholly done or, with a failure, wholly not.
/// - An operation that has returned is durable: it survives a killed process and a killed machine (not so the memory
///   store, which keeps its promise only as long as the process lives).
/// - At most one account has a given key, and at most one registration a given request, however many calls run at once.
///   The store's own constraint decides, never a look before a write; who comes second is told so, and that is no failure.
/// - Keys and ids are compared byte by byte, with no collation.
/// - Operations run in some order; nothing of a later one is seen by an earlier one.
/// - What changes an account writes an entry of the audit in the same transaction, with the stamp that came with it; what
///   changes nothing writes none. Once it is committed, the store's observer is told, in the order of the numbers.
/// - Lists (`list`, `pending`, `audit`) leave out a row that cannot be read, and go on: a page that is shorter than its limit
///   is the last one, whatever is damaged. Whoever asks for such a row by itself fails with `unavailable`. The store's damage
///   observer is told of each damaged row once.
package protocol AccountStore: AuditLog, Sendable {
  /// Adds an account in the state that it has, and notes the request that it was made by.
  ///
  /// - Returns: `taken` with the account that has the key, `requestKnown` where the request has an account already, which
  ///   is looked at first. Nothing was changed then.
  func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer

  /// The account with this key in any state.
  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount?

  /// The account with this id in any state.
  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount?

  /// The registration that was asked for by this request; nil too where its account has gone.
  func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest?

  /// Notes a request as one that has asked for an account, with the hash that the account has now. No change of the account:
  /// the audit has no entry of it.
  ///
  /// - Returns: Whose the request is afterwards; where it was another account's before, nothing was changed.
  func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer

  /// Makes a pending account active.
  ///
  /// - Returns: The account as it is afterwards; nil if there is none that is pending or active. Doing it twice is
  ///   as good as once, and leaves `updatedAt` alone.
  func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Marks a pending account as asked for once more, by a later `updatedAt`, so that whoever reserved it cannot release
  /// it any more.
  ///
  /// - Parameters:
  ///   - seen: The `updatedAt` that the account was read with.
  ///   - stamp: Its time is later than `seen`.
  /// - Returns: Whether it was marked; not where it is gone, not pending, or marked by somebody else since.
  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool

  /// Removes a pending account that nobody has resumed since `seen`; its address and its requests are free again. Any
  /// other stays.
  ///
  /// - Parameter remembered: Whether the store remembers, for each request of the account, what it was reserved as: the
  ///   upstream may have it after all, and must then be asked for the very same. It remembers at most
  ///   `ReleasedRegistration.mostPerUser` of a user (the oldest go), and none for longer than
  ///   `ReleasedRegistration.lifetime`.
  /// - Returns: Whether it was removed.
  func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// What this request was reserved as, for an address with this key, and released from again. That an account is inserted
  /// under the request, with one of these ids or another, takes nothing from the memory; that one is deleted takes all
  /// that is remembered of its address.
  ///
  /// - Parameter now: What was released longer ago than `ReleasedRegistration.lifetime` is not given.
  /// - Returns: What was released last comes first; each id once; at most `ReleasedRegistration.mostGiven`.
  func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration]

  /// Replaces the hash by another, of the same password or, where the upstream is the authority for sign-ins, of another
  /// one, unless somebody else has replaced it since `old` was read. It is confirmed as of the stamp's time. Done also for
  /// who waits no longer: the hash says what the authority has said.
  ///
  /// - Returns: Whether it was replaced.
  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool

  /// Notes when the authority for passwords has last accepted the one that the hash is of, or that it has refused the
  /// account since. No change of the account: `updatedAt` stays, and the audit has no entry of it. Done also for who waits
  /// no longer.
  ///
  /// - Parameter time: Nil for refused. Of two times the later one stays.
  /// - Returns: Whether there is such an account.
  func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool

  // MARK: For the outbox

  /// Pending accounts in the order of their ids, which is the order in which they were made, beginning behind `after`.
  ///
  /// - Parameter limit: At most as many; 1 or more.
  func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount]

  // MARK: For administrators

  /// Sets the hash of another password, confirmed as of the stamp's time. The requests that made the account keep theirs.
  ///
  /// - Returns: The account as it is afterwards; nil where there is none.
  func setPassword(of id: AccountID, to hash: PasswordHash, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Makes an active account disabled, or a disabled one active. A pending one stays as it is, and so does one that
  /// has the state already.
  ///
  /// - Parameter isEnabled: Whether it is to be active.
  /// - Returns: The account as it is afterwards; nil where there is none.
  func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account?

  /// Removes an account in any state, and its requests with it; its address is free again.
  ///
  /// - Returns: Whether there was one.
  func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool

  /// Accounts in the order of their ids, beginning behind `after`.
  ///
  /// - Parameter limit: At most as many; 1 or more.
  func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount]

  /// Adds accounts from elsewhere, all that can be: one that cannot is no reason to leave out the others.
  ///
  /// - Returns: What became of each, in their order.
  func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer]

  /// Whether the store answers; what a health check calls.
  func check() async throws(StoreFailure)
}

extension AccountStore {
  /// Releases, and remembers nothing of it.
  package func release(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await release(id, seen: seen, remembered: false, stamp)
  }
}

/// What was changed, for those who have to know afterwards.
package protocol AuditLog: Sendable {
  /// Entries in the order of their numbers, beginning behind `after`.
  ///
  /// - Parameters:
  ///   - after: 0 begins with the first.
  ///   - limit: At most as many; 1 or more.
  func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry]
}

/// Is told of each change when it is committed. May not block.
package typealias AuditObserver = @Sendable (AuditEntry) -> Void

/// What a store keeps that cannot be read: edited by hand, or by a disk.
package struct DamagedRow: Hashable, Sendable {
  package enum Table: String, Sendable {
    case account, audit, released
  }

  package let table: Table
  /// What names it in its table: the id of an account, the number of an entry.
  package let key: String
  /// What of it cannot be.
  package let problem: String

  package init(_ table: Table, key: String, problem: String) {
    self.table = table
    self.key = key
    self.problem = problem
  }

  /// As "account 0193…" or "audit 17".
  package var name: String { "\(table.rawValue) \(key)" }
}

/// Is told of each damaged row once. May not block.
package typealias DamageObserver = @Sendable (DamagedRow) -> Void

package enum InsertAnswer: Equatable, Sendable {
  case inserted
  case taken(StoredAccount)
  case requestKnown(KnownRequest)
}

package enum NoteAnswer: Equatable, Sendable {
  /// The request is this account's, now or already.
  case noted
  /// The request is another account's.
  case known(KnownRequest)
  /// There is no such account.
  case gone
}

package enum ImportAnswer: Equatable, Sendable {
  case imported
  /// This very account is there already: the same address, and the same id or the same hash. Nothing was changed.
  case present
  /// Another account has the address.
  case emailTaken
  /// Another account has the id.
  case idTaken
}

/// Why a store could not do what it was asked. But for `unknown`, nothing was changed.
package enum StoreFailure: Error, Equatable, Sendable {
  /// It cannot be reached, is locked by somebody else or is damaged; `detail` is for the log.
  case unavailable(detail: String)
  /// There is no room.
  case full
  /// It may not be written.
  case readOnly
  /// Nobody waited any more when it was its turn.
  case cancelled
  /// The commit itself failed: what was asked is wholly done or wholly not, and which of them is known only when the
  /// store is looked at again. `detail` is for the log.
  case unknown(detail: String)
}
