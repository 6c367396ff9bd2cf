internal import Registration

/// The audit's entries.
enum AuditRow {
  static func write(
    _ connection: Connection, _ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp, by instance: String
  ) throws(SQLiteFailure) -> AuditEntry {
    try connection.run(
      """
      INSERT INTO audit (at, change, account_id, uid, pid, origin, regd) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      [
        stamp.time.rfc3339, change.rawValue, account.id.description,
        stamp.by.map { "\($0.uid)" }, stamp.by.map { "\($0.pid)" }, stamp.by?.origin?.text, instance,
      ])
    let number = connection.lastInsertedRow
    try AuditAddressRow.write(connection, number, account.email)
    return AuditEntry(
      number: number, change: change, account: account.id, email: account.email.typed, stamp: stamp,
      regd: instance)
  }

  /// Whether this very entry is there.
  static func has(_ connection: Connection, _ entry: AuditEntry) throws(SQLiteFailure) -> Bool {
    let found = try connection.query(
      """
      SELECT 1 FROM audit WHERE number = CAST(?1 AS INTEGER) AND at = ?2 AND change = ?3 AND account_id = ?4
      """, ["\(entry.number)", entry.time.rfc3339, entry.change.rawValue, entry.account.description]
    ) { (_) throws(SQLiteFailure) in true }
    return !found.isEmpty
  }

  /// Whether there is such an entry of the account, later than this.
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
    SELECT \(AuditEntry.columns.joined(separator: ", "))
    FROM audit LEFT JOIN audit_address USING (number)
    """

  /// The rows that can be read; the others are reported to the connection's damage log.
  static func list(_ connection: Connection, after: Int, limit: Int) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.readable(
      "\(select) WHERE number > CAST(?1 AS INTEGER) ORDER BY number", ["\(after)"], limit: limit, read)
  }

  /// The latest ones about one account.
  static func list(_ connection: Connection, of id: AccountID, limit: Int) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.readable(
      "\(select) WHERE account_id = ?1 ORDER BY number DESC", [id.description], limit: limit, read
    ).reversed()
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> AuditEntry {
    try row.read(.audit, AuditEntry.columns.count) { (columns) throws(DamagedRow) in try AuditEntry(columns) }
  }
}
