internal import Registration

/// Marks a database as the source or the target of a move, by rows and, if no regd may open it, by a `user_version` that every
/// regd refuses, even an older one.
enum MoveMark {
  /// Added to the schema's version in a database that was moved away.
  static let left = 1_000_000
  /// Added to the schema's version while a move fills the database.
  static let filling = 2_000_000

  /// Throws, with the reason, if the database is not a usable store now.
  ///
  /// - Parameter hold: The hold (a pause of the source's changes) for which a move must have completed the database.
  ///   Nil for a normal opening.
  /// - Returns: The schema's version.
  static func check(
    _ connection: Connection, _ version: Int, completedFor hold: String? = nil
  ) throws(SQLiteFailure) -> Int {
    switch version {
    case filling...:
      let ready =
        try connection.query("SELECT ready FROM moved_into") { (row) throws(SQLiteFailure) in
          row.isNull(0) ? nil : row.text(0)
        }.first ?? nil
      guard let hold else {
        throw SQLiteFailure.notOurs(
          "a move into this database is not complete: finish it with regctl move, or end it with regctl move --abandon")
      }
      guard ready == hold else {
        throw SQLiteFailure.notOurs("the move that fills this database has not completed it for this hold")
      }
      return version - filling
    case left...: throw SQLiteFailure.notOurs(try destination(connection))
    default:
      guard hold == nil else { throw SQLiteFailure.notOurs("no move has completed this database") }
      return version
    }
  }

  /// The place where an open database was moved to, in words. Nil if it was not moved.
  static func whereTo(_ connection: Connection) throws(SQLiteFailure) -> String? {
    let version = try connection.integer("PRAGMA user_version")
    return version >= left && version < filling ? try destination(connection) : nil
  }

  private static func destination(_ connection: Connection) throws(SQLiteFailure) -> String {
    let words = try connection.query("SELECT at, target FROM moved_away") { (row) throws(SQLiteFailure) in
      "it was moved to \(row.text(1)) on \(row.text(0)), where its accounts are"
    }.first
    return words ?? "it was moved to another store"
  }

  /// How much of the source's data the database has. Throws unless a move has completed the database for this hold (a
  /// pause of the source's changes).
  static func arrival(_ connection: Connection, completedFor hold: String) throws(SQLiteFailure) -> MoveArrival {
    let found = try connection.query("SELECT move, position, audited FROM moved_into WHERE ready = ?1", [hold]) {
      (row) throws(SQLiteFailure) in MoveArrival(row.text(0), position: row.integer(1), audited: row.integer(2))
    }
    guard let arrival = found.first else {
      throw SQLiteFailure.notOurs("the move that fills this database has not completed it for this hold")
    }
    return arrival
  }

  /// Marks a database as moved away, and makes it refuse every change by any program that still has it open.
  static func leave(_ connection: Connection, for target: String, at time: Timestamp) throws(SQLiteFailure) {
    let version = try connection.integer("PRAGMA user_version")
    guard version < left else { throw SQLiteFailure.notOurs(try destination(connection)) }
    try connection.execute("CREATE TABLE moved_away (at TEXT NOT NULL, target TEXT NOT NULL) STRICT")
    try connection.run("INSERT INTO moved_away (at, target) VALUES (?1, ?2)", [time.rfc3339, target])
    for table in MovedTable.allCases {
      for change in ["INSERT", "UPDATE", "DELETE"] {
        try connection.execute(
          """
          CREATE TRIGGER moved_\(table.rawValue)_\(change.lowercased()) BEFORE \(change) ON \(table.rawValue)
          BEGIN SELECT RAISE(ABORT, 'the accounts were moved to another store'); END
          """)
      }
    }
    try connection.execute("PRAGMA user_version = \(left + version)")
  }
}
