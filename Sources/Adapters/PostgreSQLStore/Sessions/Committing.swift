internal import Registration
internal import Synchronization

/// Carries a change out as a whole: its statements, its entries of the audit, its commit.
///
/// Every change locks the row `installation` last, to number its entries, and keeps the lock until the transaction
/// ends. So
/// numbers follow the order of commits over all regd of the database, and no reader can skip an entry that commits
/// late. And
/// whoever gets the lock after a change in doubt knows that the change's transaction has ended: the change is there,
/// or it
/// never will be.
///
/// Only the holder of that lock writes claims, wrong codes, mails and the audit's addresses: limits over many rows
/// hold over
/// all regd, and no two transactions deadlock. A change reads these rows before the lock, and checks under it that
/// they are
/// unchanged; if another change was faster, it is retried.
final class Committing: Sendable {
  let board = DoubtBoard()
  private let observer: AuditObserver
  /// This regd's name, for the audit.
  private let instance: String
  /// Keeps the order of commits for the observer, and makes this process's changes wait here and not in the server.
  private let last = Mutex(())
  private let line = CommitLine()
  /// Counts vain waits for the row.
  private let silences = Silences()
  private let reachability: Reachability
  /// An SQL condition on the row `installation`: it is the opened database's, and this regd may still change it.
  private let isOurs: String

  init(
    _ connector: Connector, _ schema: Schema, instance: String, observer: @escaping AuditObserver
  ) {
    reachability = connector.reachability
    isOurs = "id = '\(connector.installation ?? "")' AND \(schema.fence)"
    self.instance = instance
    self.observer = observer
  }

  /// Runs `body` in a transaction, and commits only if it changed something.
  ///
  /// - Throws: With `isOfCommit` if the change may still be done; the board then has it in doubt.
  func change<Value: Sendable>(
    _ connection: Connection, _ concern: Concern,
    _ body: (Connection, inout Changes) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    // an account in doubt cannot be relied on yet: the change may still appear, and even if it is there, it may be
    // lost with this
    // server
    if board.concerns(concern.overlaps) { try settle(connection) }
    do throws(ServerFailure) {
      connection.begin()
      var changes = Changes()
      let value = try body(connection, &changes)
      guard connection.changedRows > 0 || !changes.isEmpty else {
        try connection.rollBack()
        return value
      }
      try commit(connection, concern, changes)
      return value
    } catch {
      // a session whose rollback fails must end
      if !error.endsSession, !error.isOfCommit { try connection.rollBack() }
      throw error
    }
  }

  /// Finds out whether the changes in doubt were done, and makes the result final: it queues for the row after their
  /// transactions, and commits; once that commit is durable, so are theirs.
  func settle(_ connection: Connection) throws(ServerFailure) {
    try inTurn(connection) { () throws(ServerFailure) in
      guard !board.open.isEmpty else { return }
      do throws(ServerFailure) {
        connection.begin()
        let lock = "UPDATE installation SET last_audit = last_audit WHERE \(isOurs)"
        guard try connection.answer(Statement(lock)).changedRows == 1 else { throw Installation.replaced }
        let settled = try found(connection)
        try sendCommit(connection)
        tell(settled)
      } catch {
        if !error.endsSession, !error.isOfCommit { try connection.rollBack() }
        throw error
      }
    }
  }

  /// Runs `body` under the row's lock, so that it decides on what it reads. It writes no audit entry, and all other
  /// changes wait
  /// meanwhile. Commits only if it changed something.
  ///
  /// - Parameter reads: Statements that are sent with the lock; `body` gets their answers.
  /// - Throws: As `change`.
  func changeLocked<Value: Sendable>(
    _ connection: Connection, _ concern: Concern, reading reads: [Statement],
    _ body: (Connection, [Answer]) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    if board.concerns(concern.overlaps) { try settle(connection) }
    return try inTurn(connection) { () throws(ServerFailure) in
      if let failure = reachability.failure { throw failure }
      do throws(ServerFailure) {
        connection.begin()
        let lock = Statement("SELECT 1 FROM installation WHERE \(isOurs) FOR UPDATE")
        let answers = try connection.run([lock] + reads)
        guard answers.first?.first != nil else { throw Installation.replaced }
        let value = try body(connection, Array(answers.dropFirst()))
        guard connection.changedRows > 0 else {
          try connection.rollBack()
          return value
        }
        try send(connection, concern, [])
        return value
      } catch {
        if !error.endsSession, !error.isOfCommit { try connection.rollBack() }
        throw error
      }
    }
  }

