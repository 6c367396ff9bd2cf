internal import Registration

/// Reads and writes the one row of the table `installation`: the keys for the codes of claims, for the stamps (proofs) of
/// sign-ins, and for the heads of the audit's tree, and when a head was last read.
enum Installation {
  /// Makes the key of codes if it does not exist.
  static func make(_ connection: Connection) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO installation (code_key) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM installation)",
      [CodeKey.random().hexadecimal])
  }

  static func keys(_ connection: Connection) throws(SQLiteFailure) -> StoreKeys {
    StoreKeys(
      codes: try key(connection, "code_key"), stamps: try key(connection, "stamp_key"),
      audit: try key(connection, "audit_key"))
  }

  private static func key(_ connection: Connection, _ column: String) throws(SQLiteFailure) -> CodeKey {
    let found = try connection.query("SELECT \(column) FROM installation") { (row) throws(SQLiteFailure) in row.text(0)
    }
    guard found.count == 1, let key = CodeKey(hexadecimal: found[0]) else {
      throw SQLiteFailure.damaged(
        "its table installation must contain one row with a \(column) of 64 hexadecimal digits, but does not; restore a backup"
      )
    }
    return key
  }

  static func replace(_ connection: Connection, by keys: StoreKeys) throws(SQLiteFailure) {
    try connection.run("DELETE FROM installation")
    try connection.run(
      "INSERT INTO installation (code_key, stamp_key, audit_key) VALUES (?1, ?2, ?3)",
      [keys.codes.hexadecimal, keys.stamps.hexadecimal, keys.audit.hexadecimal])
  }

  /// Makes the key of the audit's heads if it does not exist. A backup keeps the key.
  static func makeAuditKey(_ connection: Connection) throws(SQLiteFailure) {
    // opening must not wait for another program's lock if there is nothing to write
    guard try connection.integer("SELECT count(*) FROM installation WHERE audit_key IS NULL") > 0 else { return }
    try connection.run(
      "UPDATE installation SET audit_key = ?1 WHERE audit_key IS NULL", [CodeKey.random().hexadecimal])
  }

  static func auditHeadAt(_ connection: Connection) throws(SQLiteFailure) -> Timestamp? {
    try connection.query("SELECT audit_head_at FROM installation WHERE audit_head_at IS NOT NULL") {
      (row) throws(SQLiteFailure) in Timestamp(rfc3339: row.text(0))
    }.first ?? nil
  }

  static func noteAuditHead(_ connection: Connection, at time: Timestamp) throws(SQLiteFailure) {
    try connection.run("UPDATE installation SET audit_head_at = ?1", [time.rfc3339])
  }

  // MARK: The key of stamps

  /// Makes the key if the database, new or restored from a backup, has none, and notes in which file. If several
  /// programs open the database, only one makes the key.
  ///
  /// - Parameter file: The database's file as `FileStatus.birth` identifies it, or nil if its file system cannot.
  static func makeStampKey(_ connection: Connection, in file: String?) throws(SQLiteFailure) {
    let isMissing = "stamp_key IS NULL" + (file == nil ? "" : " OR made_in IS NULL")
    // opening must not wait for another program's lock if there is nothing to write
    guard try connection.integer("SELECT count(*) FROM installation WHERE \(isMissing)") > 0 else { return }
    try connection.run(
      "UPDATE installation SET stamp_key = coalesce(stamp_key, ?1), made_in = ?2 WHERE \(isMissing)",
      [CodeKey.random().hexadecimal, file])
  }

  /// Whether the key was made in another file: the database was copied, perhaps restored from a copy, or moved to another
  /// file system. A copy that was written into the same file, or came with a snapshot of the disk, is not noticed.
  static func isCopied(_ connection: Connection, in file: String?) throws(SQLiteFailure) -> Bool {
    guard let file else { return false }
    let made = try connection.query("SELECT made_in FROM installation WHERE made_in IS NOT NULL") {
      (row) throws(SQLiteFailure) in row.text(0)
    }
    return made.contains { $0 != file }
  }

  /// Removes the key from a backup. So each store that is restored from it makes another key, and sign-ins that ended
  /// after the backup do not become valid again.
  static func forgetStampKey(_ connection: Connection) throws(SQLiteFailure) {
    // the backup may be of an earlier schema version, without this column
    let isThere = "SELECT count(*) FROM pragma_table_info('installation') WHERE name = 'stamp_key'"
    guard try connection.integer(isThere) > 0 else { return }
    try connection.run("UPDATE installation SET stamp_key = NULL")
  }
}

extension CodeKey {
  /// 64 digits in lower case.
  fileprivate var hexadecimal: String { bytes.hexadecimal }

  fileprivate init?(hexadecimal text: String) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.init(bytes)
  }
}
