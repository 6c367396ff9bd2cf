package import Registration
internal import WorkerThreads

/// Accounts in one SQLite file: one writer, WAL, every commit synced to the disk before it is acknowledged.
package actor SQLiteStore: AccountStore {
  private let executor: ThreadExecutor
  private var connection: Connection?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the database, makes it where there is none, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file; its directory must exist and be writable, for SQLite keeps two files beside it.
  ///   - busyMilliseconds: How long an operation waits for a lock that another program holds.
  package init(path: String, busyMilliseconds: Int32 = 5000) throws(StoreFailure) {
    do {
      executor = try ThreadExecutor(name: "regd-sqlite")
    } catch {
      throw .unavailable(detail: "no thread could be started (errno \(error.errorNumber))")
    }
    do {
      connection = try Self.open(path, busyMilliseconds)
    } catch {
      throw error.storeFailure
    }
  }

  /// For tests that need to set something on the connection before.
  init(_ connection: sending Connection) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: "regd-sqlite")
    self.connection = connection
  }

  /// A connection as the store has it. Whose database it is is looked at before anything is written.
  static func open(_ path: String, _ busyMilliseconds: Int32) throws(SQLiteFailure) -> sending Connection {
    let connection = try Connection(path: path, busyMilliseconds: busyMilliseconds)
    try Schema.check(connection)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
    try Schema.migrate(connection)
    return connection
  }

  /// Closes the file; every later operation fails.
  package func close() { connection = nil }

  package func insert(_ account: StoredAccount) throws(StoreFailure) -> InsertAnswer {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.transaction { () throws(SQLiteFailure) in
        try connection.run(
          """
          INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (email_key) DO NOTHING
          """, AccountRow.parameters(account))
        if connection.changes == 1 { return (.inserted, true) }
        guard let holder = try AccountRow.find(connection, by: "email_key", account.account.email.key.value) else {
          throw SQLiteFailure(code: 11, message: "a key is taken by nobody")
        }
        return (.taken(holder), false)
      }
    }
  }

  package func find(_ key: EmailKey) throws(StoreFailure) -> StoredAccount? {
    try perform { (connection) throws(SQLiteFailure) in
      try AccountRow.find(connection, by: "email_key", key.value)
    }
  }

  package func find(_ id: AccountID) throws(StoreFailure) -> StoredAccount? {
    try perform { (connection) throws(SQLiteFailure) in
      try AccountRow.find(connection, by: "id", id.description)
    }
  }

  package func activate(_ id: AccountID, at time: Timestamp) throws(StoreFailure) -> Account? {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.transaction { () throws(SQLiteFailure) in
        try connection.run(
          "UPDATE account SET state = 'active', updated_at = ?2 WHERE id = ?1 AND state = 'pending'",
          [id.description, time.rfc3339])
        let account = try AccountRow.find(connection, by: "id", id.description)?.account
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

  package func check() throws(StoreFailure) {
    try perform { (connection) throws(SQLiteFailure) in
      try connection.run("SELECT count(*) FROM sqlite_schema")
    }
  }

  private func perform<Value>(
    _ body: (Connection) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    // what waited in line while its time ran out need not wait for a lock as well
    guard !Task.isCancelled else { throw .unavailable(detail: "the request was cancelled before its turn") }
    do {
      return try body(connection)
    } catch {
      throw error.storeFailure
    }
  }
}