  private func commit(
    _ connection: Connection, _ concern: Concern, _ changes: Changes
  ) throws(ServerFailure) {
    try inTurn(connection) { () throws(ServerFailure) in
      // the change before may have found that the server does not answer
      if let failure = reachability.failure { throw failure }
      let (entries, settled) = try number(connection, changes)
      try send(connection, concern.widened(changes.keys), entries)
      tell(settled)
      for entry in entries { observer(entry) }
    }
  }

  /// Runs `body` after the earlier changes of this process.
  private func inTurn<Value>(
    _ connection: Connection, _ body: () throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    let before = silences.count
    line.enter(connection.awaited)
    return try last.withLock { (_) throws(ServerFailure) in
      line.leave(connection.awaited)
      connection.line = line
      // an earlier change has waited for the row in vain: this one would wait as long
      guard silences.count == before else { throw .rowIsHeld }
      do throws(ServerFailure) {
        return try body()
      } catch {
        if error.sqlState == ServerFailure.rowIsHeld.sqlState { silences.add() }
        throw error
      }
    }
  }

  /// Locks the row, and runs the change's statements under the lock.
  private func number(
    _ connection: Connection, _ changes: Changes
  ) throws(ServerFailure) -> (entries: [AuditEntry], settled: Settled) {
    let count = changes.entryCount
    let lock = Statement(
      "UPDATE installation SET last_audit = last_audit + $1::bigint WHERE \(isOurs) RETURNING last_audit",
      ["\(count)"])
    let statements = changes.statements(instance)
    let isInDoubt = !board.open.isEmpty
    // numbers of entries in doubt may be given again, so these entries are looked up first
    var answers = try connection.run(isInDoubt ? [lock] : [lock] + statements)
    let settled = isInDoubt ? try found(connection) : Settled()
    if isInDoubt, !statements.isEmpty { answers += try connection.run(statements) }
    guard let last = answers.first?.first?.integer(0), last > 0 || count == 0 else { throw Installation.replaced }
    try changes.requireMet(Array(answers.dropFirst()))
    return (changes.entries(last: last, instance), settled)
  }

  private func send(
    _ connection: Connection, _ concern: Concern, _ entries: [AuditEntry]
  ) throws(ServerFailure) {
    do throws(ServerFailure) {
      try sendCommit(connection)
    } catch {
      if error.leavesDoubt { board.add(Doubt(concern: concern, entries: entries)) }
      throw error
    }
  }

  /// The result of settling the first doubts of the board.
  private struct Settled {
    var count = 0
    /// The entries of the changes that were done.
    var entries: [AuditEntry] = []
  }

  /// Looks up the changes in doubt; must be called under the row's lock.
  private func found(_ connection: Connection) throws(ServerFailure) -> Settled {
    let doubts = board.open
    var settled = Settled(count: doubts.count)
    for doubt in doubts {
      guard let entry = doubt.entries.last, try AuditRow.has(connection, entry) else { continue }
      settled.entries += doubt.entries
    }
    settled.entries.sort { $0.number < $1.number }
    return settled
  }

  private func tell(_ settled: Settled) {
    board.removeFirst(settled.count)
    for entry in settled.entries { observer(entry) }
  }

  /// A commit with a warning counts as failed: the server stopped waiting for the standby ("committed locally, but
  /// might not have
  /// been replicated").
  private func sendCommit(_ connection: Connection) throws(ServerFailure) {
    _ = connection.takeWarnings()
    do throws(ServerFailure) {
      let answer = try connection.answer(Statement("COMMIT"))
      guard answer.command == "COMMIT" else { throw .unfit("the server has undone the transaction: \(answer.command)") }
    } catch {
      var failure = error
      failure.isOfCommit = error.kind != .unfit
      throw failure
    }
    let warnings = connection.takeWarnings()
    guard warnings.isEmpty else {
      var failure = ServerFailure.disconnected(
        "the server has warned of the commit: \(warnings.joined(separator: "; "))")
      failure.isOfCommit = true
      throw failure
    }
  }
}
