internal import Heartbeat
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// One session with the server, on a thread of its own; connected when it is needed first, and again when it was lost.
actor Session {
  private let executor: ThreadExecutor
  private let connector: Connector
  private var connection: Connection?
  private var isClosed = false
  /// When it was last asked for something; far ahead while it does it.
  private let used = Mutex(ContinuousClock.now)
  /// Answered while it waits for the server, too.
  private let awaited = Awaited()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connector: Connector, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    self.connector = connector
  }

  /// Answered on the thread, in turn with what is asked of the server, each answer of which has a deadline.
  nonisolated func pulse(_ name: String) -> Pulse {
    Pulse(name) { [executor, awaited] answered in
      awaited.append(answered)
      executor.submit { awaited.answer() }
    }
  }

  /// Gives the connection back to the server, which may have none for another regd, if it was not used for so long.
  func rest(after idle: Duration) { if isUnused(for: idle) { connection = nil } }

  nonisolated func isUnused(for idle: Duration) -> Bool { used.withLock { .now - $0 >= idle } }

  func close() {
    isClosed = true
    connection = nil
  }

  /// Does `body` on the session. A connection that the server has ended since it was used last is found out by the first
  /// statement; then `body` is called once more, on a new one.
  ///
  /// - Parameter body: May be done again as long as it has not sent a COMMIT.
  func use<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    guard !isClosed else { throw .unfit("the database is closed") }
    used.withLock { $0 = .now + .seconds(86_400) }
    defer { used.withLock { $0 = .now } }
    // it leads to a server whose place another one has taken
    if let open = connection, open.era != connector.reachability.era { connection = nil }
    let isUsed = connection != nil
    do throws(ServerFailure) {
      return try attempt(body)
    } catch {
      guard isUsed, error.kind != .deadline, error.endsSession, !error.isOfCommit else { throw error }
      return try attempt(body)
    }
  }

  private func attempt<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> Value {
    let connection: Connection
    if let open = self.connection { connection = open } else { connection = try connector.connect() }
    connection.awaited = awaited
    self.connection = connection
    do throws(ServerFailure) {
      return try body(connection)
    } catch {
      if let row = error.row { connector.damage.note(row) }
      // a commit that the server has refused is undone, and the session is good for the next one
      if error.endsSession || error.leavesDoubt { self.connection = nil }
      if error.kind == .deadline { connector.reachability.doubt(error) }
      throw error
    }
  }

  /// What is asked also where the caller has gone.
  func count<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    do throws(ServerFailure) {
      return try use { (connection) throws(ServerFailure) in
        do throws(ServerFailure) {
          return try body(connection)
        } catch {
          if !error.endsSession { try connection.rollBack() }
          throw error
        }
      }
    } catch {
      throw error.storeFailure
    }
  }

  /// A look-up or a list; what a caller has given up while it waited in line is not asked.
  func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(ServerFailure) -> Value
  ) throws(StoreFailure) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    do throws(ServerFailure) {
      return try use(body)
    } catch {
      throw error.storeFailure
    }
  }
}
