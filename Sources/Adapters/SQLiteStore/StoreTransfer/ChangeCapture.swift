internal import Registration

/// Records which units of a database change during a move. Triggers record them, so that a change by any process is
/// recorded in that change's own transaction.
enum ChangeCapture {
  /// Begins a move and its recording, or continues the move in progress.
  ///
  /// - Parameter move: The name of the move if it begins now.
  /// - Returns: The name of the move in progress.
  static func begin(_ connection: Connection, _ move: String, at time: Timestamp) throws(SQLiteFailure) -> String {
    try connection.transaction { () throws(SQLiteFailure) in
      if let begun = try self.move(connection) {
        guard try objects(connection) == Set(statements) else {
          throw SQLiteFailure.notOurs(
            "another version of regctl began a move from it: end that move with regctl move --abandon, and start again"
          )
        }
        return (begun, false)
      }
      for statement in statements { try connection.execute(statement) }
      try connection.run("INSERT INTO move (id, begun_at) VALUES (?1, ?2)", [move, time.rfc3339])
      return (move, true)
    }
  }

  /// The name of the move in progress, if any.
  static func move(_ connection: Connection) throws(SQLiteFailure) -> String? {
    guard try !objects(connection).isEmpty else { return nil }
    return try connection.query("SELECT id FROM move") { (row) throws(SQLiteFailure) in row.text(0) }.first
  }

  /// The tables, indices and triggers that a move made.
  private static func objects(
    _ connection: Connection, where condition: String = "TRUE"
  ) throws(SQLiteFailure) -> Set<String> {
    Set(
      try connection.query(
        "SELECT sql FROM sqlite_schema WHERE (name = 'move' OR name LIKE 'move\\_%' ESCAPE '\\') AND \(condition)"
      ) { (row) throws(SQLiteFailure) in row.text(0) })
  }

  static func triggers(_ connection: Connection) throws(SQLiteFailure) -> Set<String> {
    try objects(connection, where: "type = 'trigger'")
  }

  /// Ends the recording, and removes all of its objects.
  static func end(_ connection: Connection) throws(SQLiteFailure) {
    try connection.transaction { () throws(SQLiteFailure) in
      let names = try connection.query(
        """
        SELECT type, name FROM sqlite_schema
        WHERE (name = 'move' OR name LIKE 'move\\_%' ESCAPE '\\') AND type <> 'index' ORDER BY type DESC
        """
      ) { (row) throws(SQLiteFailure) in "\(row.text(0)) \(row.text(1))" }
      for name in names { try connection.execute("DROP \(name)") }
      return ((), !names.isEmpty)
    }
  }

  /// The units that changed after a position, the latest change last, with the positions of the changes.
  static func changes(
    _ connection: Connection, after position: Int, limit: Int
  ) throws(SQLiteFailure) -> [(position: Int, key: MoveKey)] {
    try connection.query(
      """
      SELECT position, strand, key FROM move_change WHERE position > CAST(?1 AS INTEGER) ORDER BY position LIMIT \(limit)
      """, ["\(position)"]
    ) { (row) throws(SQLiteFailure) in
      guard let strand = MoveStrand(rawValue: row.text(1)) else {
        throw SQLiteFailure.damaged("the move has recorded a change of \"\(row.text(1))\"")
      }
      return (row.integer(0), MoveKey(strand, row.text(2)))
    }
  }

  /// The statements that begin the recording, spelled as SQLite keeps them in its schema. If the schema has others,
  /// another version of regctl began the move.
  private static let statements: [String] =
    [
      "CREATE TABLE move (id TEXT NOT NULL, begun_at TEXT NOT NULL) STRICT",
      // AUTOINCREMENT never reuses a number: a change that is recorded again gets a later one
      """
      CREATE TABLE move_change (
        position INTEGER PRIMARY KEY AUTOINCREMENT, strand TEXT NOT NULL, key TEXT NOT NULL
      ) STRICT
      """,
      "CREATE UNIQUE INDEX move_changed ON move_change (strand, key)",
    ]
    // the audit needs no trigger: it only grows, and its entries' numbers show which are new
    + MovedTable.allCases.filter { $0.strand != .audit }.flatMap { table in
      [("insert", "new"), ("update", "new"), ("delete", "old")].map { trigger(table, $0, $1) }
    }

  /// SQL for a trigger that records changes. It has no conflict clause, because the clause of the statement that fires
  /// the trigger would replace it.
  private static func trigger(_ table: MovedTable, _ change: String, _ row: String) -> String {
    let key = "CAST(\(row).\(table.owner) AS TEXT)"
    return """
      CREATE TRIGGER move_\(table.rawValue)_\(change) AFTER \(change.uppercased()) ON \(table.rawValue) BEGIN
        DELETE FROM move_change WHERE strand = '\(table.strand.rawValue)' AND key = \(key);
        INSERT INTO move_change (strand, key) VALUES ('\(table.strand.rawValue)', \(key));
      END
      """
  }
}
