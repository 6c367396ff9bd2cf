internal import Registration
internal import Synchronization

/// How a change is done as a whole: its statements, its entries of the audit, its commit.
///
/// Every change locks the row `installation` last, for the number of its entries, and keeps it to the end of the
/// transaction. So numbers are in the order of commits, over all regd of the database, and no reader can skip an entry that
/// commits late. And whoever has the lock behind a change in doubt knows that its transaction has ended: it is there, or it
/// never will be.
///
/// Claims, wrong codes, mails and the audit's addresses are written by whoever has that lock, and by no other: bounds that go
/// over many rows hold over all regd, and no two transactions wait for each other. A change reads them before, and has what it
/// read required behind the lock; where another change was quicker, it is done again.
final class Committing: Sendable {
  let board = DoubtBoard()
  private let observer: AuditObserver
  /// The name of this regd, for the audit.
  private let instance: String
  /// Keeps the order of commits for the observer, and has the changes of this process wait here and not in the server.
  private let last = Mutex(())
  private let line = CommitLine()
  /// Waits for the row that were in vain.
  private let silences = Silences()
  private let reachability: Reachability
  /// Which row `installation` is that of the database which was opened, for as long as this regd may change it; as SQL.
  private let isOurs: String

  init(
    _ connector: Connector, _ schema: Schema, instance: String, observer: @escaping AuditObserver
  ) {
    reachability = connector.reachability
    isOurs = "id = '\(connector.installation ?? "")' AND \(schema.fence)"
    self.instance = instance
    self.observer = observer
  }

  /// Does `body` in a transaction; what has changed nothing needs no commit.
  ///
  /// - Throws: With `isOfCommit` if the change may be done all the same; it is on the board then.
  func change<Value: Sendable>(
    _ connection: Connection, _ concern: Concern,
    _ body: (Connection, inout Changes) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    // what it would see of an account in doubt is not to be relied on yet: it may come, and where it is there already it may
    // be lost with this server
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
      // a session of which the rollback fails is of no use
      if !error.endsSession, !error.isOfCommit { try connection.rollBack() }
      throw error
    }
  }

  /// Finds out what became of the changes in doubt, and makes sure that it stays so: behind their transactions in the row's
  /// queue, and by a commit of its own, behind which theirs are as durable as any.
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

  /// Does `body` behind the row's lock, where what it reads is what it decides on. Nothing of it is in the audit, and all other
  /// changes wait meanwhile. What has changed nothing needs no commit.
  ///
  /// - Parameter reads: Go with the lock; their answers are the body's.
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
      // the one before may have found out that the server does not answer
      if let failure = reachability.failure { throw failure }
      let (entries, settled) = try number(connection, changes)
      try send(connection, concern.widened(changes.keys), entries)
      tell(settled)
      for entry in entries { observer(entry) }
    }
  }

  /// Does `body` when those of this process are done that came before.
  private func inTurn<Value>(
    _ connection: Connection, _ body: () throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    let before = silences.count
    line.enter(connection.awaited)
    return try last.withLock { (_) throws(ServerFailure) in
      line.leave(connection.awaited)
      connection.line = line
      // one that stood before it has waited for the row in vain: each would wait as long
      guard silences.count == before else { throw .rowIsHeld }
      do throws(ServerFailure) {
        return try body()
      } catch {
        if error.sqlState == ServerFailure.rowIsHeld.sqlState { silences.add() }
        throw error
      }
    }
  }

  /// Locks the row, and does the steps of the change behind it.
  private func number(
    _ connection: Connection, _ changes: Changes
  ) throws(ServerFailure) -> (entries: [AuditEntry], settled: Settled) {
    let count = changes.entryCount
    let lock = Statement(
      "UPDATE installation SET last_audit = last_audit + $1::bigint WHERE \(isOurs) RETURNING last_audit",
      ["\(count)"])
    let statements = changes.statements(instance)
    let isInDoubt = !board.open.isEmpty
    // the numbers of entries in doubt may be given again; they are looked for before that
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

  /// What became of the first doubts of the board.
  private struct Settled {
    var count = 0
    /// Of those that are done.
    var entries: [AuditEntry] = []
  }

  /// Looks for what is in doubt, by whoever has the row's lock.
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

  /// A commit with a warning is one that the server has stopped waiting for: "committed locally, but might not have been
  /// replicated".
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
