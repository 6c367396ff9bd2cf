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
    try connection.perform { (connection) throws(SQLiteFailure) in
      try AccountRow.find(connection, by: column, value)
    }
  }

  func check() throws(StoreFailure) {
    try connection.perform { (connection) throws(SQLiteFailure) in
      try connection.run("SELECT count(*) FROM sqlite_schema")
    }
  }
}

extension Connection? {
  /// Runs `body` on the connection, where there still is one, and makes SQLite's failures the store's.
  func perform<Value>(_ body: (Connection) throws(SQLiteFailure) -> Value) throws(StoreFailure) -> Value {
    guard let connection = self else { throw .unavailable(detail: "the database is closed") }
    do {
      return try body(connection)
    } catch {
      throw error.storeFailure
    }
  }
}
