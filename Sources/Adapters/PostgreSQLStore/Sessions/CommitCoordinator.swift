internal import AsyncPrimitives
internal import FairQueues
internal import Registration
internal import Synchronization

/// Performs a change as a whole: its statements, its entries of the audit, its commit. Changes commit concurrently.
/// `Locks` defines which of them wait for each other.
///
/// First, a change reads and writes accounts. Then it locks addresses and runs the statements of `Changes`, all in one
/// round trip. If a requirement is not met, because another change was faster, the whole change is repeated. Last, it
/// sends its audit entries with the COMMIT. If the first statements already know which addresses to lock, they also
/// take these locks (`CommitTicket`). If there is no requirement, the statements of `Changes` are sent with the COMMIT.
///
/// A COMMIT without an answer leaves the change in doubt. The change's mark, an advisory lock, shows when the change
/// has ended: the server's backend keeps this lock until the transaction is committed or undone, including the wait for
/// a standby. A server that took over after a failover has no such backend. Once the lock is free, the change was made
/// if its audit entries are found.
final class CommitCoordinator: Sendable {
  let inDoubt = InDoubtRegister()
  let locks: Locks
  let sequencer: AuditSequencer
  private let reachability: Reachability

  init(_ locks: Locks, _ sequencer: AuditSequencer, _ reachability: Reachability) {
    (self.locks, self.sequencer, self.reachability) = (locks, sequencer, reachability)
  }

  /// Runs `body` in a transaction, and commits only if it changed something.
  ///
  /// - Returns: The value of `body`, and whether the observer still has to receive entries. Nil if a change of the same
  ///   things is in doubt. Such a change may still appear, and even if it is visible, it may be lost with this server.
  ///   The caller settles it first, but not on this session, because its transaction may take long to end.
  /// - Throws: A failure that `leavesDoubt` if the change may still be committed. The change is then in `inDoubt`.
  func changeUnlessInDoubt<Value: Sendable>(
    _ connection: Connection, _ scope: ChangeScope,
    _ body: (Connection, inout Changes) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> (value: Value, isOwing: Bool)? {
    guard !inDoubt.concerns(scope.overlaps) else { return nil }
    do throws(ServerFailure) {
      connection.begin()
      var changes = Changes()
      let value = try body(connection, &changes)
      guard connection.hasChanged || !changes.isEmpty else {
        try connection.rollBack()
        // `body` may have seen the work of a change that has come into doubt meanwhile
        return inDoubt.concerns(scope.overlaps) ? nil : (value, false)
      }
      return (value, try commit(connection, scope, changes))
    } catch {
      // if the rollback fails, its failure is thrown instead, so that the session ends
      if !error.endsSession, !error.leavesDoubt { try connection.rollBack() }
      throw error
    }
  }

  /// - Returns: Whether the observer still has to receive entries.
  private func commit(
    _ connection: Connection, _ scope: ChangeScope, _ changes: Changes
  ) throws(ServerFailure) -> Bool {
    // another session may have found that the server does not answer
    if let failure = reachability.failure { throw failure }
    let entries = changes.entries
    var rest = changes.statements
    let ticket: CommitTicket
    if let early = changes.ticket, early.keys.isSuperset(of: changes.locked) {
      ticket = early
      if changes.hasRequirements {
        try changes.requireMet(try connection.run(rest))
        rest = []
      }
    } else {
      let entering = locks.entering(changes.locked, entries.isEmpty ? nil : AuditSequencer.drawing)
      let looking = entries.isEmpty ? [] : [AuditSequencer.looking]
      let answers = try connection.run([entering] + rest + looking)
      try changes.requireMet(answers.dropFirst())
      ticket = CommitTicket(keys: changes.locked, entered: answers[0], others: entries.isEmpty ? nil : answers.last)
      rest = []
    }
    guard let entered = ticket.entered.first else { throw Installation.replaced }
    let turn =
      entries.isEmpty ? nil : AuditSequencer.Turn(entered, from: 3, others: ticket.others, sequencer.cryptography)
    let doubt = InDoubtChange(scope.widened(changes.keys), backend: entered.integer(0), turn: turn?.number)
    guard let turn else {
      _ = try send(connection, rest, doubt)
      return false
    }
    sequencer.publisher.owe(turn.number, entries, sequencer.regd)
    let answers = try send(connection, rest + [sequencer.writing(entries, turn)], doubt)
    return sequencer.publisher.done(turn.number, first: sequencer.first(turn, answers.dropFirst(rest.count)))
  }

  private func send(
    _ connection: Connection, _ statements: [Statement], _ doubt: InDoubtChange
  ) throws(ServerFailure) -> [Answer] {
    do throws(ServerFailure) {
      return try connection.commit(after: statements)
    } catch {
      if error.leavesDoubt { inDoubt.add(doubt) } else if let turn = doubt.turn { sequencer.publisher.forget(turn) }
      throw error
    }
  }

  /// Finds out which of the changes in doubt have ended and whether they were made. Makes the result final by
  /// committing a separate transaction. Once this commit is durable, the commits of these changes are also durable.
  /// Waits for no transaction.
  func settle(_ connection: Connection) throws(ServerFailure) {
    let open = inDoubt.open
    guard !open.isEmpty else { return }
    let ended = Set(try connection.answer(locks.ended(open.map(\.backend))).rows.map { $0.integer(0) })
    let doubts = open.filter { ended.contains($0.backend) }
    guard !doubts.isEmpty else { return }
    let turns = Set(doubts.compactMap(\.turn))
    let owed = sequencer.publisher.owed.filter { turns.contains($0.turn) }
    do throws(ServerFailure) {
      connection.begin()
      // locks a row, which writes to the server's log, because otherwise the COMMIT would not wait for the disk
      let statements = [locks.entering(), Statement("SELECT 1 FROM numbering FOR KEY SHARE")]
      guard try connection.run(statements)[0].first != nil else { throw Installation.replaced }
      let present = try sequencer.present(connection, owed)
      _ = try connection.commit()
      for turn in turns.subtracting(present) { sequencer.publisher.forget(turn) }
    } catch {
      if !error.endsSession, !error.leavesDoubt { try connection.rollBack() }
      throw error
    }
    try sequencer.tell(connection, isPatient: false)
    inDoubt.remove(doubts)
  }
}

/// A change whose commit got no valid answer. Compared by identity.
final class InDoubtChange: Sendable {
  let scope: ChangeScope
  /// The process id of the server's backend that holds the change's mark (`Locks`).
  let backend: Int
  /// The change's turn (`AuditSequencer`), or nil if the change has no entries.
  let turn: Int?

