internal import Registration

/// Carries a change out as a whole: its statements, its entries of the audit, its commit. Changes commit side by side;
/// `Locks` says which of them wait for each other.
///
/// A change reads and writes accounts first; statements that need no answer in between go in one round trip after the
/// locks of addresses; if a check there shows that another change was faster, the change is done again. The entries go
/// with the COMMIT. If the account's own statement tells which address must be locked, its round trip takes the locks
/// (`Entrance`), and statements that need no check go with the COMMIT, too.
///
/// A COMMIT without an answer leaves the change in doubt. Its mark, a lock, tells when the change has ended: the backend of the
/// transaction keeps that lock until the change is committed or undone, the wait for a standby included; a server that has
/// replaced another one never has such a backend. After the end, the change was made if its rows are found.
final class Committing: Sendable {
  let board = DoubtBoard()
  let locks: Locks
  let numbering: Numbering
  private let reachability: Reachability

  init(_ locks: Locks, _ numbering: Numbering, _ reachability: Reachability) {
    (self.locks, self.numbering, self.reachability) = (locks, numbering, reachability)
  }

  /// Runs `body` in a transaction, and commits only if it changed something.
  ///
  /// - Returns: The value of `body`, and whether the observer is still to hear of entries.
  /// - Throws: With `isOfCommit` if the change may still be done; the board then has it in doubt.
  func change<Value: Sendable>(
    _ connection: Connection, _ concern: Concern,
    _ body: (Connection, inout Changes) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> (value: Value, isOwing: Bool) {
    // an account in doubt cannot be relied on yet: the change may still appear, and even if it is visible, it may be
    // lost with this server
    if board.concerns(concern.overlaps) { try settle(connection, concern.overlaps) }
    do throws(ServerFailure) {
      connection.begin()
      var changes = Changes()
      let value = try body(connection, &changes)
      guard connection.hasChanged || !changes.isEmpty else {
        try connection.rollBack()
        return (value, false)
      }
      return (value, try commit(connection, concern, changes))
    } catch {
      // a session whose rollback fails must end
      if !error.endsSession, !error.leavesDoubt { try connection.rollBack() }
      throw error
    }
  }

  /// - Returns: Whether the observer is still to hear of entries.
  private func commit(
    _ connection: Connection, _ concern: Concern, _ changes: Changes
  ) throws(ServerFailure) -> Bool {
    // another session may have found that the server does not answer
    if let failure = reachability.failure { throw failure }
    let entries = changes.entries
    var rest = changes.statements
    let entrance: Entrance
    if let early = changes.entrance, early.keys.isSuperset(of: changes.locked) {
      entrance = early
      if changes.hasRequirements {
        try changes.requireMet(try connection.run(rest))
        rest = []
      }
    } else {
      let entering = locks.entering(changes.locked, entries.isEmpty ? nil : Numbering.drawing)
      let looking = entries.isEmpty ? [] : [Numbering.looking]
      let answers = try connection.run([entering] + rest + looking)
      try changes.requireMet(answers.dropFirst())
      entrance = Entrance(keys: changes.locked, entered: answers[0], others: entries.isEmpty ? nil : answers.last)
      rest = []
    }
    guard let entered = entrance.entered.first else { throw Installation.replaced }
    let turn = entries.isEmpty ? nil : Numbering.Turn(entered, from: 3, others: entrance.others)
    let doubt = OpenDoubt(concern.widened(changes.keys), backend: entered.integer(0), turn: turn?.number)
    guard let turn else {
      _ = try send(connection, rest, doubt)
      return false
    }
    numbering.telling.owe(turn.number, entries, numbering.regd)
    let answers = try send(connection, rest + [numbering.writing(entries, turn)], doubt)
    return numbering.telling.done(turn.number, first: numbering.first(turn, answers.dropFirst(rest.count)))
  }

  private func send(
    _ connection: Connection, _ statements: [Statement], _ doubt: OpenDoubt
  ) throws(ServerFailure) -> [Answer] {
    do throws(ServerFailure) {
      return try connection.commit(after: statements)
    } catch {
      if error.leavesDoubt { board.add(doubt) } else if let turn = doubt.turn { numbering.telling.forget(turn) }
      throw error
    }
  }

  /// Finds out whether changes in doubt were made, and makes the result final: waits for the end of their transactions,
  /// and commits; once that commit is durable, so are theirs.
  ///
  /// - Parameter isMeant: Selects the changes by what they are about.
  func settle(_ connection: Connection, _ isMeant: (Concern) -> Bool = { _ in true }) throws(ServerFailure) {
    let doubts = board.open.filter { isMeant($0.concern) }
    guard !doubts.isEmpty else { return }
    _ = try connection.answer(locks.awaiting(doubts.map(\.backend)))
    let turns = Set(doubts.compactMap(\.turn))
    let owed = numbering.telling.owed.filter { turns.contains($0.turn) }
    do throws(ServerFailure) {
      connection.begin()
      // a lock of a row is written to the log, otherwise the commit would not wait for the disk
      let statements = [locks.entering(), Statement("SELECT 1 FROM numbering FOR KEY SHARE")]
      guard try connection.run(statements)[0].first != nil else { throw Installation.replaced }
      let present = try numbering.present(connection, owed)
      _ = try connection.commit()
      for turn in turns.subtracting(present) { numbering.telling.forget(turn) }
    } catch {
      if !error.endsSession, !error.leavesDoubt { try connection.rollBack() }
      throw error
    }
    try numbering.tell(connection, isPatient: false)
    board.remove(doubts)
  }

  /// Waits for the end of all changes that are under way, in every regd.
  func awaitOthers(_ connection: Connection) throws(ServerFailure) {
    _ = try connection.answer(locks.awaitingAll)
  }
}
