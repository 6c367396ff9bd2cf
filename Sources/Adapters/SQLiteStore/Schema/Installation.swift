internal import Registration

/// Reads and writes the one row of the table `installation`: the keys for the codes of claims, and for the stamps
/// (proofs) of sign-ins.
enum Installation {
  /// Makes the key of codes if it does not exist.
  static func make(_ connection: Connection) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO installation (code_key) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM installation)",
      [CodeKey.random().hexadecimal])
  }

  static func keys(_ connection: Connection) throws(SQLiteFailure) -> StoreKeys {
    StoreKeys(codes: try key(connection, "code_key"), stamps: try key(connection, "stamp_key"))
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
      "INSERT INTO installation (code_key, stamp_key) VALUES (?1, ?2)",
      [keys.codes.hexadecimal, keys.stamps.hexadecimal])
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
  fileprivate var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  fileprivate init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64, digits.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    self.init(bytes)
  }
}
