internal import Registration

/// Reads the entries of the audit.
enum AuditRow {
  /// Which of an account's entries `one` selects: the oldest or the latest.
  enum End {
    case first, last
  }

  /// SQL for a table with at most one row: the oldest or the latest entry of the account, numbered or not, that meets the
  /// condition. Numbered entries have the turn 0. For the others, `number` is the place within the turn.
  ///
  /// Each arm ends with its first row, because an account may have any number of entries. Only the index by account serves
  /// the condition and the order: by another index, the server would read the entries of other accounts.
  ///
  /// - Parameters:
  ///   - account: An SQL expression for the account's id.
  ///   - condition: An SQL condition on a column that numbered entries and the others have in common.
  static func one(_ end: End, of account: String, where condition: String = "TRUE") -> String {
    let (range, order) =
      switch end {
      case .first: ("(account_id, number) >= (\(account), 0) AND account_id <= \(account)", "ASC")
      case .last: ("(account_id, number) <= (\(account), \(Int.max)) AND account_id >= \(account)", "DESC")
      }
    return """
      (SELECT * FROM (
        (SELECT 0::bigint AS turn, number, change, uid, origin FROM audit WHERE \(range) AND \(condition)
          ORDER BY account_id \(order), number \(order) LIMIT 1) UNION ALL
        (SELECT turn, place, change, uid, origin FROM entry_without_number
          WHERE account_id = \(account) AND change IS NOT NULL AND \(condition)
          ORDER BY turn + 0 \(order), place \(order) LIMIT 1)) AS arm
      ORDER BY turn \(order), number \(order) LIMIT 1)
      """
  }

  /// Whether the account has an entry of this change later than `since`.
  static func has(
    _ connection: Connection, _ change: AuditEntry.Change, of id: AccountID, since: Timestamp
  ) throws(ServerFailure) -> Bool {
    let arms = ["audit", "entry_without_number"].map { table in
      "(SELECT 1 FROM \(table) WHERE account_id = $1 AND change = $2 AND at > $3 LIMIT 1)"
    }
    return try !connection.run(
      "\(arms.joined(separator: " UNION ALL ")) LIMIT 1",
      [.text(id.description), .text(change.rawValue), .init(since)]
    ).isEmpty
  }

  /// Returns the readable rows. Reports the others to the damage log.
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
    SELECT \(columns), salt, commitment
    FROM audit LEFT JOIN audit_address ON audit_address.number = audit.number
    """

  private static func read(_ row: Row) throws(ServerFailure) -> AuditEntry {
    let count = AuditEntry.columns.count
    let seal = AuditSeal(salt: row.bytes(Int32(count)), commitment: row.bytes(Int32(count + 1)))
    return try row.read(.audit, count) { (columns) throws(DamagedRow) in try AuditEntry(columns, seal) }
  }
}

/// Erases the addresses of the audit's entries, with their salts and the origins of the entries. Their commitment remains.
enum AuditAddressRow {
  /// SQL that reads addresses, and locks them, unless another regd erases them.
  ///
  /// - Parameter condition: Selects them. `$2` is the most that are read.
  static func looking(_ condition: String) -> String {
    """
    SELECT number, email, (SELECT origin FROM audit WHERE audit.number = audit_address.number), salt
      FROM audit_address WHERE \(condition) LIMIT $2::bigint FOR UPDATE SKIP LOCKED
    """
  }

  /// Erases the addresses that `looking` has found.
  static func erasing(_ found: Answer, _ cryptography: any AuditCryptography) -> Statement {
    let rows = found.rows.map { row in
      let origin = row.bytes(2).flatMap { String(validating: $0, as: UTF8.self) }
      let commitment = row.bytes(3).map { AuditSeal.digest($0, email: row.optional(1), origin: origin, cryptography) }
      return (number: row.text(0), commitment: commitment.map(Statement.Parameter.hexadecimal))
    }
    return Statement(erasure, [.array(rows.map(\.number)), .array(rows.map(\.commitment))])
  }

  static let erasure = """
    WITH given AS (SELECT * FROM unnest($1::bigint[], $2::bytea[]) AS given (number, commitment)),
      erased AS (UPDATE audit_address SET email = NULL, ended_at = NULL, salt = NULL, commitment = given.commitment
        FROM given WHERE audit_address.number = given.number)
    UPDATE audit SET origin = NULL FROM given WHERE audit.number = given.number AND origin IS NOT NULL
    """
}
