internal import Heartbeat
internal import Registration
internal import WorkerThreads

/// Reads on a connection and a thread of its own. In WAL mode a reader waits for no writer, neither regd's nor another program's,
/// and sees every commit that was acknowledged before the read.
actor SQLiteReader {
  private let executor: ThreadExecutor
  private var connection: Connection?
  private let lockWait: LockWait

  /// A pulse that is answered on the thread, in turn with the reads.
  nonisolated func pulse(_ name: String) -> Pulse { lockWait.pulse(name, on: executor) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connection: sending Connection, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    lockWait = connection.lockWait
    self.connection = connection
  }

  func close() { connection = nil }

  /// Runs a read; skipped if the caller was cancelled while queued.
  ///
  /// - Parameter body: Must not write.
  func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
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
