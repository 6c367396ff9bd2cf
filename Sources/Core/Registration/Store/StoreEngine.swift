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

/// Why a store did not perform an operation. Except for `unknown`, nothing was changed.
package enum StoreFailure: Error, Equatable, Sendable {
  /// The store cannot be reached, is locked by another program, is damaged or is closed. This may pass. `detail` is for the
  /// log.
  case unavailable(detail: String)
  /// The disk or the database has no room left.
  case full
  case readOnly
  /// The task was cancelled before the operation's turn.
  case cancelled
  /// The commit itself failed, so the change was done completely or not at all. Only a later look-up shows which.
  /// `detail` is for the log.
  case unknown(detail: String)
}

extension StoreFailure: CustomStringConvertible {
  /// The failure in words, for the log and for `STATUS=`.
  package var description: String {
    switch self {
    case .unavailable(let detail): detail
    case .full: "full"
    case .readOnly: "read-only"
    case .cancelled: "cancelled"
    case .unknown(let detail): "in doubt: \(detail)"
    }
  }
}

/// A change whose commit is in doubt: the database gave no valid answer. The change was done, was not done, or will
/// still be done.
package struct InDoubtCommit: Sendable {
  package let scope: ChangeScope
  /// The change's audit entries, which the store gives to its observer if the change turns out to be done.
  package let entries: [AuditEntry]

  package init(scope: ChangeScope, entries: [AuditEntry]) {
    self.scope = scope
    self.entries = entries
  }
}

/// Reports whether the database of a store has gone back to an earlier state, so that acknowledged changes may be missing from it:
/// a failover was undone, or a server was restored from a snapshot. regd cannot prevent this, but it must not continue as if
/// nothing had happened.
///
/// Rules for every implementation:
/// - A database that has gone back is neither changed nor read: every operation fails with `unavailable`.
/// - The store continues by itself when the server offers a database that has everything that the store has seen.
/// - The store forgets what it has seen when it is closed.
package protocol StoreContinuity: Sendable {
  /// How the database that is offered differs from what the store has seen, or nil if it has not gone back, or if the store has
  /// not met it yet.
  var setback: StoreSetback? { get }

  /// Continues with the database that is offered, and forgets what the store has seen. Does nothing if the database has not
  /// gone back.
  ///
  /// - Returns: How the accepted database differs, or nil if it has not gone back.
  func accept() -> StoreSetback?
}

/// A database that has gone back to an earlier state, compared with the state that the store has seen.
package struct StoreSetback: Equatable, Sendable {
  /// A point in the history of a database.
  package struct Point: Equatable, Sendable {
    /// The number of the server's timeline, which grows with each promotion of a standby.
    package let timeline: Int
    /// The number of the last entry of the audit, or 0 for none.
    package let entry: Int

    package init(timeline: Int, entry: Int) { (self.timeline, self.entry) = (timeline, entry) }
  }

  /// The state that the server offers. Its last entry may have a higher number than the one that was seen, if another program has
  /// changed the database since it went back.
  package let offered: Point
  package let seen: Point

  package init(offered: Point, seen: Point) { (self.offered, self.seen) = (offered, seen) }
}

extension StoreSetback: CustomStringConvertible {
  /// The setback in words, for the log and for `STATUS=`.
  package var description: String {
    """
    the database has gone back to an earlier state: it is on timeline \(offered.timeline) with audit entries up to \
    \(offered.entry), but regd has seen timeline \(seen.timeline) and audit entry \(seen.entry)
    """
  }
}
