internal import Registration

/// An account as a row, and back.
enum AccountRow {
  private static let columns = "id, email, email_key, password_hash, state, created_at, updated_at"

  /// Columns that name one account.
  enum Column: String {
    case id
    case emailKey = "email_key"
  }

  /// - Returns: Whether there is such a row now; not where somebody has the key.
  static func insert(_ connection: Connection, _ stored: StoredAccount) throws(SQLiteFailure) -> Bool {
    let account = stored.account
    try connection.run(
      "INSERT INTO account (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (email_key) DO NOTHING",
      [
        account.id.description, account.email.typed, account.email.key.value, stored.passwordHash.phc,
        account.state.rawValue, account.createdAt.rfc3339, account.updatedAt.rfc3339,
      ])
    return connection.changes == 1
  }

  static func find(
    _ connection: Connection, by column: Column, _ value: String
  ) throws(SQLiteFailure) -> StoredAccount? {
    try connection.query("SELECT \(columns) FROM account WHERE \(column.rawValue) = ?1", [value], read).first
  }

  static func find(_ connection: Connection, _ id: AccountID) throws(SQLiteFailure) -> StoredAccount? {
    try find(connection, by: .id, id.description)
  }

  static func list(
    _ connection: Connection, after: AccountID?, limit: Int, onlyPending: Bool = false
  ) throws(SQLiteFailure) -> [StoredAccount] {
    try connection.query(
      "SELECT \(columns) FROM account WHERE id > ?1\(onlyPending ? " AND state = 'pending'" : "") ORDER BY id LIMIT ?2",
      [after?.description ?? "", "\(limit)"], read)
  }

  static func read(_ row: borrowing Row) throws(SQLiteFailure) -> StoredAccount {
    guard let id = AccountID(row.text(0)), let state = Account.State(rawValue: row.text(4)),
      let createdAt = Timestamp(rfc3339: row.text(5)), let updatedAt = Timestamp(rfc3339: row.text(6))
    else { throw SQLiteFailure.damaged("the row of account \(row.text(0)) is damaged") }
    let email = EmailAddress(stored: row.text(1), key: EmailKey(row.text(2)))
    return StoredAccount(
      account: Account(id: id, email: email, state: state, createdAt: createdAt, updatedAt: updatedAt),
      passwordHash: PasswordHash(phc: row.text(3)))
  }
}

/// What a caller called its registration.
enum RequestRow {
  static func find(_ connection: Connection, _ request: RequestKey) throws(SQLiteFailure) -> KnownRequest? {
    let rows = try connection.query(
      "SELECT account_id, password_hash FROM request WHERE uid = ?1 AND id = ?2", ["\(request.uid)", request.id]
    ) { (row) throws(SQLiteFailure) in (account: row.text(0), hash: PasswordHash(phc: row.text(1))) }
    guard let row = rows.first,
      let found = try AccountRow.find(connection, by: .id, row.account)
    else { return nil }
    return KnownRequest(account: found.account, passwordHash: row.hash)
  }

  /// Does nothing where the request is known already.
  static func note(
    _ connection: Connection, _ request: RequestKey?, _ id: AccountID
  ) throws(SQLiteFailure) {
    guard let request else { return }
    try connection.run(
      """
      INSERT INTO request (uid, id, account_id, password_hash)
      SELECT ?1, ?2, id, password_hash FROM account WHERE id = ?3 ON CONFLICT DO NOTHING
      """, ["\(request.uid)", request.id, id.description])
  }
}

/// The audit's entries.
enum AuditRow {
  static func write(
    _ connection: Connection, _ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp
  ) throws(SQLiteFailure) -> AuditEntry {
    try connection.run(
      "INSERT INTO audit (at, change, account_id, email, uid, pid) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      [
        stamp.time.rfc3339, change.rawValue, account.id.description, account.email.typed,
        stamp.by.map { "\($0.uid)" }, stamp.by.map { "\($0.pid)" },
      ])
    return AuditEntry(
      number: connection.lastInsertedRow, change: change, account: account.id, email: account.email.typed, stamp: stamp)
  }

  static func list(_ connection: Connection, after: Int, limit: Int) throws(SQLiteFailure) -> [AuditEntry] {
    try connection.query(
      """
      SELECT number, at, change, account_id, email, uid, pid FROM audit
      WHERE number > CAST(?1 AS INTEGER) ORDER BY number LIMIT ?2
      """, ["\(after)", "\(limit)"], read)
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> AuditEntry {
    guard let time = Timestamp(rfc3339: row.text(1)), let change = AuditEntry.Change(rawValue: row.text(2)),
      let account = AccountID(row.text(3))
    else { throw SQLiteFailure.damaged("entry \(row.integer(0)) of the audit is damaged") }
    var by: Requester?
    if !row.isNull(5) {
      guard let uid = UInt32(exactly: row.integer(5)), let pid = Int32(exactly: row.integer(6)) else {
        throw SQLiteFailure.damaged("entry \(row.integer(0)) of the audit is damaged")
      }
      by = Requester(uid: uid, pid: pid)
    }
    return AuditEntry(
      number: row.integer(0), change: change, account: account, email: row.text(4), stamp: Stamp(time, by: by))
  }
}
