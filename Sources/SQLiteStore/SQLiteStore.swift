internal import Glibc
package import Registration
internal import WorkerThreads

/// Accounts in one SQLite file: one writer, WAL, every commit synced to the disk before it is acknowledged; reads go
/// beside it and wait for nobody's lock.
package actor SQLiteStore: AccountStore {
  private let executor: ThreadExecutor
  private var connection: Connection?
  private let reader: SQLiteReader

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the database, makes it where there is none, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file; its directory must exist and be writable, for SQLite keeps two files beside it.
  ///   - busyMilliseconds: How long an operation waits for a lock that another program holds.
  package init(path: String, busyMilliseconds: Int32 = 5000) throws(StoreFailure) {
    let writer: Connection
    let reader: Connection
    do throws(SQLiteFailure) {
      writer = try Self.open(path, busyMilliseconds)
      reader = try Connection(path: path, busyMilliseconds: busyMilliseconds)
    } catch {
      throw error.storeFailure
    }
    do throws(WorkerThreads.StartFailure) {
      try self.init(writer: writer, reader: reader)
    } catch {
      throw .unavailable(detail: "no thread could be started (errno \(error.errorNumber))")
    }
  }

  /// For tests too, which set something on the connections before.
  init(writer: sending Connection, reader: sending Connection) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: "regd-sqlite")
    connection = writer
    self.reader = try SQLiteReader(reader)
  }

  /// A connection as the store has it.
  static func open(_ path: String, _ busyMilliseconds: Int32) throws(SQLiteFailure) -> sending Connection {
    let deadline = ContinuousClock.now + .milliseconds(busyMilliseconds)
    while true {
      do {
        return try openOnce(path, busyMilliseconds)
      } catch {
        // SQLite waits for locks by itself, but not for all that turning to WAL needs
        guard error.isBusy, ContinuousClock.now < deadline else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Whose database it is is looked at before anything is written.
  private static func openOnce(_ path: String, _ busyMilliseconds: Int32) throws(SQLiteFailure) -> sending Connection {
    let connection = try Connection(path: path, busyMilliseconds: busyMilliseconds)
    try Schema.check(connection)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
    try Schema.migrate(connection)
    return connection
  }

  /// Closes the file; every later operation fails.
  package func close() async {
    await reader.close()
    connection = nil
  }

  package func insert(_ account: StoredAccount) throws(StoreFailure) -> InsertAnswer {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.transaction { () throws(SQLiteFailure) in
        try connection.run(
          """
          INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (email_key) DO NOTHING
          """, AccountRow.parameters(account))
        if connection.changes == 1 { return (.inserted, true) }
        guard let holder = try AccountRow.find(connection, by: .emailKey, account.account.email.key.value) else {
          throw SQLiteFailure.damaged("a key is taken by nobody")
        }
        return (.taken(holder), false)
      }
    }
  }

  package nonisolated func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await reader.find(by: .emailKey, key.value)
  }

  package nonisolated func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await reader.find(by: .id, id.description)
  }

  package func activate(_ id: AccountID, at time: Timestamp) throws(StoreFailure) -> Account? {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.transaction { () throws(SQLiteFailure) in
        try connection.run(
          "UPDATE account SET state = 'active', updated_at = ?2 WHERE id = ?1 AND state = 'pending'",
          [id.description, time.rfc3339])
        let account = try AccountRow.find(connection, by: .id, id.description)?.account
        return (account?.state == .active ? account : nil, true)
      }
    }
  }

  package func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) throws(StoreFailure) -> Bool {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.run(
        "UPDATE account SET updated_at = ?3 WHERE id = ?1 AND state = 'pending' AND updated_at = ?2",
        [id.description, seen.rfc3339, time.rfc3339])
      return connection.changes == 1
    }
  }

  package func release(_ id: AccountID, seen: Timestamp) throws(StoreFailure) -> Bool {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.run(
        "DELETE FROM account WHERE id = ?1 AND state = 'pending' AND updated_at = ?2", [id.description, seen.rfc3339])
      return connection.changes == 1
    }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) throws(StoreFailure) -> Bool {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.run(
        "UPDATE account SET password_hash = ?3, updated_at = ?4 WHERE id = ?1 AND password_hash = ?2",
        [id.description, old.phc, new.phc, time.rfc3339])
      return connection.changes == 1
    }
  }

  package nonisolated func check() async throws(StoreFailure) { try await reader.check() }

  private func perform<Value>(
    _ body: (Connection) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
    // what waited in line while its time ran out need not wait for a lock as well
    guard !Task.isCancelled else { throw .unavailable(detail: "the request was cancelled before its turn") }
    return try connection.perform(body)
  }
}
