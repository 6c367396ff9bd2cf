internal import Linux
internal import Registration

extension SQLiteStore {
  /// Opens the writer's connection: checks the database, sets the connection up, and brings the schema up to date.
  static func open(
    _ path: String, _ busyMilliseconds: Int32, _ cryptography: any AuditCryptography, vfs: String? = nil,
    completedFor hold: String? = nil, doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(SQLiteFailure) -> sending Connection {
    let deadline = ContinuousClock.now + .milliseconds(busyMilliseconds)
    while true {
      do {
        return try openOnce(path, busyMilliseconds, cryptography, vfs, hold, doing)
      } catch {
        // SQLite waits for locks by itself, but not for all those that the change to WAL needs
        guard error.isBusy, ContinuousClock.now < deadline else { throw error }
        ThisThread.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Opens a connection for reading what the writer's connection writes.
  static func another(
    _ path: String, _ busyMilliseconds: Int32, _ vfs: String?
  ) throws(SQLiteFailure) -> sending Connection {
    let connection = try Connection(path: path, busyMilliseconds: busyMilliseconds, vfs: vfs)
    // SQLite makes the log and its index at the first read
    try connection.run("SELECT count(*) FROM sqlite_schema")
    connection.place = DatabasePlace(path)
    // the files of another file layer (`vfs`) may be anywhere
    guard connection.place != nil || vfs != nil, !connection.hasMoved else {
      throw SQLiteFailure.replaced("\(path) was replaced or removed while it was opened")
    }
    return connection
  }

  /// Takes all access for others from the database's files, because they contain password hashes. An operator may have
  /// made the file, and a move by an earlier version made it readable for all users. Changes only files of this
  /// process's user, or as root those of the database's owner. Uses paths, because closing a descriptor of the database
  /// would release the locks that this process has on it.
  static func takeFromOthers(_ path: String) {
    // SQLite's other files are next to the database, and not next to a link to it
    let path = FileSystem.resolved(path) ?? path
    guard let database = try? FileStatus(path, followsLink: false) else { return }
    let owner = ThisProcess.effectiveUser == 0 ? database.owner : ThisProcess.effectiveUser
    for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
      guard let status = try? FileStatus(file, followsLink: false), status.kind == .regular, status.owner == owner,
        status.permissions & 0o007 != 0
      else { continue }
      try? FileSystem.setPermissions(status.permissions & ~0o007, of: file)
    }
  }

  /// Opens the database once. Writes nothing before it has checked that the database is regd's.
  private static func openOnce(
    _ path: String, _ busyMilliseconds: Int32, _ cryptography: any AuditCryptography, _ vfs: String?, _ hold: String?,
    _ doing: @Sendable (_ what: String) -> Void
  ) throws(SQLiteFailure) -> sending Connection {
    let before = DatabasePlace(path, endings: [""])
    let connection = try Connection(path: path, busyMilliseconds: busyMilliseconds, vfs: vfs)
    try Schema.check(connection, completedFor: hold)
    takeFromOthers(path)
    try connection.logAheadAndSync()
    try connection.execute("PRAGMA trusted_schema = OFF")
    try Schema.migrate(connection, cryptography, doing: doing)
    try Installation.makeStampKey(connection, in: FileStatus.birth(of: path))
    try Installation.makeAuditKey(connection)
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.syncLog()
    // SQLite checks the inode that it has opened, but not the device: so regd checks both
    connection.place = DatabasePlace(path)
    try before?.check()
    guard connection.place != nil || vfs != nil, !connection.hasMoved else {
      throw SQLiteFailure.replaced("\(path) was replaced or removed while it was opened")
    }
    return connection
  }
}

extension Connection {
  /// Turns write-ahead logging on, with a sync at each commit. Throws if SQLite silently keeps another journal, as it
  /// does on a file system without shared memory.
  fileprivate func logAheadAndSync() throws(SQLiteFailure) {
    let mode = try query("PRAGMA journal_mode = WAL") { (row) throws(SQLiteFailure) in row.text(0) }.first ?? ""
    guard mode == "wal" else {
      throw SQLiteFailure.unfit(
        "SQLite uses the journal mode \"\(mode)\" there, not \"wal\": the file system, perhaps a network file system, has no shared memory; put the database on a local file system"
      )
    }
    try execute("PRAGMA synchronous = FULL")
    guard try integer("PRAGMA synchronous") == 2 else {
      throw SQLiteFailure.unfit("SQLite does not sync its commits there (PRAGMA synchronous)")
    }
  }
}
