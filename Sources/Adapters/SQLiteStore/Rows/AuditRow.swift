internal import Registration

/// Reads and writes the entries of the audit.
enum AuditRow {
  /// Writes an entry, and adds it to the tree.
  static func write(
    _ connection: Connection, _ draft: AuditEntry.Draft, by instance: String, _ cryptography: any AuditCryptography
  ) throws(SQLiteFailure) -> AuditEntry {
    let next = try AuditTreeRow.next(connection)
    let number = next.number
    var frontier = next.frontier
    let leaf = frontier.size
    let entry = draft.entry(number: number, regd: instance, seal: draft.newSeal())
    let hashes = frontier.append(cryptography.leafHash(entry.leaf(cryptography)), cryptography)
    try connection.run(
      """
      INSERT INTO audit (number, at, change, account_id, uid, pid, origin, regd, invitation_id, terms, door, group_change)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """,
      [
        "\(number)", entry.time.rfc3339, entry.change.rawValue, entry.account?.description,
        entry.by.map { "\($0.uid)" }, entry.by.map { "\($0.pid)" }, entry.by?.origin?.text, instance,
        entry.invitation?.description, entry.terms, entry.by?.door, entry.groups?.stored,
      ])
    try AuditTreeRow.write(connection, number, leaf: leaf, hashes)
    if let salt = entry.seal?.salt { try AuditAddressRow.write(connection, number, entry.email, salt) }
    connection.frontier = frontier
    return entry
  }

  /// Whether the audit has an entry with this number, time, change and subject.
  static func has(_ connection: Connection, _ entry: AuditEntry) throws(SQLiteFailure) -> Bool {
    let found = try connection.query(
      """
      SELECT 1 FROM audit
      WHERE number = CAST(?1 AS INTEGER) AND at = ?2 AND change = ?3 AND account_id IS ?4 AND invitation_id IS ?5
      """,
      [
        "\(entry.number)", entry.time.rfc3339, entry.change.rawValue, entry.account?.description,
        entry.invitation?.description,
      ]
    ) { (_) throws(SQLiteFailure) in true }
    return !found.isEmpty
  }

  /// Whether the account has an entry of this change later than `since`.
  static func has(
    _ connection: Connection, _ change: AuditEntry.Change, of id: AccountID, since: Timestamp
  ) throws(SQLiteFailure) -> Bool {
    let found = try connection.query(
      "SELECT 1 FROM audit WHERE account_id = ?1 AND change = ?2 AND at > ?3 LIMIT 1",
      [id.description, change.rawValue, since.rfc3339]
    ) { (_) throws(SQLiteFailure) in true }
    return !found.isEmpty
  }

  private static let select = """
    SELECT \(AuditEntry.columns.joined(separator: ", ")), salt, commitment
    FROM audit LEFT JOIN audit_address USING (number)
    """

  /// Returns the readable rows, and reports the others to the connection's damage log.
  static func list(_ connection: Connection, after: Int, limit: Int) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.readable(
      "\(select) WHERE number > CAST(?1 AS INTEGER) ORDER BY number", ["\(after)"], limit: limit, read)
  }

  /// Returns readable entries about one account in the order of their numbers, and reports the others.
  static func list(
    _ connection: Connection, of id: AccountID, after: Int, limit: Int
  ) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.readable(
      "\(select) WHERE account_id = ?1 AND number > CAST(?2 AS INTEGER) ORDER BY number",
      [id.description, "\(after)"], limit: limit, read)
  }

  /// Returns the latest readable entries about one account in the order of their numbers, and reports the others.
  static func list(_ connection: Connection, of id: AccountID, limit: Int) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.readable(
      "\(select) WHERE account_id = ?1 ORDER BY number DESC", [id.description], limit: limit, read
    ).reversed()
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> AuditEntry {
    let count = AuditEntry.columns.count
    let seal = AuditSeal(salt: row.bytes(Int32(count)), commitment: row.bytes(Int32(count + 1)))
    return try row.read(.audit, count) { (columns) throws(DamagedRow) in try AuditEntry(columns, seal) }
  }
}

/// Writes the addresses and salts of the audit's entries. They are erased some time after the address's account was removed or got
/// another one. Their commitment remains.
enum AuditAddressRow {
  static func write(
    _ connection: Connection, _ number: Int, _ email: String?, _ salt: [UInt8]
  ) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO audit_address (number, email, salt) VALUES (?1, ?2, ?3)", ["\(number)", email], blobs: [salt])
  }

  /// Marks the addresses in all entries of the account so far as ended, so that a sweep erases them later.
  static func end(_ connection: Connection, of account: AccountID, _ time: Timestamp) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit_address SET ended_at = ?2
      WHERE ended_at IS NULL AND commitment IS NULL AND number IN (SELECT number FROM audit WHERE account_id = ?1)
      """, [account.description, time.rfc3339])
  }

  /// Erases addresses, each with its salt and with the origin of its entry, which may also be an address.
  ///
  /// - Parameter selection: SQL that selects their numbers.
  /// - Returns: How many addresses it erased.
  static func erase(
    _ connection: Connection, _ selection: String, _ parameters: [String], _ cryptography: any AuditCryptography
  ) throws(SQLiteFailure) -> Int {
    let ended = try connection.query(
      """
      SELECT number, email, (SELECT origin FROM audit WHERE audit.number = audit_address.number), salt FROM audit_address
      WHERE number IN (\(selection))
      """, parameters
    ) { (row) throws(SQLiteFailure) -> (number: String, commitment: [UInt8]?) in
      let (email, origin) = (row.isNull(1) ? nil : row.text(1), row.isNull(2) ? nil : row.text(2))
      return (
        number: row.text(0),
        commitment: row.bytes(3).map { AuditSeal.digest($0, email: email, origin: origin, cryptography) }
      )
    }
    for (number, commitment) in ended {
      try connection.run(
        "UPDATE audit SET origin = NULL WHERE number = CAST(?1 AS INTEGER) AND origin IS NOT NULL", [number])
      try connection.run(
        """
        UPDATE audit_address SET email = NULL, ended_at = NULL, salt = NULL, commitment = ?2
        WHERE number = CAST(?1 AS INTEGER)
        """, [number], blobs: [commitment])
    }
    return ended.count
  }

  /// Erases the origin of an entry whose address is gone.
  static func eraseOrigin(_ connection: Connection, of number: String) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit SET origin = NULL WHERE number = CAST(?1 AS INTEGER) AND origin IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM audit_address WHERE number = CAST(?1 AS INTEGER) AND (email IS NOT NULL OR salt IS NOT NULL))
      """, [number])
  }
}
