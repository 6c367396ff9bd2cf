internal import Registration

/// Reads the entries of the audit.
enum AuditRow {
  /// SQL for all entries, numbered or not. ORDER BY `turn`, `number` sorts the entries of one account by age: numbered
  /// entries have the turn 0; for the others, `number` is the place within the turn.
  static let all = """
    (SELECT 0::bigint AS turn, number, at, change, account_id, uid, origin FROM audit UNION ALL
      SELECT turn, place, at, change, account_id, uid, origin FROM entry_without_number WHERE change IS NOT NULL) AS audit
    """

  /// Whether the account has an entry of this change later than `since`.
  static func has(
    _ connection: Connection, _ change: AuditEntry.Change, of id: AccountID, since: Timestamp
  ) throws(ServerFailure) -> Bool {
    try !connection.run(
      "SELECT 1 FROM \(all) WHERE account_id = $1 AND change = $2 AND at > $3 LIMIT 1",
      [.text(id.description), .text(change.rawValue), .init(since)]
    ).isEmpty
  }

  /// Returns the readable rows; reports the others to the damage log.
  static func list(_ connection: Connection, after: Int, limit: Int) throws(ServerFailure) -> [AuditEntry] {
    try connection.readable(
      behind: after, limit: limit,
      { after, limit in
        Statement(
          """
          \(select) WHERE audit.number > $1::bigint ORDER BY audit.number LIMIT $2::bigint
          """, ["\(after)", "\(limit)"])
      }, key: { $0.integer(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  /// Returns readable entries of one account in the order of their numbers, and reports unreadable ones.
  static func list(
    _ connection: Connection, of id: AccountID, after: Int, limit: Int
  ) throws(ServerFailure) -> [AuditEntry] {
    try connection.readable(
      behind: after, limit: limit,
      { after, limit in
        Statement(
          """
          \(select) WHERE audit.account_id = $1 AND audit.number > $2::bigint
          ORDER BY audit.number LIMIT $3::bigint
          """, [.text(id.description), "\(after)", "\(limit)"])
      }, key: { $0.integer(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  /// Returns the latest readable entries of one account in the order of their numbers, and reports unreadable ones.
  /// Only the index by account serves the condition and the order: by the numbers alone, the server would read all entries.
  static func list(_ connection: Connection, of id: AccountID, limit: Int) throws(ServerFailure) -> [AuditEntry] {
    try connection.readable(
      behind: Int.max, limit: limit,
      { before, limit in
        Statement(
          """
          \(select) WHERE (audit.account_id, audit.number) < ($1::uuid, $2::bigint) AND audit.account_id >= $1::uuid
          ORDER BY audit.account_id DESC, audit.number DESC LIMIT $3::bigint
          """, [.text(id.description), "\(before)", "\(limit)"])
      }, key: { $0.integer(0) }, { (row) throws(ServerFailure) in try read(row) }
    ).reversed()
  }

  /// Whether an entry of the account waits for its number.
  static func isWaiting(_ connection: Connection, of id: AccountID) throws(ServerFailure) -> Bool {
    try !connection.run("SELECT 1 FROM entry_without_number WHERE account_id = $1 LIMIT 1", [.text(id.description)])
      .isEmpty
  }

  private static let columns = AuditEntry.columns.map { name in
    TimeColumn.list([name], of: name == "email" ? "audit_address" : "audit")
  }.joined(separator: ", ")

  private static let select = """
    SELECT \(columns)
    FROM audit LEFT JOIN audit_address ON audit_address.number = audit.number
    """

  private static func read(_ row: Row) throws(ServerFailure) -> AuditEntry {
    try row.read(.audit, AuditEntry.columns.count) { (columns) throws(DamagedRow) in try AuditEntry(columns) }
  }
}
