internal import FairQueues
internal import Liveness
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// Makes changes one after the other, in groups that share a commit, on a separate connection and thread.
actor SQLiteWriter {
  private let executor: ThreadExecutor
  private var connection: Connection?
  private let inDoubt: InDoubtRegister
  private let observer: AuditObserver
  nonisolated let claimant: Claimant
  private let codeKey: CodeKey
  nonisolated let cryptography: any AuditCryptography
  private let lockWait: LockWait
  private let bounds: GroupBounds

  /// A probe that is answered on the thread, in turn with the changes, and while one of them waits for a lock.
  nonisolated var probe: Probe { lockWait.probe("the store's writer", on: executor) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ connection: sending Connection, _ inDoubt: InDoubtRegister, _ claimant: Claimant, _ codeKey: CodeKey,
    _ cryptography: any AuditCryptography, _ bounds: GroupBounds, observer: @escaping AuditObserver
  ) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: "regd-sqlite")
    lockWait = connection.lockWait
    connection.watchStatements(untilCancelled: false)
    self.connection = connection
    self.inDoubt = inDoubt
    self.claimant = claimant
    self.codeKey = codeKey
    self.cryptography = cryptography
    self.bounds = bounds
    self.observer = observer
  }

  /// Closes the file. Every later operation fails.
  func close() { connection = nil }

  /// Commits `first`, the change at the head of the queue, together with changes that wait after it.
  ///
  /// A change that was rolled back because of another change is done again alone, so that each caller gets the result
  /// of its own change only.
  ///
  /// - Parameter isAlone: Whether no other change may share the commit.
  func change(_ first: any GroupedChange, leading queue: ChangeQueue, alone isAlone: Bool) {
    var followers: [ChangeQueue.Follower] = []
    let again = attempt(first) {
      guard !isAlone, let follower = queue.next() else { return nil }
      followers.append(follower)
      return follower.work
    }
    for change in again { _ = attempt(change) { nil } }
    queue.leave()
    for follower in followers { follower.end() }
  }

  /// Runs a group of changes and commits them together.
  ///
  /// - Returns: The changes that were rolled back because of another one, and must be run again.
  private func attempt(
    _ first: any GroupedChange, with next: () -> (any GroupedChange)?
  ) -> [any GroupedChange] {
    lockWait.count(from: first.begun)
    do throws(StoreFailure) { try settle(before: first) } catch {
      first.end(error)
      return []
    }
    guard let connection else {
      first.end(.unavailable(detail: "the database is closed"))
      return []
    }
    var group = ChangeGroup(connection)
    let start = ContinuousClock.now
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in
        try group.add(first, in: transaction(connection))
        while group.count < bounds.changes, ContinuousClock.now - start < bounds.span, let change = next() {
          try group.add(change, in: transaction(connection))
        }
        return ((), group.hasChanged)
      }
    } catch {
      return end(group, first, error)
    }
    for row in group.failures.compactMap(\.row) { connection.damage?.note(row) }
    for entry in group.entries { observer(entry) }
    group.end()
    return []
  }

  private func transaction(_ connection: Connection) -> SQLiteTransaction {
    SQLiteTransaction(connection, claimant, codeKey, cryptography)
  }

  /// Ends a group that is not known to be committed.
  ///
  /// - Returns: The changes that must be run again.
  private func end(_ group: ChangeGroup, _ first: any GroupedChange, _ failure: SQLiteFailure) -> [any GroupedChange] {
    if failure.leavesDoubt {
      inDoubt.open = InDoubtCommit(scope: group.scope, entries: group.entries)
      // Settles the doubt at once, so that the next look-up need not. If this fails, the next operation tries again.
      try? settleNow()
      return group.end(inDoubt: .unknown(detail: failure.storeDetail))
    }
    guard group.count <= 1 else { return group.changes }
    if let row = failure.row { connection?.damage?.note(row) }
    first.end(failure.storeFailure)
    return []
  }

  private func settle(before change: any GroupedChange) throws(StoreFailure) {
    do {
      try settleNow()
    } catch {
      // this change has not begun, but its caller gets `unknown`, because an earlier commit about the same accounts is in doubt
      guard case .unavailable(let detail) = error, inDoubt.open?.scope.overlaps(change.scope) ?? false else {
        throw error
      }
      throw .unknown(detail: detail)
    }
  }

  /// Erases all removed data from the database's files.
  ///
  /// - Returns: Whether the data was erased. False if another connection reads or writes.
  func erase() throws(StoreFailure) -> Bool {
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    do throws(SQLiteFailure) {
      try connection.emptyLog()
      connection.removed.lower()
      return true
    } catch {
      guard error.isBusy else { throw error.storeFailure }
      return false
    }
  }

  /// Finds out whether a change whose COMMIT failed was made, and makes the result final.
  ///
  /// The change's frames may be in the write-ahead log, after the last frame that SQLite counts. If regd were killed,
  /// the recovery at the next start would count them as a commit. So another transaction overwrites them. Because each
  /// frame's checksum depends on the frame before, no frame after this transaction can count as a commit.
  ///
  /// - Parameter time: When the caller began to wait: it waits for another program's lock from then on.
  func settle(since time: ContinuousClock.Instant = .now) throws(StoreFailure) {
    lockWait.count(from: time)
    try settleNow()
  }

  private func settleNow() throws(StoreFailure) {
    guard let doubt = inDoubt.open else { return }
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    let isThere: Bool
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in (try connection.rewriteHeader(), true) }
      isThere = try connection.transaction { () throws(SQLiteFailure) in
        (
          try doubt.entries.last.map { (entry) throws(SQLiteFailure) in try AuditRow.has(connection, entry) } ?? false,
          false
        )
      }
    } catch {
      throw .unavailable(
        detail: "the result of the previous change, whose commit failed, is unknown: \(error.storeDetail)")
    }
    inDoubt.open = nil
    guard isThere else { return }
    for entry in doubt.entries { observer(entry) }
  }
}

extension Connection {
  /// Writes the first page unchanged, so that the transaction has something to commit.
  fileprivate func rewriteHeader() throws(SQLiteFailure) {
    let version = try integer("PRAGMA user_version")
    try execute("PRAGMA user_version = \(version)")
  }
}

/// Holds the change in doubt, if there is one: its COMMIT failed, but may still count. There is at most one, because no
/// further change begins before it is settled.
final class InDoubtRegister: Sendable {
  private let doubt = Mutex<InDoubtCommit?>(nil)

  var open: InDoubtCommit? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
