internal import Registration

/// The audit's entries.
enum AuditRow {
  /// The insertion of an entry in a transaction that has the lock of the row `installation`.
  ///
  /// - Parameter before: How many entries of the same transaction come behind it.
  static func insertion(
    _ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp, _ instance: String, before: Int
  ) -> Statement {
    Statement(
      """
      WITH entry AS (
        INSERT INTO audit (number, at, change, account_id, uid, pid, origin, regd)
        SELECT last_audit - $1::bigint, $2::timestamptz, $3, $4::uuid, $6::bigint, $7::integer, $8::bytea, $9
        FROM installation RETURNING number)
      INSERT INTO audit_address (number, email) SELECT number, $5 FROM entry
      """,
      [
        "\(before)", .text(stamp.time.rfc3339), .text(change.rawValue), .text(account.id.description),
        .text(account.email.typed), .init(stamp.by.map { "\($0.uid)" }), .init(stamp.by.map { "\($0.pid)" }),
        .init(stamp.by?.origin), .text(instance),
      ])
  }

  /// Whether this very entry is there.
  static func has(_ connection: Connection, _ entry: AuditEntry) throws(ServerFailure) -> Bool {
    try !connection.run(
      "SELECT 1 FROM audit WHERE number = $1 AND at = $2 AND change = $3 AND account_id = $4",
      [
        "\(entry.number)", .text(entry.time.rfc3339), .text(entry.change.rawValue), .text(entry.account.description),
      ]
    ).isEmpty
  }

  /// Whether there is such an entry of the account, later than this.
  static func has(
    _ connection: Connection, _ change: AuditEntry.Change, of id: AccountID, since: Timestamp
  ) throws(ServerFailure) -> Bool {
    try !connection.run(
      "SELECT 1 FROM audit WHERE account_id = $1 AND change = $2 AND at > $3 LIMIT 1",
      [.text(id.description), .text(change.rawValue), .init(since)]
    ).isEmpty
  }

  /// The rows that can be read; the others are reported.
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

  /// The latest that can be read of one account, in the order of their numbers; the others are reported.
  static func list(_ connection: Connection, of id: AccountID, limit: Int) throws(ServerFailure) -> [AuditEntry] {
    try connection.readable(
      behind: Int.max, limit: limit,
      { before, limit in
        Statement(
          """
          \(select) WHERE audit.account_id = $1 AND audit.number < $2::bigint
          ORDER BY audit.number DESC LIMIT $3::bigint
          """, [.text(id.description), "\(before)", "\(limit)"])
      }, key: { $0.integer(0) }, { (row) throws(ServerFailure) in try read(row) }
    ).reversed()
  }

  /// The addresses that the audit has of an account until now are to go some time after this one.
  static func endingAddresses(of id: AccountID, at time: Timestamp) -> Statement {
    Statement(
      """
      UPDATE audit_address SET ended_at = $2::timestamptz
      WHERE number IN (SELECT number FROM audit WHERE account_id = $1::uuid)
        AND (ended_at IS NULL OR ended_at > $2::timestamptz)
      """, [.text(id.description), .init(time)])
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
