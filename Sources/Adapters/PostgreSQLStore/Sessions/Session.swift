internal import Heartbeat
internal import Registration
internal import WorkerThreads

/// One session with the server, on a thread of its own; connected when it is needed first, and again when it was lost.
actor Session {
  private let executor: ThreadExecutor
  private let connector: Connector
  private var connection: Connection?
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connector: Connector, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    self.connector = connector
  }

  /// Answered on the thread, in turn with what is asked of the server, all of which has a deadline.
  nonisolated func pulse(_ name: String) -> Pulse {
    Pulse(name) { [executor] answered in executor.submit(answered) }
  }

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
