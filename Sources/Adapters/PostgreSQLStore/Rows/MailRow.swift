internal import Registration

/// Reads and writes the rows of mails.
enum MailRow {
  /// An SQL condition: another regd has an unexpired lease of the mail. Uses the server's clock, because it is the same
  /// for all regd processes.
  private static func isLeasedElsewhere(_ instance: String) -> String {
    "coalesce(leased_by IS DISTINCT FROM \(instance) AND leased_until > CURRENT_TIMESTAMP, FALSE)"
  }

  /// Selects mails. `$1` is the asking regd's `Claimant.instance`.
  private static let select =
    "SELECT \(TimeColumn.list(StoredMail.columns, of: "mail")), \(isLeasedElsewhere("$1"))::integer FROM mail"

  private static let columns = """
    id, kind, state, email, email_key, claim_id, account_id, language, uid, origin, created_at, wanted, known, invitation_id,
    attempts
    """
  private static let values = """
    $1::uuid, $2, 'waiting', $3, $4, $5, $6::uuid, $7, $8::bigint, $9::bytea, $10::timestamptz, $11::bigint, $12::bigint,
    $13::uuid, 0
    """

  private static func parameters(_ mail: MailIntent) -> [Statement.Parameter] {
    [
      .text(mail.id.description), .text(mail.kind.rawValue), .text(mail.to.typed), .text(mail.to.key.value),
      .init(mail.claim?.description), .init(mail.account?.description), .init(mail.language), "\(mail.uid)",
      .init(mail.origin), .init(mail.createdAt), mail.isWanted ? "1" : "0", mail.isKnown ? "1" : "0",
      .init(mail.invitation?.description),
    ]
  }

  /// Adds a mail, if `MailBounds` admit it. A mail that is not bounded is not counted, and is added in any case. Adds nothing if the
  /// mail's id is known. The mail was admitted if its row exists after these statements
  /// (`bound`).
  ///
  /// - Parameters:
  ///   - key: The store's key for codes, which also hashes the counted addresses.
  ///   - now: When the mail was made.
  static func adding(_ mail: MailIntent, _ key: CodeKey, _ now: Clocks) -> [Statement] {
    guard mail.isBounded else { return [insertion(mail)] }
    return counted(
      mail, key, now,
      """
      WITH ask AS (\(MailAskRow.insertion(now)))
      INSERT INTO mail (\(columns)) SELECT \(values) FROM ask ON CONFLICT (id) DO NOTHING
      """)
  }

  /// The statements that find out whether a mail is admitted. If it is admitted, the last statement returns a row,
  /// whose third column is the bound that admits it.
  static func admitting(_ mail: MailIntent, _ key: CodeKey, _ now: Clocks) -> [Statement] {
    counted(mail, key, now, "WITH mail_values AS (SELECT \(values)) \(MailAskRow.selection(now))")
  }

  private static func counted(_ mail: MailIntent, _ key: CodeKey, _ now: Clocks, _ sql: String) -> [Statement] {
    let counter = MailCounter(mail, key)
    return [
      MailAskRow.bringingBack(counter, now),
      Statement(sql, parameters(mail) + ["\(counter.address)", "\(counter.share)"]),
    ]
  }

  /// Adds a waiting notice, unless a notice with its id exists.
  static func insertion(_ notice: MailIntent) -> Statement {
    Statement("INSERT INTO mail (\(columns)) SELECT \(values) ON CONFLICT (id) DO NOTHING", parameters(notice))
  }

  /// SQL for a statement after the insertion: the bound that admitted the mail, as `MailBounds.Part.stored` writes it,
  /// or NULL if no bound did.
  ///
  /// - Parameters:
  ///   - id: An SQL expression for the mail's id.
  ///   - address: An SQL expression for the hash of its address.
  static func bound(admitting id: String, to address: String) -> String {
    """
    CASE WHEN EXISTS (SELECT 1 FROM mail WHERE id = \(id)::uuid) THEN 1 + coalesce(\(MailAskRow.lastPart(address)), 0) END
    """
  }

  static func find(
    _ connection: Connection, _ id: MailID, _ claimant: Claimant
  ) throws(ServerFailure) -> StoredMail? {
    let row = try connection.run(
      "\(select) WHERE id = $2", [.text(claimant.instance), .text(id.description)]
    ).first
    guard let row else { return nil }
    return try read(row)
  }

  /// Returns the waiting mails that are readable. Reports the others to the damage log.
  static func list(
    _ connection: Connection, after: MailID?, limit: Int, _ claimant: Claimant
  ) throws(ServerFailure) -> [StoredMail] {
    try connection.readable(
      behind: after?.description ?? AccountRow.beforeAll, limit: limit,
      { after, limit in
        Statement(
          "\(select) WHERE state = 'waiting' AND id > $2 ORDER BY id LIMIT $3::bigint",
          [.text(claimant.instance), .text(after), "\(limit)"])
      }, key: { $0.text(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  /// Leases a waiting mail for this regd, unless another regd has a lease.
  static func leasing(_ id: MailID, _ claimant: Claimant) -> Statement {
    Statement(
      """
      UPDATE mail SET leased_by = $2, leased_until = CURRENT_TIMESTAMP + $3::interval
      WHERE id = $1 AND state = 'waiting' AND NOT \(isLeasedElsewhere("$2"))
      """,
      [
        .text(id.description), .text(claimant.instance), "\(Int(claimant.lease / .milliseconds(1))) milliseconds",
      ])
  }

  /// Records a failed try of a waiting mail and ends its lease, unless another regd has a lease.
  static func puttingOff(_ mail: StoredMail, _ claimant: Claimant) -> Statement {
    Statement(
      """
      UPDATE mail SET attempts = $3::bigint, reason = $4, next_at = $5, leased_by = NULL, leased_until = NULL
      WHERE id = $1 AND state = 'waiting' AND NOT \(isLeasedElsewhere("$2"))
      """,
      [
        .text(mail.intent.id.description), .text(claimant.instance), "\(mail.attempts)", .init(mail.reason),
        .init(mail.next?.rfc3339),
      ])
  }

  static func ending(_ id: MailID, _ state: StoredMail.State, _ reason: String?) -> Statement {
    state == .suppressed
      ? Statement("DELETE FROM mail WHERE id = $1 AND state = 'waiting'", [.text(id.description)])
      : Statement(
        """
        UPDATE mail SET state = $2, reason = $3, leased_by = NULL, leased_until = NULL
        WHERE id = $1 AND state = 'waiting'
        """, [.text(id.description), .text(state.rawValue), .init(reason)])
  }

  /// Removes the mails to or about an account that is being deleted.
  static func forgetting(_ account: Account) -> Statement {
    Statement(
      "DELETE FROM mail WHERE account_id = $2 OR email_key = $1 AND claim_id IS NULL",
      [.text(account.email.key.value), .text(account.id.description)])
  }

  private static func read(_ row: Row) throws(ServerFailure) -> StoredMail {
    try row.read(.mail, StoredMail.columns.count + 1) { (columns) throws(DamagedRow) in try StoredMail(columns) }
  }
}
