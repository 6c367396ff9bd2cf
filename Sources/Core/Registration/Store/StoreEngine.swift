/// What an operation does in a transaction.
package typealias StoreBody<Value> = @Sendable (any StoreTransaction) throws(StoreFailure) -> Value

/// What a backend is: it runs operations in transactions. It sweeps by itself, because a sweep concerns many rows at once.
/// The rules of `Accounts` are its contract.
package protocol StoreEngine: Sendable {
  /// The store's keys. Every regd that has the store open uses the same keys.
  var keys: StoreKeys { get }

  /// Hashes the audit's entries, and signs the heads of their tree.
  var cryptography: any AuditCryptography { get }

  /// Whether the database may be a copy, although the store is not certain. The store has then kept the key of stamps,
  /// and an operator must decide. If the database is certainly a copy, it already has a new key instead.
  var isCopied: Bool { get }

  /// Counts password guesses for all regd processes that have the store open. Nil if only one regd can open it. The
  /// value remains the same while the store is open.
  var sharedThrottle: (any SharedThrottle)? { get }

  /// Notices a database that has gone back to an earlier state. Nil for a store that cannot.
  var continuity: (any StoreContinuity)? { get }

  /// Runs `body` to look something up. If a commit in doubt concerns rows that it asks for or finds, settles the commit
  /// and looks again.
  ///
  /// - Parameters:
  ///   - scope: The rows that the look-up asks for.
  ///   - found: Returns the rows that an answer is about.
  /// - Throws: `unknown` if that commit cannot be settled, because a row that the store reported as absent might exist.
  func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value

  /// Runs `body` to read a page, concurrently with look-ups, so that a look-up of one account need not wait for a page
  /// of a thousand. First settles any commit in doubt.
  func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value

  /// Runs `body` in one transaction, when the share's turn comes in the store's queue. Runs it again if another
  /// transaction has changed the same rows meanwhile. Commits nothing if `body` changes nothing.
  ///
  /// - Parameters:
  ///   - scope: The rows that the change is about. Their state is unknown while the change's commit is in doubt.
  ///   - isLate: Whether the change is made even if its task was cancelled before its turn.
  func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value

  /// Removes what has expired (`SweptRecord`). Makes room if there are more claims than `ClaimBounds.all`. Removed data
  /// remains neither in the store's files nor in copies made afterwards.
  ///
  /// A change that regd makes by itself, and may repeat after any failure.
  ///
  /// - Parameters:
  ///   - addressesBefore: Addresses that ended before then are removed.
  ///   - limit: The most records of each kind to remove.
  /// - Returns: Whether more may be left.
  func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool

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
}

extension StoreEngine {
  package var isCopied: Bool { false }
  package var sharedThrottle: (any SharedThrottle)? { nil }
  package var continuity: (any StoreContinuity)? { nil }
  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {}

  package var codeKey: CodeKey { keys.codes }
  package var stampKey: CodeKey { keys.stamps }
}
