internal import Registration

/// Remembers released registrations: pending accounts that were removed although the upstream may have them.
enum ReleasedRow {
  /// Records the release of an account, once for each of its requests. The account must still exist. Forgets releases
  /// that are too old or too many.
  static func remember(_ connection: Connection, _ id: AccountID, _ time: Timestamp) throws(SQLiteFailure) {
    // a release that was remembered before gets a new row, because the latest release must have the largest number
    try connection.run(
      """
      DELETE FROM released WHERE account_id = ?1 AND (uid, id) IN (SELECT uid, id FROM request WHERE account_id = ?1)
      """, [id.description])
    try connection.run(
      """
      INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
      SELECT request.uid, request.id, account.id, account.email, account.email_key, request.password_hash, ?2
      FROM request JOIN account ON account.id = request.account_id WHERE account.id = ?1
      """, [id.description, time.rfc3339])
    try connection.run("DELETE FROM released WHERE released_at < ?1", [oldest(time)])
    let users = try connection.query(
      "SELECT DISTINCT uid FROM request WHERE account_id = ?1", [id.description]
    ) { (row) throws(SQLiteFailure) in row.text(0) }
    for uid in users { try makeRoom(connection, uid) }
  }

  /// Forgets releases of a user that has too many: one after another, the oldest release of the origin that has the
  /// most. The audit contains the origin from which an account was registered.
  private static func makeRoom(_ connection: Connection, _ uid: String) throws(SQLiteFailure) {
    let count =
      try connection.query("SELECT count(*) FROM released WHERE uid = ?1", [uid]) { (row) throws(SQLiteFailure) in
        row.integer(0)
      }.first ?? 0
    guard count > ReleasedRegistration.mostPerUser else { return }
    // within an origin, place 1 is the latest release
    try connection.run(
      """
      DELETE FROM released WHERE number IN (
        SELECT number FROM (
          SELECT number, row_number() OVER (PARTITION BY origin ORDER BY number DESC) AS place FROM (
            SELECT released.number AS number, (
              SELECT audit.origin FROM audit
              WHERE audit.account_id = released.account_id AND audit.change = 'account.reserved'
              ORDER BY audit.number DESC LIMIT 1) AS origin
            FROM released WHERE released.uid = ?1))
        ORDER BY place DESC, number LIMIT CAST(?2 AS INTEGER))
      """, [uid, "\(count - ReleasedRegistration.mostLeft)"])
  }

  static func find(
    _ connection: Connection, _ request: RequestKey, _ key: EmailKey, _ now: Timestamp
  ) throws(SQLiteFailure) -> [ReleasedRegistration] {
    try connection.readable(
      """
      SELECT \(ReleasedRegistration.columns.joined(separator: ", ")) FROM released
      WHERE uid = ?1 AND id = ?2 AND email_key = ?3 AND released_at >= ?4 ORDER BY number DESC
      """, ["\(request.uid)", request.id, key.value, oldest(now)], limit: ReleasedRegistration.mostGiven
    ) { (row) throws(SQLiteFailure) in
      try row.read(.released, ReleasedRegistration.columns.count) { (columns) throws(DamagedRow) in
        try ReleasedRegistration(columns)
      }
    }
  }

  /// The account that was released last, however long ago.
  static func last(
    _ connection: Connection, _ request: RequestKey, _ key: EmailKey
  ) throws(SQLiteFailure) -> AccountID? {
    try connection.query(
      "SELECT account_id FROM released WHERE uid = ?1 AND id = ?2 AND email_key = ?3 ORDER BY number DESC LIMIT 1",
      ["\(request.uid)", request.id, key.value]
    ) { (row) throws(SQLiteFailure) in AccountID(row.text(0)) }.first ?? nil
  }

  static func forget(_ connection: Connection, _ key: EmailKey) throws(SQLiteFailure) {
    try connection.run("DELETE FROM released WHERE email_key = ?1", [key.value])
  }

  private static func oldest(_ now: Timestamp) -> String {
    now.advanced(by: .zero - ReleasedRegistration.lifetime).rfc3339
  }
}
