internal import Registration

/// The one row with the key of stamps, the proofs of sign-ins. The row records which transaction wrote its key, in
/// which table and in which database. A restore from a dump writes the row in another transaction. A copy with
/// `CREATE DATABASE … TEMPLATE` has another database. So regd detects both cases itself, and makes another key.
/// Otherwise stamps that were ended after the dump or the copy would be valid again. Replicas, a promoted standby and
/// `pg_upgrade` keep the key and all three values. Commands that rewrite the table also keep them.
enum StampKeyRow {
  private static let isOriginal = "made_by = written_by AND made_in = tableoid AND made_for = \(database)"
  private static let database = "(SELECT oid FROM pg_database WHERE datname = current_database())"

  /// Makes the key if it does not exist, or if it came with a restore or a copy.
  static func make(_ connection: Connection) throws(ServerFailure) {
    guard try find(connection) == nil else { return }
    connection.begin()
    // if several regd processes start at once, one makes it
    try connection.run("LOCK TABLE stamp_key IN EXCLUSIVE MODE")
    if try find(connection) == nil { try replace(connection, by: .random()) }
    try connection.run("COMMIT")
  }

  /// Replaces the key in the transaction that is under way.
  static func replace(_ connection: Connection, by key: CodeKey) throws(ServerFailure) {
    try connection.run("DELETE FROM stamp_key")
    try connection.run(
      """
      INSERT INTO stamp_key (key, made_by, made_in, made_for)
      VALUES ($1, pg_current_xact_id()::xid, 'stamp_key'::regclass::oid, \(database))
      """, [.bytes(key.bytes)])
  }

  static func read(_ connection: Connection) throws(ServerFailure) -> CodeKey {
    guard let key = try find(connection) else {
      throw .unfit("the key of the table stamp_key does not have 32 bytes: delete its row")
    }
    return key
  }

  /// Throws unless the database still has the key that it was opened with.
  ///
  /// - Parameter answer: The answer to `look`.
  static func check(_ answer: Answer, _ key: CodeKey) throws(ServerFailure) {
    guard found(answer) == key else { throw Installation.replaced }
  }

  static let look = Statement("SELECT key FROM stamp_key WHERE \(isOriginal)")

  private static func find(_ connection: Connection) throws(ServerFailure) -> CodeKey? {
    found(try connection.answer(look))
  }

  /// The key, or nil if there is no row or the row came with a restore or a copy.
  private static func found(_ answer: Answer) -> CodeKey? { answer.first.flatMap { CodeKey($0.bytes(0) ?? []) } }
}
