internal import Heartbeat
internal import Registration
internal import WorkerThreads

/// Reads on a connection and a thread of its own: in WAL a reader waits for no writer, neither for ours nor for another
/// program's, and sees every commit that was acknowledged before it began.
actor SQLiteReader {
  private let executor: ThreadExecutor
  private var connection: Connection?
  private let lockWait: LockWait

  /// Answered on the thread, in turn with the look-ups.
  nonisolated func pulse(_ name: String) -> Pulse { lockWait.pulse(name, on: executor) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connection: sending Connection, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    lockWait = connection.lockWait
    self.connection = connection
  }

  func close() { connection = nil }

  /// - Parameter body: Only reads.
  func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
    // given up by its caller while it waited in line
    guard !Task.isCancelled else { throw .cancelled }
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    do {
      return try body(connection)
    } catch {
      if let row = error.row { connection.damage?.note(row) }
      throw error.storeFailure
    }
  }
}
