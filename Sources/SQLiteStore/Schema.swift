/// The database's shape, and the steps that lead to it from every shape that was ever shipped.
enum Schema {
  /// Step n leads from `user_version` n to n + 1. A step that was shipped is never changed; new ones are added.
  static let migrations = [
    """
    CREATE TABLE account (
      id            TEXT NOT NULL PRIMARY KEY,               -- UUID
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL UNIQUE COLLATE BINARY,     -- what accounts are compared by; computed by regd
      password_hash TEXT NOT NULL,                           -- PHC string
      state         TEXT NOT NULL CHECK (state IN ('active', 'pending', 'disabled')),
      created_at    TEXT NOT NULL,                           -- RFC 3339, UTC
      updated_at    TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
  ]

  /// "regd" in ASCII, so that file(1) and we know whose database this is.
  static let applicationID = 0x7265_6764

  /// Brings the database up to date, each step in a transaction of its own.
  static func migrate(_ connection: Connection) throws(SQLiteFailure) {
    let owner = try integer(connection, "PRAGMA application_id")
    let version = try integer(connection, "PRAGMA user_version")
    guard owner == applicationID || (owner == 0 && version == 0) else {
      throw SQLiteFailure(code: 26, message: "this is the database of another program")
    }
    guard version <= migrations.count else {
      throw SQLiteFailure(
        code: 26, message: "its schema is version \(version), and this regd knows \(migrations.count): it is newer")
    }
    for step in version..<migrations.count {
      try connection.transaction { () throws(SQLiteFailure) in
        try connection.execute(migrations[step])
        try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(step + 1)")
        return ((), true)
      }
    }
  }

  private static func integer(_ connection: Connection, _ sql: String) throws(SQLiteFailure) -> Int {
    try connection.query(sql) { (row) throws(SQLiteFailure) in row.integer(0) }.first ?? 0
  }
}
