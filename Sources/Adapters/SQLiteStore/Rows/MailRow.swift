internal import Registration

/// A mail that is to be sent as a row, and back.
enum MailRow {
  private static let columns = """
    id, kind, state, email, email_key, claim_id, account_id, language, uid, origin, created_at, attempts, reason, next_at,
    wanted, known
    """

  /// Whether another regd than the instance ?2 has a lease that has not run out, by SQLite's clock.
  private static let isLeasedElsewhere = """
    leased_until IS NOT NULL AND leased_by IS NOT ?2 AND leased_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    """

  private static let select = "SELECT \(columns), \(isLeasedElsewhere) FROM mail WHERE id"

  /// Adds one that is counted, if the bounds of its address admit it; a notice in any case. Does nothing where its id is known.
  ///
  /// - Parameter key: The store's.
  /// - Returns: Whether it is there.
  static func add(_ connection: Connection, _ mail: MailIntent, _ key: CodeKey) throws(SQLiteFailure) -> Bool {
    let isThere = try connection.query("SELECT 1 FROM mail WHERE id = ?1", [mail.id.description]) {
      (_) throws(SQLiteFailure) in true
    }.first
    guard isThere == nil else { return true }
    if !mail.kind.isNotice {
      guard try MailAskRow.admit(connection, mail, key) else { return false }
    }
    try insert(connection, mail)
    return true
  }

  /// Adds it as one that waits. Does nothing where its id is known.
  static func insert(_ connection: Connection, _ mail: MailIntent) throws(SQLiteFailure) {
    try connection.run(
      """
      INSERT INTO mail (id, kind, state, email, email_key, claim_id, account_id, language, uid, origin, created_at, attempts,
        wanted, known)
      VALUES (?1, ?2, 'waiting', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12) ON CONFLICT (id) DO NOTHING
      """,
      [
        mail.id.description, mail.kind.rawValue, mail.to.typed, mail.to.key.value, mail.claim?.description,
        mail.account?.description, mail.language, "\(mail.uid)", mail.origin?.text, mail.createdAt.rfc3339,
        mail.isWanted ? "1" : "0", mail.isKnown ? "1" : "0",
      ])
  }

  static func find(
    _ connection: Connection, _ id: MailID, _ claimant: Claimant
  ) throws(SQLiteFailure) -> StoredMail? {
    try connection.query("\(select) = ?1", [id.description, claimant.instance], read).first
  }

  /// Those that wait and can be read; the others are reported to the connection's damage log.
  static func list(
    _ connection: Connection, after: MailID?, limit: Int, _ claimant: Claimant
  ) throws(SQLiteFailure) -> [StoredMail] {
    try connection.readable(
      "\(select) > ?1 AND state = 'waiting' ORDER BY id", [after?.description ?? "", claimant.instance], limit: limit,
      read)
  }

  static func lease(_ connection: Connection, _ id: MailID, _ claimant: Claimant) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE mail SET leased_by = ?2, leased_until = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?3) WHERE id = ?1",
      [id.description, claimant.instance, "\(claimant.lease.sqliteModifier) seconds"])
  }

  static func putOff(_ connection: Connection, _ mail: StoredMail) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE mail SET attempts = ?2, reason = ?3, next_at = ?4, leased_by = NULL, leased_until = NULL WHERE id = ?1
      """, [mail.intent.id.description, "\(mail.attempts)", mail.reason, mail.next?.rfc3339])
  }

  static func end(
    _ connection: Connection, _ id: MailID, _ state: StoredMail.State, _ reason: String?
  ) throws(SQLiteFailure) {
    if state == .suppressed {
      try connection.run("DELETE FROM mail WHERE id = ?1 AND state = 'waiting'", [id.description])
    } else {
      try connection.run(
        """
        UPDATE mail SET state = ?2, reason = ?3, leased_by = NULL, leased_until = NULL WHERE id = ?1 AND state = 'waiting'
        """, [id.description, state.rawValue, reason])
    }
  }

  /// Removes those that wait for claims which expire, and are removed in the same transaction.
  static func removeExpired(_ connection: Connection, at now: Timestamp, limit: Int) throws(SQLiteFailure) {
    try connection.run(
      """
      DELETE FROM mail WHERE state = 'waiting' AND claim_id IN (
        SELECT id FROM claim WHERE expires_at <= ?1 LIMIT CAST(?2 AS INTEGER))
      """, [now.rfc3339, "\(limit)"])
  }

  /// The account is deleted.
  static func forget(_ connection: Connection, _ account: Account) throws(SQLiteFailure) {
    try connection.run(
      "DELETE FROM mail WHERE account_id = ?1 OR email_key = ?2",
      [account.id.description, account.email.key.value])
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> StoredMail {
    func damaged(_ column: String, _ index: Int32) -> SQLiteFailure {
      .damaged(row: DamagedRow(.mail, row.text(0), column, row.text(index)))
    }
    // another spelling of the same id would be found under neither
    guard let id = MailID(row.text(0)), id.description == row.text(0) else { throw damaged("id", 0) }
    guard let kind = MailKind(rawValue: row.text(1)) else { throw damaged("kind", 1) }
    guard let state = StoredMail.State(rawValue: row.text(2)) else { throw damaged("state", 2) }
    let claim = row.isNull(5) ? nil : ClaimID(row.text(5))
    guard row.isNull(5) || claim != nil else { throw damaged("claim_id", 5) }
    let account = row.isNull(6) ? nil : AccountID(row.text(6))
    guard row.isNull(6) || account != nil else { throw damaged("account_id", 6) }
    guard let uid = UInt32(exactly: row.integer(8)) else { throw damaged("uid", 8) }
    let origin = row.isNull(9) ? nil : Origin(row.text(9))
    guard row.isNull(9) || origin != nil else { throw damaged("origin", 9) }
    guard let createdAt = Timestamp(rfc3339: row.text(10)) else { throw damaged("created_at", 10) }
    guard row.integer(11) >= 0 else { throw damaged("attempts", 11) }
    let next = row.isNull(13) ? nil : Timestamp(rfc3339: row.text(13))
    guard row.isNull(13) || next != nil else { throw damaged("next_at", 13) }
    let intent = MailIntent(
      id: id, kind: kind, to: EmailAddress(stored: row.text(3), key: EmailKey(row.text(4))), claim: claim,
      account: account, language: row.isNull(7) ? nil : row.text(7), uid: uid, origin: origin, createdAt: createdAt,
      isWanted: row.integer(14) == 1, isKnown: row.integer(15) == 1)
    return StoredMail(
      intent, state: state, attempts: row.integer(11), reason: row.isNull(12) ? nil : row.text(12), next: next,
      isClaimedElsewhere: row.integer(16) == 1)
  }
}
