internal import Registration

/// How many claims there may be, and what ends them, as `ClaimBounds` and `ClaimStore` say it.
extension ClaimRow {
  /// - Returns: When the first of them expires, if the user or its origin has as many as it may; nil if one more is allowed.
  static func isTooMany(
    _ connection: Connection, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) -> Timestamp? {
    let uid = share.uid.map { "\($0)" }
    let ofShare = try firstEnd(
      connection, "uid = ?1 AND origin IS ?3", [uid, now.rfc3339, share.origin?.text], atLeast: ClaimBounds.perShare)
    if let ofShare { return ofShare }
    return try firstEnd(connection, "uid = ?1", [uid, now.rfc3339], atLeast: ClaimBounds.perUser)
  }

  private static func firstEnd(
    _ connection: Connection, _ whose: String, _ parameters: [String?], atLeast bound: Int
  ) throws(SQLiteFailure) -> Timestamp? {
    let found = try connection.query(
      "SELECT count(*), min(expires_at) FROM claim WHERE \(whose) AND expires_at > ?2", parameters
    ) { (row) throws(SQLiteFailure) in (count: row.integer(0), end: row.text(1)) }.first
    guard let found, found.count >= bound else { return nil }
    guard let end = Timestamp(rfc3339: found.end) else { throw .damaged("a claim's expires_at is no time") }
    return end
  }

  /// Removes the oldest claim of the share that has the most for this address, if one more would be too many.
  static func makeRoom(_ connection: Connection, _ key: EmailKey, at now: Timestamp) throws(SQLiteFailure) {
    let living = "email_key = ?1 AND expires_at > ?2"
    let parameters = [key.value, now.rfc3339]
    let count = try connection.query("SELECT count(*) FROM claim WHERE \(living)", parameters) {
      (row) throws(SQLiteFailure) in row.integer(0)
    }.first
    guard let count, count >= ClaimBounds.perAddress else { return }
    // no origin is empty
    try connection.run(
      """
      WITH share AS (SELECT uid, ifnull(origin, '') AS origin, count(*) AS claims FROM claim WHERE \(living) GROUP BY 1, 2)
      DELETE FROM claim WHERE id = (
        SELECT id FROM claim WHERE \(living) AND (uid, ifnull(origin, '')) IN (
          SELECT uid, origin FROM share WHERE claims = (SELECT max(claims) FROM share))
        ORDER BY created_at, id LIMIT 1)
      """, parameters)
  }

  /// Whether there is a claim that `end` could find.
  static func isAnyOpen(_ connection: Connection) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM claim WHERE state = 'open')") != 0
  }

  /// An account that is not pending has the address from now on.
  static func end(_ connection: Connection, for account: Account) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE claim SET state = CASE WHEN kind = 'registration' AND account_id = ?2 THEN 'proven' ELSE 'taken' END
      WHERE email_key = ?1 AND state = 'open' AND kind <> 'recovery'
      """, [account.email.key.value, account.id.description])
  }

  /// The account has another password, or another address.
  static func endRest(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      "DELETE FROM claim WHERE account_id = ?1 AND state = 'open' AND kind <> 'registration'", [account.description])
  }

  /// The account is deleted.
  static func forget(_ connection: Connection, _ account: Account) throws(SQLiteFailure) {
    let (id, key) = (account.id.description, account.email.key.value)
    try connection.run("DELETE FROM claim WHERE account_id = ?1 OR email_key = ?2", [id, key])
    try connection.run("DELETE FROM wrong_code WHERE email_key = ?1", [key])
  }
}
