internal import Registration

/// Marks a database that a move (the copying of another store) is filling: by the table `moved_into`, and by a schema
/// version that every regd refuses.
enum MoveMark {
  /// Added to the schema's version while a move fills the database.
  static let filling = 2_000_000

  static func isThere(_ connection: Connection) throws(ServerFailure) -> Bool {
    try !connection.run(
      """
      SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'moved_into'
      """
    ).isEmpty
  }

  /// Throws unless a move has completed the database for this hold (a pause of the source's changes).
  static func require(_ connection: Connection, completedFor hold: String) throws(ServerFailure) {
    guard try isThere(connection) else { throw .unfit("no move has completed this database") }
    guard try connection.run("SELECT ready FROM moved_into").first?.optional(0) == hold else {
      throw .unfit("the move that fills this database has not completed it for this hold")
    }
  }

  /// How much of the source's data the database has. Throws unless a move has completed the database for this hold (a
  /// pause of the source's changes).
  static func arrival(_ connection: Connection, completedFor hold: String) throws(ServerFailure) -> MoveArrival {
    try require(connection, completedFor: hold)
    guard let row = try connection.run("SELECT move, position, audited FROM moved_into").first else {
      throw .unfit("the row of the move is missing")
    }
    return MoveArrival(row.text(0), position: row.integer(1), audited: row.integer(2))
  }

  static func begin(_ connection: Connection, _ move: String, _ runner: String) throws(ServerFailure) {
    try connection.run(
      """
      CREATE TABLE moved_into (
        move     text NOT NULL,
        position bigint NOT NULL,                            -- up to where changes of the source are here
        copying  text,                                       -- what is being copied; NULL: all was
        after    text NOT NULL,                              -- behind which key that goes on
        audited  bigint NOT NULL,                            -- the last entry of the audit that is here
        ready    text,                                       -- the hold for which it is complete
        runner   text NOT NULL                               -- the program whose steps are taken
      )
      """)
    try connection.run(
      "INSERT INTO moved_into (move, position, after, audited, runner) VALUES ($1, 0, '', 0, $2)",
      [.text(move), .text(runner)])
    try connection.run("UPDATE installation SET version = version + \(filling), oldest = oldest + \(filling)")
  }

  /// Removes the marks, so that the database is a normal store.
  static func end(_ connection: Connection) throws(ServerFailure) {
    try connection.run(
      """
      UPDATE installation SET version = version - \(filling), oldest = oldest - \(filling) WHERE version >= \(filling)
      """)
    try connection.run("DROP TABLE moved_into")
  }

  /// Makes the numbers of new rows start after those of the copied rows, and the audit's tree continue after the copied
  /// leaves. An entry that another program has added to the source counts as one that it adds here (`AuditTail`), so that its
  /// number does not use up all later ones. Never lowers the audit's last number, because a regd that opened the database
  /// for the hold may have numbered entries already.
  static func adoptNumbers(_ connection: Connection) throws(ServerFailure) {
    // such a regd gives no number until this transaction has ended
    try connection.run("SELECT 1 FROM numbering FOR NO KEY UPDATE")
    let size = try connection.run("SELECT coalesce(max(leaf) + 1, 0) FROM audit WHERE leaf >= 0").first?.integer(0) ?? 0
    let tree = AuditFrontier(size: size, try AuditTreeRow.hashes(connection, of: AuditFrontier.leaves(of: size)))
    try connection.run(
      """
      UPDATE numbering SET leaves = $1::bigint, peaks = $2::bytea,
        last = greatest(last, (SELECT max(number) FROM audit WHERE leaf >= 0))
      """, ["\(size)", .bytes(tree.stored)])
    for table in MovedTable.allCases where table.hasIdentity {
      let last = try connection.run("SELECT coalesce(max(number), 0) FROM \(table.rawValue)").first?.integer(0) ?? 0
      try connection.run("ALTER TABLE \(table.rawValue) ALTER COLUMN number RESTART WITH \(last + 1)")
    }
  }
}