  init(_ scope: ChangeScope, backend: Int, turn: Int?) {
    (self.scope, self.backend, self.turn) = (scope, backend, turn)
  }
}

/// The changes in doubt that are not settled yet.
final class InDoubtRegister: Sendable {
  private let doubts = Mutex<[InDoubtChange]>([])

  var open: [InDoubtChange] { doubts.withLock { $0 } }

  func add(_ doubt: InDoubtChange) { doubts.withLock { $0.append(doubt) } }

  func remove(_ settled: [InDoubtChange]) {
    doubts.withLock { doubts in doubts.removeAll { doubt in settled.contains { $0 === doubt } } }
  }

  /// Whether at least one of these changes is not settled yet.
  func has(anyOf meant: [InDoubtChange]) -> Bool {
    doubts.withLock { doubts in doubts.contains { doubt in meant.contains { $0 === doubt } } }
  }

  /// Whether the scope of a change in doubt meets the condition.
  func concerns(_ isConcerned: (ChangeScope) -> Bool) -> Bool {
    doubts.withLock { $0.contains { isConcerned($0.scope) } }
  }
}

/// The callers that want changes in doubt to be settled. One of them settles on a session, on behalf of all callers
/// that came before it began. The next one serves the later callers. So all of them together use one session at a time.
final class SettleQueue: Sendable {
  private enum Outcome: Sendable {
    case ended(StoreFailure?)
    /// The caller that settled on behalf of this one has given up.
    case again
  }

  private let queue = GroupCommitQueue<UInt32?, Origin?, Promise<Outcome>>()

  /// How many callers wait for their turn.
  var waiting: Int { queue.count }

  /// - Parameters:
  ///   - isLate: Whether to ignore cancellation.
  ///   - settle: Settles all changes in doubt that have ended. Waits for none of them, because others wait for `settle`.
  func turn(
    of share: Share, evenIfLate isLate: Bool, _ settle: () async throws(StoreFailure) -> Void
  ) async throws(StoreFailure) {
    while true {
      let outcome = Promise<Outcome>()
      switch await queue.join(of: share.uid, share.origin, outcome, evenIfLate: isLate) {
      case .cancelled: throw .cancelled
      case .followed:
        let ending = await outcome.value { if !isLate { outcome.fulfill(.ended(.cancelled)) } }
        guard case .ended(let failure) = ending else { continue }
        if let failure { throw failure }
      case .leads: if let failure = await lead(settle) { throw failure }
      }
      return
    }
  }

  private func lead(_ settle: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    defer { queue.leave() }
    var followers: [Promise<Outcome>] = []
    while let follower = queue.next() {
      followers.append(follower.work)
      // it waits for the outcome from here on, and may give up
      follower.end()
    }
    let failure = await failure(of: settle)
    for follower in followers { follower.fulfill(failure == .cancelled ? .again : .ended(failure)) }
    return failure
  }

  private func failure(of settle: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) { try await settle() } catch { return error }
    return nil
  }
}
