internal import Registration
internal import WorkerThreads

/// Reads on a connection and a thread of its own: in WAL a reader waits for no writer, neither for ours nor for another
/// program's, and sees every commit that was acknowledged before it began.
actor SQLiteReader {
  private let executor: ThreadExecutor
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connection: sending Connection) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: "regd-sqlite-r")
    self.connection = connection
  }

  func close() { connection = nil }

  func find(by column: AccountRow.Column, _ value: String) throws(StoreFailure) -> StoredAccount? {
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    do {
      return try AccountRow.find(connection, by: column, value)
    } catch {
      throw error.storeFailure
    }
  }

  func check() throws(StoreFailure) {
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    do {
      try connection.run("SELECT count(*) FROM sqlite_schema")
    } catch {
      throw error.storeFailure
    }
  }
}
