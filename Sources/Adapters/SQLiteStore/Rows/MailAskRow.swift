internal import Registration

/// Counts mails for `MailBounds`: one row per admitted mail, with a hash instead of the address.
enum MailAskRow {
  /// Counts a mail, if the bounds of its address admit it.
  ///
  /// - Returns: The bound against which the mail counts, or nil if the bounds do not admit it.
  static func admit(
    _ connection: Connection, _ mail: MailIntent, _ key: CodeKey
  ) throws(SQLiteFailure) -> MailBounds.Part? {
    let counter = MailCounter(mail, key)
    guard let part = try part(connection, mail, counter) else { return nil }
    try connection.run(
      "INSERT INTO mail_ask (address, share, part, at) VALUES (?1, ?2, ?3, ?4)",
      ["\(counter.address)", "\(counter.share)", "\(part.rawValue)", mail.createdAt.rfc3339])
    return part
  }

  /// The bound against which a mail would count, or nil if the bounds do not admit the mail.
  static func part(
    _ connection: Connection, _ mail: MailIntent, _ counter: MailCounter
  ) throws(SQLiteFailure) -> MailBounds.Part? {
    let now = mail.createdAt
    // times in the future, written by a clock that was ahead, count as now
    try connection.run(
      "UPDATE mail_ask SET at = ?2 WHERE address = ?1 AND at > ?2", ["\(counter.address)", now.rfc3339])
    let counts = try connection.query(
      "SELECT \(MailBounds.SQL.counts(of: "CAST(?3 AS INTEGER)")) FROM mail_ask WHERE address = ?1 AND at > ?2",
      ["\(counter.address)", now.advanced(by: .zero - MailBounds.span).rfc3339, "\(counter.share)"]
    ) { (row) throws(SQLiteFailure) in
      MailBounds.Counts(sent: row.integer(0), asked: row.integer(1), own: row.integer(2))
    }.first
    return try MailBounds.part(counts ?? MailBounds.Counts()) { () throws(SQLiteFailure) in
      if mail.isKnown { return true }
      return try isRegistered(connection, mail.to.key, by: mail.share)
    }
  }

  /// Whether the account of the address was registered from this share (user and origin). An entry without its address
  /// proves nothing, because its origin was erased as well.
  private static func isRegistered(
    _ connection: Connection, _ key: EmailKey, by share: Share
  ) throws(SQLiteFailure) -> Bool {
    let first = try connection.query(
      """
      SELECT change, uid IS CAST(?2 AS INTEGER) AND origin IS ?3
        AND EXISTS (SELECT 1 FROM audit_address WHERE audit_address.number = audit.number AND email IS NOT NULL)
      FROM audit
      WHERE account_id = (SELECT id FROM account WHERE email_key = ?1) ORDER BY number LIMIT 1
      """, [key.value, share.uid.map { "\($0)" }, share.origin?.text]
    ) { (row) throws(SQLiteFailure) in (change: row.text(0), isSame: row.integer(1) == 1) }.first
    guard let first else { return false }
    return first.isSame && AuditEntry.Change.registrations.contains { $0.rawValue == first.change }
  }
}
