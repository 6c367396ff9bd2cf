internal import Glibc
package import Registration
internal import WorkerThreads

/// Accounts in one SQLite file: one writer, WAL, every commit synced to the disk before it is acknowledged; reads go
/// beside it and wait for nobody's lock.
package actor SQLiteStore: AccountStore {
  private let executor: ThreadExecutor
  private var connection: Connection?
  let reader: SQLiteReader
  private let observer: AuditObserver

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the database, makes it where there is none, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file; its directory must exist and be writable, for SQLite keeps two files beside it.
  ///   - busyMilliseconds: How long an operation waits for a lock that another program holds.
  ///   - maximumBytes: How large the database may become; nil for as large as there is room. One that is larger already does
  ///     not shrink, and does not grow.
  ///   - isReadOnly: Whether every change is refused, once the schema is up to date.
  ///   - damaged: Is told of each row that cannot be read, once, on one of the store's threads; of the first 10 000.
  ///   - observer: Is told of each change, on the store's own thread.
  package init(
    path: String, busyMilliseconds: Int32 = 5000, maximumBytes: Int? = nil, isReadOnly: Bool = false,
    damaged: @escaping DamageObserver = { _ in }, observer: @escaping AuditObserver = { _ in }
  ) throws(StoreFailure) {
    let writer: Connection
    let reader: Connection
    do throws(SQLiteFailure) {
      writer = try Self.open(path, busyMilliseconds)
      if let maximumBytes { try writer.limit(toBytes: maximumBytes) }
      if isReadOnly { try writer.execute("PRAGMA query_only = ON") }
      reader = try Connection(path: path, busyMilliseconds: busyMilliseconds)
      let damage = DamageLog(damaged)
      (writer.damage, reader.damage) = (damage, damage)
    } catch {
      throw error.storeFailure
    }
    do throws(WorkerThreads.StartFailure) {
      try self.init(writer: writer, reader: reader, observer: observer)
    } catch {
      throw .unavailable(detail: "no thread could be started (errno \(error.errorNumber))")
    }
  }

  /// For tests too, which set something on the connections before.
  init(
    writer: sending Connection, reader: sending Connection, observer: @escaping AuditObserver = { _ in }
  ) throws(WorkerThreads.StartFailure) {
    self.observer = observer
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
    try connection.execute("PRAGMA foreign_keys = ON")
    return connection
  }

  /// Closes the file; every later operation fails.
  package func close() async {
    await reader.close()
    connection = nil
  }

  package nonisolated func check() async throws(StoreFailure) {
    try await reader.read { (connection) throws(SQLiteFailure) in
      try connection.run("SELECT count(*) FROM sqlite_schema")
    }
  }

  /// What one transaction changed, told to the observer when it is committed.
  struct Changes {
    fileprivate let connection: Connection
    fileprivate var entries: [AuditEntry] = []

    mutating func note(
      _ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp
    ) throws(SQLiteFailure) {
      entries.append(try AuditRow.write(connection, change, account, stamp))
    }
  }

  /// Does `body` as a whole; what has changed nothing needs no commit.
  ///
  /// - Parameter isLate: Whether it is done also for who has no time any more.
  func change<Value>(
    evenIfLate isLate: Bool = false, _ body: (Connection, inout Changes) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
    // what waited in line while its time ran out need not wait for a lock as well
    guard isLate || !Task.isCancelled else { throw .unavailable(detail: "the request was cancelled before its turn") }
    let (value, entries) = try connection.perform { (connection) throws(SQLiteFailure) in
      try connection.transaction { () throws(SQLiteFailure) in
        var changes = Changes(connection: connection)
        let before = connection.totalChanges
        let value = try body(connection, &changes)
        return ((value, changes.entries), connection.totalChanges != before)
      }
    }
    for entry in entries { observer(entry) }
    return value
  }
}
