internal import Registration

/// Reads and writes requests: the names that callers give their registrations.
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

  /// Records a request of an existing account. Does nothing if the request is nil or already known.
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
