internal import FairQueues
internal import Registration
internal import Synchronization

/// The changes of one transaction. Each has its own savepoint, so that a change that fails is rolled back alone.
struct ChangeGroup {
  private struct Member {
    let change: any GroupedChange
    let transaction: SQLiteTransaction
    var hasChanged = false
    var failure: SQLiteFailure?
  }

  private let connection: Connection
  private var members: [Member] = []

  init(_ connection: Connection) { self.connection = connection }

  var count: Int { members.count }
  var hasChanged: Bool { members.contains(where: \.hasChanged) }
  /// The new entries of the audit, in order.
  var entries: [AuditEntry] { members.flatMap { $0.hasChanged ? $0.transaction.entries : [] } }
  /// Names everything whose state is unknown while the commit is in doubt.
  var scope: ChangeScope {
    var all = ChangeScope()
    for member in members where member.hasChanged {
      all.formUnion(member.change.scope.widened(member.transaction.keys))
    }
    return all
  }

  /// Runs the change in the open transaction.
  ///
  /// - Throws: If the group's first change fails, or if a later failure ends the whole transaction.
  mutating func add(_ change: any GroupedChange, in transaction: SQLiteTransaction) throws(SQLiteFailure) {
    members.append(Member(change: change, transaction: transaction))
    let last = members.count - 1
    let before = connection.totalChanges
    // the first change needs no savepoint, because its failure ends the transaction
    guard last > 0 else {
      try change.run(transaction)
      members[0].hasChanged = connection.totalChanges != before
      return
    }
    try connection.run("SAVEPOINT change")
    do throws(SQLiteFailure) {
      try change.run(transaction)
      members[last].hasChanged = connection.totalChanges != before
    } catch {
      // after some failures SQLite has rolled back the whole transaction by itself
      guard connection.isInTransaction else { throw error }
      members[last].failure = error
      try connection.run("ROLLBACK TO change")
    }
    try connection.run("RELEASE change")
  }

  /// Tells each waiting caller how its change ended.
  func end() {
    for member in members { member.change.end(member.failure?.storeFailure) }
  }

  /// The failures of single changes.
  var failures: [SQLiteFailure] { members.compactMap(\.failure) }

  /// Ends the changes that are in doubt, with this failure.
  ///
  /// - Returns: The other changes, which wrote nothing. They must run again, because they may have read the changes in
  ///   doubt.
  func end(inDoubt failure: StoreFailure) -> [any GroupedChange] {
    for member in members where member.hasChanged { member.change.end(failure) }
    return members.filter { !$0.hasChanged }.map(\.change)
  }

  /// All changes of the group, to be run again after a failure that rolled all of them back.
  var changes: [any GroupedChange] { members.map(\.change) }
}

/// A change that may share its commit with others. A change that was rolled back because of another one is run again.
protocol GroupedChange: Sendable {
  var scope: ChangeScope { get }
  /// When the change began to wait. It waits for another program's lock from then on, and not only from its turn on.
  var begun: ContinuousClock.Instant { get }

  /// Runs the change, and keeps its answer.
  func run(_ transaction: SQLiteTransaction) throws(SQLiteFailure)
  /// Reports how the change ended. Called once, by the writer.
  ///
  /// - Parameter failure: Why the change was not made, or may not have been. Nil if the kept answer is valid.
  func end(_ failure: StoreFailure?)
}

typealias ChangeQueue = GroupCommitQueue<UInt32?, Origin?, any GroupedChange>

/// How many changes may share a commit.
struct GroupBounds: Sendable {
  var changes = 128
  /// After this time, no further change joins the group, because the first change waits for all of them.
  var span = Duration.milliseconds(10)
}

/// A change whose caller waits for its answer.
final class PendingChange<Value: Sendable>: GroupedChange {
  typealias Body = @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value

  private enum State {
    case waits
    case ran(Value)
    case ended(Result<Value, StoreFailure>)
  }

  let scope: ChangeScope
  let begun: ContinuousClock.Instant
  private let body: Body
  private let state = Mutex(State.waits)

  init(_ scope: ChangeScope, begun: ContinuousClock.Instant = .now, _ body: @escaping Body) {
    self.scope = scope
    self.begun = begun
    self.body = body
  }

  func run(_ transaction: SQLiteTransaction) throws(SQLiteFailure) {
    let value = try body(transaction)
    state.withLock { $0 = .ran(value) }
  }

  func end(_ failure: StoreFailure?) {
    state.withLock { state in
      switch (state, failure) {
      case (_, let failure?): state = .ended(.failure(failure))
      case (.ran(let value), nil): state = .ended(.success(value))
      case (.waits, nil), (.ended, nil): break
      }
    }
  }

  /// The answer, once the change has ended.
  func answer() throws(StoreFailure) -> Value {
    guard case .ended(let result) = state.withLock({ $0 }) else {
      throw .unavailable(detail: "the change was not done")
    }
    return try result.get()
  }
}
