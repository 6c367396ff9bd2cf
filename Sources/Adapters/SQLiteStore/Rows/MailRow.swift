internal import Registration

/// Reads and writes the rows of mails.
enum MailRow {
  /// An SQL condition: a regd other than the instance ?2 has a lease of the mail, unexpired by SQLite's clock.
  private static let isLeasedElsewhere = """
    leased_until IS NOT NULL AND leased_by IS NOT ?2 AND leased_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    """

  private static let select =
    "SELECT \(StoredMail.columns.joined(separator: ", ")), \(isLeasedElsewhere) FROM mail WHERE id"

  /// Adds a mail, if `MailBounds` admit it. A mail that is not bounded is not counted, and is added in any case. Does nothing if the
  /// mail's id is known.
  ///
  /// - Parameter key: The store's key for codes, which also hashes the counted addresses.
  /// - Returns: The bound that admits the mail. `shared` for a mail that is not bounded or that the store already has. Nil if
  ///   the mail is not admitted.
  @discardableResult
  static func add(
    _ connection: Connection, _ mail: MailIntent, _ key: CodeKey
  ) throws(SQLiteFailure) -> MailBounds.Part? {
    guard try !isThere(connection, mail.id) else { return .shared }
    var part: MailBounds.Part? = .shared
    if mail.isBounded { part = try MailAskRow.admit(connection, mail, key) }
    if part != nil { try insert(connection, mail) }
    return part
  }

  /// The bound that would admit the mail, as `add` returns it.
  static func bound(
    _ connection: Connection, admitting mail: MailIntent, _ key: CodeKey
  ) throws(SQLiteFailure) -> MailBounds.Part? {
    guard mail.isBounded, try !isThere(connection, mail.id) else { return .shared }
    return try MailAskRow.part(connection, mail, MailCounter(mail, key))
  }

  private static func isThere(_ connection: Connection, _ id: MailID) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM mail WHERE id = ?1)", [id.description]) != 0
  }

  /// Adds a waiting mail. Does nothing if its id is known.
  static func insert(_ connection: Connection, _ mail: MailIntent) throws(SQLiteFailure) {
    try connection.run(
      """
      INSERT INTO mail (id, kind, state, email, email_key, claim_id, account_id, language, uid, origin, created_at, attempts,
        wanted, known, invitation_id)
      VALUES (?1, ?2, 'waiting', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12, ?13) ON CONFLICT (id) DO NOTHING
      """,
      [
        mail.id.description, mail.kind.rawValue, mail.to.typed, mail.to.key.value, mail.claim?.description,
        mail.account?.description, mail.language, "\(mail.uid)", mail.origin?.text, mail.createdAt.rfc3339,
        mail.isWanted ? "1" : "0", mail.isKnown ? "1" : "0", mail.invitation?.description,
      ])
  }

  static func find(
    _ connection: Connection, _ id: MailID, _ claimant: Claimant
  ) throws(SQLiteFailure) -> StoredMail? {
    try connection.query("\(select) = ?1", [id.description, claimant.instance], read).first
  }

  /// Returns the waiting mails that are readable, and reports the others to the connection's damage log.
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

  /// Removes the mails to or about an account that is being deleted.
  static func forget(_ connection: Connection, _ account: Account) throws(SQLiteFailure) {
    try connection.run(
      "DELETE FROM mail WHERE account_id = ?1 OR email_key = ?2 AND claim_id IS NULL",
      [account.id.description, account.email.key.value])
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> StoredMail {
    try row.read(.mail, StoredMail.columns.count + 1) { (columns) throws(DamagedRow) in try StoredMail(columns) }
  }
}
