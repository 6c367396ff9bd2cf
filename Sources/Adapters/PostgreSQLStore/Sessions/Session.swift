internal import Linux
internal import Liveness
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// One session with the server, on a thread of its own. Connects at its first use, and again after a loss.
actor Session {
  private let executor: ThreadExecutor
  private let connector: Connector
  private var connection: Connection?
  private var isClosed = false
  /// When the session was last used. Far in the future while it is in use.
  private let used = Mutex(ContinuousClock.now)
  /// The callbacks of the probe, which are also called while the session waits for the server.
  private let awaited = Awaited()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connector: Connector, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    self.connector = connector
  }

  /// A probe that is answered on the thread, in turn with its calls to the server, each of which has a deadline.
  nonisolated func probe(_ name: String) -> Probe {
    Probe(name) { [executor, awaited] answered in
      awaited.append(answered)
      executor.submit { awaited.answer() }
    }
  }

  /// Closes the connection if it was unused for this long, because the server may have none left for another regd.
  func rest(after idle: Duration) { if isUnused(for: idle) { connection = nil } }

  nonisolated func isUnused(for idle: Duration) -> Bool { used.withLock { .now - $0 >= idle } }

  /// Closes the connection, and returns when the server has freed the connection's slot, or when that takes too long.
  ///
  /// - Parameter isAsked: Whether to ask the server first, and to close the connection only if the server is full.
  /// - Returns: Whether there was a connection to close.
  func giveBack(ifFull isAsked: Bool) -> Bool {
    guard let connection else { return false }
    if isAsked, (try? connection.answer(Connector.counting))?.first?.text(0) != "t" { return false }
    // A busy server needs longer to end a process than to accept a connection. regd does not wait for a server that
    // does not answer.
    connection.waitForEnd = connector.answerLimit
    self.connection = nil
    return true
  }

  func close() {
    isClosed = true
    connection = nil
  }

  /// Runs `body` on the session. If the server has ended the connection since its last use, the first statement fails.
  /// `body` is then called once more, on a new connection.
  ///
  /// A wait for the server ends soon after the task is cancelled, because the request has reached its time limit, or
  /// its caller has given up.
  ///
  /// - Parameters:
  ///   - isLate: Whether the waits continue when the task is cancelled.
  ///   - body: May be called again as long as it has not sent a COMMIT.
  func use<Value: Sendable>(
    evenIfLate isLate: Bool, _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    guard !isClosed else { throw .unfit("the database is closed") }
    used.withLock { $0 = .now + .seconds(86_400) }
    defer { used.withLock { $0 = .now } }
    // another server has replaced the one to which the connection leads, or that server does not answer
    if let open = connection, connector.reachability.failure(ofEra: open.era) != nil { connection = nil }
    let isUsed = connection != nil
    do throws(ServerFailure) {
      return try attempt(isLate, body)
    } catch {
      guard isUsed, [.disconnected, .refused, .unfollowed].contains(error.kind), error.endsSession, !error.isOfCommit
      else { throw error }
      return try attempt(isLate, body)
    }
  }

  private func attempt<Value: Sendable>(
    _ isLate: Bool, _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    let connection: Connection
    if let open = self.connection {
      connection = open
    } else {
      connection = try connector.connect(awaited, evenIfLate: isLate)
    }
    connection.awaited = awaited
    connection.givesUp = { [reachability = connector.reachability, era = connection.era] in
      reachability.failure(ofEra: era) ?? (!isLate && Task.isCancelled ? .cancelled : nil)
    }
    self.connection = connection
    connection.require(connector.durability.condition)
    do throws(ServerFailure) {
      return try body(connection)
    } catch {
      if error.kind == .unfollowed { connector.reachability.leave(error, ofEra: connection.era) }
      if let row = error.row { connector.damage.note(row) }
      // a commit that the server refused is undone, and the session remains usable
      if error.endsSession || error.leavesDoubt { self.connection = nil }
      // one statement without an answer shows nothing about others, so a separate connection finds out
      if error.kind == .deadline || error.kind == .cancelled { connector.asking?.ask(connector) }
      throw error
    }
  }

  /// Queues `body` on the session's thread, and returns at once. The thread lowers `flag` and then runs `body`. A
  /// failure is ignored, because the next request does the work.
  nonisolated func soon(lowering flag: Flag, _ body: @escaping @Sendable (Connection) throws(ServerFailure) -> Void) {
    executor.submit {
      flag.lower()
      self.assumeIsolated { session in try? session.use(evenIfLate: true, body) }
    }
  }

  /// Runs a count, even if the caller was cancelled while queued. If it is cancelled, a server that does not answer is not waited for.
  func count<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    do throws(ServerFailure) { return try use(evenIfLate: false, body) } catch { throw error.storeFailure }
  }

  /// Runs a read. Skipped if the caller was cancelled while queued.
  func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    do throws(ServerFailure) {
      return try use(evenIfLate: false, body)
    } catch {
      throw error.storeFailure
    }
  }

  /// How long a change is retried while other transactions interfere. After this time, its caller has given up.
  private static let patience = Duration.seconds(10)

  /// Runs a transaction, and retries it, with jitter, if another transaction interfered.
  ///
  /// - Parameter isLate: Whether cancellation is ignored. If not, a cancelled change that has not sent its COMMIT
  ///   leaves nothing behind, and a cancelled change that has sent it is in doubt.
  func change<Value: Sendable>(
    evenIfLate isLate: Bool, _ transaction: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    let deadline = ContinuousClock.now + Self.patience
    var round = 0
    while true {
      guard isLate || !Task.isCancelled else { throw .cancelled }
      do throws(ServerFailure) {
        return try use(evenIfLate: isLate, transaction)
      } catch {
        guard error.isWorthRepeating, ContinuousClock.now < deadline else { throw error.storeFailure }
        round += 1
        ThisThread.sleep(for: .milliseconds(Int.random(in: 1...min(200, 2 << min(round, 7)))))
      }
    }
  }

  /// Settles the changes in doubt that have ended (`CommitCoordinator.settle`).
  func settle(_ coordinator: CommitCoordinator, evenIfLate isLate: Bool) throws(StoreFailure) {
    do throws(ServerFailure) {
      try use(evenIfLate: isLate) { (connection) throws(ServerFailure) in try coordinator.settle(connection) }
    } catch {
      guard error.kind != .cancelled else { throw .cancelled }
      throw .unavailable(
        detail: "what became of a change whose commit has no answer cannot be found out: \(error.detail)")
    }
  }
}
