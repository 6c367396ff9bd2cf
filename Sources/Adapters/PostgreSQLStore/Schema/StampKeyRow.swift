internal import Registration

/// The one row with the key of stamps, the proofs of sign-ins. The row records which transaction wrote it, and in which
/// table. Neither is true after a restore from a dump: so regd notices a restore by itself, and makes another key.
/// Otherwise stamps that were ended after the dump would be valid again. Replicas, a promoted standby and `pg_upgrade`
/// keep the key, the transaction and the table.
enum StampKeyRow {
  private static let isOriginal = "made_by = xmin AND made_in = tableoid"

  /// Makes the key if there is none, or if it came with a restore.
  static func make(_ connection: Connection) throws(ServerFailure) {
    guard try find(connection) == nil else { return }
    connection.begin()
    // if several regd start at once, one makes it
    try connection.run("LOCK TABLE stamp_key IN EXCLUSIVE MODE")
    if try find(connection) == nil { try replace(connection, by: .random()) }
    try connection.run("COMMIT")
  }

  /// Replaces the key in the transaction that is under way.
  static func replace(_ connection: Connection, by key: CodeKey) throws(ServerFailure) {
    try connection.run("DELETE FROM stamp_key")
    try connection.run(
      """
      INSERT INTO stamp_key (key, made_by, made_in) VALUES ($1, pg_current_xact_id()::xid, 'stamp_key'::regclass::oid)
      """, [.bytes(key.bytes)])
  }

  static func read(_ connection: Connection) throws(ServerFailure) -> CodeKey {
    guard let key = try find(connection) else {
      throw .unfit("the key of the table stamp_key is no 32 bytes: delete its row")
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

  /// The key; nil if there is no row, or if it came with a restore.
  private static func found(_ answer: Answer) -> CodeKey? { answer.first.flatMap { CodeKey($0.bytes(0) ?? []) } }
}
