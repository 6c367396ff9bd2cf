/// Keeps accounts. The one place where uniqueness is decided.
///
/// What holds for every store:
/// - Each operation is atomic: it is wholly done or, with a failure, wholly not.
/// - An operation that has returned is durable: it survives a killed process and a killed machine (not so the memory
///   store, which keeps its promise only as long as the process lives).
/// - At most one account has a given key, however many calls run at once. The store's own constraint decides, never a
///   look before a write; who comes second gets `taken`, not a failure.
/// - Keys are compared byte by byte, with no collation.
/// - Operations run in some order; nothing of a later one is seen by an earlier one.
package protocol AccountStore: Sendable {
  /// Adds an account in the state that it has.
  ///
  /// - Returns: `taken` with the account that has the key. Nothing was changed then.
  func insert(_ account: StoredAccount) async throws(StoreFailure) -> InsertAnswer

  /// The account with this key in any state.
  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount?

  /// The account with this id in any state.
  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount?

  /// Makes a pending account active.
  ///
  /// - Returns: The account as it is afterwards; nil if there is none that is pending or active. Doing it twice is
  ///   as good as once, and leaves `updatedAt` alone.
  func activate(_ id: AccountID, at time: Timestamp) async throws(StoreFailure) -> Account?

  /// Marks a pending account as asked for once more, by a later `updatedAt`, so that whoever reserved it cannot release
  /// it any more.
  ///
  /// - Parameters:
  ///   - seen: The `updatedAt` that the account was read with.
  ///   - time: Later than `seen`.
  /// - Returns: Whether it was marked; not where it is gone, not pending, or marked by somebody else since.
  func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) async throws(StoreFailure) -> Bool

  /// Removes a pending account that nobody has resumed since `seen`; its address is free again. Any other stays.
  ///
  /// - Returns: Whether it was removed.
  func release(_ id: AccountID, seen: Timestamp) async throws(StoreFailure) -> Bool

  /// Replaces the hash, unless somebody else has done so since `old` was read.
  ///
  /// - Returns: Whether it was replaced.
  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) async throws(StoreFailure) -> Bool

  /// Whether the store answers; what a health check calls.
  func check() async throws(StoreFailure)
}

package enum InsertAnswer: Equatable, Sendable {
  case inserted
  case taken(StoredAccount)
}

/// Why a store could not do what it was asked. Nothing was changed.
package enum StoreFailure: Error, Equatable, Sendable {
  /// It cannot be reached, is locked by somebody else or is damaged; `detail` is for the log.
  case unavailable(detail: String)
  /// There is no room.
  case full
  /// It may not be written.
  case readOnly
}
