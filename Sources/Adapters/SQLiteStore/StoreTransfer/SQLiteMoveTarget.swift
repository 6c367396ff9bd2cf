internal import Linux
package import Registration

/// A database that a move fills with the data of another store.
package final class SQLiteMoveTarget: MoveTarget {
  private let path: String
  private let connection: Connection
  /// The owner of the source database, who must also own the target.
  private let owner: UInt32
  /// Identifies this program. If two programs continue the same move, only the later one's steps are accepted.
  private let runner = AccountID(at: Timestamp(microseconds: 0)).description

  /// Opens the file, and makes it with the source's owner and mode if it does not exist.
  ///
  /// - Parameter source: The path of the moved database, which cannot be its own target.
  package init(_ path: String, source: String) throws(MoveFailure) {
    self.path = path
    let owner = (try? FileStatus(source))?.owner ?? ThisProcess.effectiveUser
    self.owner = owner
    guard (try? FileStatus(source))?.identity != (try? FileStatus(path))?.identity || !FileSystem.exists(path) else {
      throw .refused("\(path) is the store to be moved; choose another file")
    }
    if let status = try? FileStatus(source), !FileSystem.exists(path) { Self.makeFile(path, like: status) }
    do throws(SQLiteFailure) {
      connection = try Connection(path: path, busyMilliseconds: 5000)
      try connection.execute("PRAGMA foreign_keys = ON")
    } catch {
      throw Self.failure(path, owner, error)
    }
  }

  /// Makes an empty file that only its owner can read, and then gives it the source's owner, group and mode, without any
  /// access for others. A group that cannot be kept gets no access. If the file cannot be made, SQLite says why.
  private static func makeFile(_ path: String, like source: FileStatus) {
    guard let file = try? Descriptor.open(path, [.writing, .creatingNew], permissions: 0o600) else { return }
    let isKept = (try? file.setOwner(source.owner, group: source.group)) != nil
    try? file.setPermissions(source.permissions & (isKept ? 0o770 : 0o700))
  }

  package func begin(_ move: String, _ keys: StoreKeys) throws(MoveFailure) -> MoveProgress {
    try perform { connection throws(SQLiteFailure) in
      if let progress = try Self.progress(connection, of: move) {
        SQLiteStore.takeFromOthers(path)
        try connection.run("UPDATE moved_into SET ready = NULL, runner = ?1", [runner])
        return progress
      }
      let owner = try connection.integer("PRAGMA application_id")
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard owner == Schema.applicationID || owner == 0 && isEmpty else {
        throw SQLiteFailure.notOurs("this is another program's database; choose a file that does not exist")
      }
      let version = try connection.integer("PRAGMA user_version")
      guard version <= Schema.migrations.count else {
        _ = try MoveMark.check(connection, version)
        throw SQLiteFailure.notOurs(
          "its schema has version \(version), but this regctl knows only \(Schema.migrations.count)")
      }
      SQLiteStore.takeFromOthers(path)
      try Schema.run(connection, from: version)
      for table in MovedTable.allCases {
        guard try connection.integer("SELECT count(*) FROM (SELECT 1 FROM \(table.rawValue) LIMIT 1)") == 0 else {
          throw SQLiteFailure.notOurs(
            "it already has accounts or an audit; a move needs an empty store: choose a file that does not exist"
          )
        }
      }
      try connection.execute(
        """
        CREATE TABLE moved_into (
          move TEXT NOT NULL, position INTEGER NOT NULL, copying TEXT, after TEXT NOT NULL, audited INTEGER NOT NULL,
          ready TEXT,                                          -- the hold for which it is complete
          runner TEXT NOT NULL                                 -- the program whose steps are taken
        ) STRICT;
        PRAGMA application_id = \(Schema.applicationID);
        PRAGMA user_version = \(MoveMark.filling + Schema.migrations.count)
        """)
      let progress = MoveProgress.beginning
      try Installation.replace(connection, by: keys)
      try connection.run("INSERT INTO moved_into VALUES (?1, 0, '', '', 0, NULL, ?2)", [move, runner])
      try note(connection, progress)
      return progress
    }
  }

  package func add(_ units: [MovedUnit], _ progress: MoveProgress) throws(MoveFailure) {
    try perform { connection throws(SQLiteFailure) in
      for unit in units {
        // an audit entry is added only once, so it never has to be replaced
        if unit.key.strand != .audit { try MovedRows.remove(connection, unit.key) }
        try MovedRows.insert(connection, unit)
      }
      try note(connection, progress)
    }
  }

  package func replace(
    _ keys: [MoveKey], by units: [MovedUnit], _ progress: MoveProgress
  ) throws(MoveFailure) -> [MovedUnit] {
    try perform { connection throws(SQLiteFailure) in
      var going = keys
      var known = Set(keys)
      for row in units.lazy.flatMap(\.rows) {
        guard let holder = try MovedRows.holder(connection, row), known.insert(holder).inserted else { continue }
        going.append(holder)
      }
      let gone = try MovedRows.units(connection, going)
      for unit in gone { try MovedRows.remove(connection, unit.key) }
      for unit in units { try MovedRows.insert(connection, unit) }
      for key in gone.map(\.key) where key.strand == .auditAddresses {
        try AuditAddressRow.eraseOrigin(connection, of: key.text)
      }
      try note(connection, progress)
      return gone
    }
  }

  package func units(_ keys: [MoveKey]) throws(MoveFailure) -> [MovedUnit] {
    do throws(SQLiteFailure) { return try MovedRows.units(connection, keys) } catch {
      throw SQLiteMoveSource.failure(path, error)
    }
  }

  package func page(_ page: MovePage, limit: Int) throws(MoveFailure) -> [MovedUnit] {
    do throws(SQLiteFailure) { return try MovedRows.page(connection, page, limit: limit) } catch {
      throw SQLiteMoveSource.failure(path, error)
    }
  }

  package func complete(for hold: String) throws(MoveFailure) {
    try perform { connection throws(SQLiteFailure) in
      try connection.run("UPDATE moved_into SET ready = ?1 WHERE runner = ?2", [hold, runner])
      try requireOurs(connection)
    }
  }

  package func arrive(_ move: String) throws(MoveFailure) {
    try perform { connection throws(SQLiteFailure) in
      guard try Self.progress(connection, of: move) != nil else { return }
      try Self.arrive(connection)
    }
  }

  package func abandon(_ move: String) throws(MoveFailure) {
    let isThere = try perform { connection throws(SQLiteFailure) in
      guard try Self.progress(connection, of: move) != nil else {
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
          throw SQLiteFailure.notOurs("no move into this database is in progress; it was left unchanged")
        }
        return false
      }
      return true
    }
    guard isThere else { return }
    // removes the files, because the move made the database or found it empty
    for ending in ["", "-wal", "-shm", "-journal"] { FileSystem.remove(path + ending) }
  }

  // MARK: -

  static func arrive(_ connection: Connection) throws(SQLiteFailure) {
    try InvitationUseRow.closeGaps(connection)
    try connection.execute(
      "DROP TABLE moved_into; PRAGMA user_version = \(try connection.integer("PRAGMA user_version") - MoveMark.filling)"
    )
  }

  /// The progress of the move, or nil if no move fills the database.
  ///
  /// - Throws: If another move fills the database.
  private static func progress(_ connection: Connection, of move: String) throws(SQLiteFailure) -> MoveProgress? {
    guard try connection.integer("PRAGMA user_version") >= MoveMark.filling else { return nil }
    let found = try connection.query("SELECT move, position, copying, after, audited FROM moved_into") {
      (row) throws(SQLiteFailure) in
      (
        row.text(0),
        MoveProgress(
          position: row.integer(1), copying: row.isNull(2) ? nil : MoveStrand(rawValue: row.text(2)),
          after: row.text(3), audited: row.integer(4))
      )
    }
    guard let (owner, progress) = found.first else { throw SQLiteFailure.damaged("the row of the move is missing") }
    guard owner == move else {
      throw SQLiteFailure.notOurs("another move into it is in progress; choose a separate file")
    }
    return progress
  }

  private func note(_ connection: Connection, _ progress: MoveProgress) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE moved_into SET position = ?1, copying = ?2, after = ?3, audited = ?4 WHERE runner = ?5",
      ["\(progress.position)", progress.copying?.rawValue, progress.after, "\(progress.audited)", runner])
    try requireOurs(connection)
  }

  /// - Throws: If the last statement changed no row, because another program continues this move.
  private func requireOurs(_ connection: Connection) throws(SQLiteFailure) {
    guard connection.changes == 1 else {
      throw SQLiteFailure.notOurs("another regctl is continuing this move")
    }
  }

  private func perform<Value>(
    _ body: (Connection) throws(SQLiteFailure) -> Value
  ) throws(MoveFailure) -> Value {
    do throws(SQLiteFailure) {
      return try connection.transaction { () throws(SQLiteFailure) in (try body(connection), true) }
    } catch {
      throw Self.failure(path, owner, error)
    }
  }

  private static func failure(_ path: String, _ owner: UInt32, _ failure: SQLiteFailure) -> MoveFailure {
    let endings = ["-journal", "-wal", "-shm"]
    guard failure.isOfFile, let words = ObstacleText.find(path, endings: endings, program: "regctl", owner: owner)
    else { return SQLiteMoveSource.failure(path, failure) }
    return .unavailable("\(path): \(words)")
  }
}
