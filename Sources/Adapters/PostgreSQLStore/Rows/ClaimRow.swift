internal import Registration

/// Reads and writes the rows of claims of addresses. An expired claim counts as absent.
enum ClaimRow {
  private static let columns = TimeColumn.list(AddressClaim.columns, of: "claim")

  private static let select = "SELECT \(columns) FROM claim WHERE NOT \(UseRow.isRevoked)"

  /// An SQL condition on a claim that is found by something else: it has not expired. Written so that the index of times, which
  /// would have the server read all claims, does not serve it.
  ///
  /// - Parameter parameter: The place of regd's time among the statement's parameters.
  static func isUnexpired(_ now: Clocks, _ parameter: String) -> String {
    "(expires_at > \(now.earlier(parameter))) IS TRUE"
  }

  static func look(_ id: ClaimID, _ now: Clocks) -> Statement {
    Statement("\(select) AND id = $1 AND \(isUnexpired(now, "$2"))", [.text(id.description), .init(now)])
  }

  /// Looks a claim up and locks it, so that no other change tries a code at it or ends it at the same time.
  static func lock(_ id: ClaimID, _ now: Clocks) -> Statement {
    let look = look(id, now)
    return Statement("\(look.sql) FOR UPDATE", look.parameters)
  }

  static func look(_ request: RequestKey, _ now: Clocks) -> Statement {
    Statement(
      "\(select) AND uid = $1 AND request_id = $2 AND \(isUnexpired(now, "$3"))",
      ["\(request.uid)", .text(request.id), .init(now)])
  }

  static func find(
    _ connection: Connection, _ id: ClaimID, _ now: Clocks
  ) throws(ServerFailure) -> AddressClaim? {
    guard let row = try connection.answer(look(id, now)).first else { return nil }
    return try read(row)
  }

  /// Returns the readable claims. Reports the others to the damage log.
  static func list(
    _ connection: Connection, after: ClaimID?, limit: Int, _ now: Clocks
  ) throws(ServerFailure) -> [AddressClaim] {
    try connection.readable(
      behind: after?.description ?? "", limit: limit,
      { after, limit in
        Statement(
          "\(select) AND id > $1 AND expires_at > \(now.earlier("$2")) ORDER BY id LIMIT $3::bigint",
          [.text(after), .init(now), "\(limit)"])
      }, key: { $0.text(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  static func read(_ row: Row) throws(ServerFailure) -> AddressClaim {
    try row.read(.claim, AddressClaim.columns.count) { (columns) throws(DamagedRow) in try AddressClaim(columns) }
  }
}

// MARK: - Making, renewing

extension ClaimRow {
  /// Inserts a claim, unless its request has a claim or an account. Must follow the insertion of the claim's mail,
  /// because `mailed` depends on whether that mail was admitted.
  static func insertion(_ claim: AddressClaim, _ mail: MailIntent, _ key: CodeKey) -> Statement {
    Statement(
      """
      INSERT INTO claim (id, kind, state, email, email_key, account_id, password_hash, uid, origin, request_id, language,
        digits, generation, attempts, code_until, resend_at, created_at, expires_at, mailed,
        terms_version, terms_at, epoch, invitation_id, concealed, display_name)
      SELECT $1, $2, $3, $4, $5, $6::uuid, $7, $8::bigint, $9::bytea, $10, $11, $12::integer, $13::bigint, $14::bigint,
        $15::timestamptz, $16::timestamptz, $17::timestamptz, $18::timestamptz,
        coalesce(\(MailRow.bound(admitting: "$19", to: "$25")), 0), $20, $21::timestamptz, $22, $23::uuid,
        $24::integer, $26
      WHERE NOT EXISTS (SELECT 1 FROM request WHERE uid = $8::bigint AND id = $10)
      ON CONFLICT (uid, request_id) DO NOTHING
      """,
      [
        .text(claim.id.description), .text(claim.kind.rawValue), .text(claim.state.rawValue), .text(claim.email.typed),
        .text(claim.email.key.value), .text(claim.account.description), .init(claim.passwordHash?.phc),
        "\(claim.uid)", .init(claim.origin), .init(claim.request?.id), .init(claim.language), "\(claim.digits)",
        "\(claim.generation)", "\(claim.attempts)", .init(claim.codeUntil), .init(claim.resendAt),
        .init(claim.createdAt), .init(claim.expiresAt), .text(mail.id.description), .init(claim.terms?.version),
        .init(claim.terms?.acceptedAt.rfc3339), .init(claim.epoch.text), .init(claim.invitation?.description),
        claim.isConcealed ? "1" : "0", "\(MailCounter(mail, key).address)",
        .init(claim.displayName?.text),
      ])
  }

  /// Removes the request's claim if it has ended, so that a new claim can have the request.
  static func removal(ended request: RequestKey, _ now: Clocks) -> Statement {
    removal(
      "uid = $1 AND request_id = $2 AND (expires_at <= \(now.earlier("$3")) OR \(UseRow.isRevoked))",
      ["\(request.uid)", .text(request.id), .init(now)])
  }

  static func guessed(_ claim: AddressClaim) -> Statement {
    Statement(
      "UPDATE claim SET attempts = $2::bigint, generation = $3::bigint, code_until = $4 WHERE id = $1",
      [.text(claim.id.description), "\(claim.attempts)", "\(claim.generation)", .init(claim.codeUntil)])
  }

  /// Renews a claim by compare-and-set. Must follow the insertion of the claim's mail, because `mailed` becomes the
  /// result of `AddressClaim.mailed(after:_:by:)`.
  static func renewal(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ key: CodeKey, _ now: Clocks
  ) -> Statement {
    let address = mail.map { "\(MailCounter($0, key).address)" }
    return Statement(
      """
      UPDATE claim SET generation = $4::bigint, code_until = $5, resend_at = $6, digits = $8::integer, mailed =
        CASE WHEN $9::uuid IS NULL THEN mailed WHEN mailed = 1 AND generation = $4::bigint THEN 1
          ELSE coalesce(
            \(MailRow.bound(admitting: "$9", to: "$10")), CASE WHEN generation = $4::bigint THEN mailed END, 0) END
      WHERE id = $1 AND generation = $2::bigint AND resend_at = $3 AND \(isUnexpired(now, "$7"))
        AND ($9::uuid IS NULL OR mailed <> 3)
      """,
      [
        .text(claim.id.description), "\(seen.generation)", .init(seen.resendAt), "\(claim.generation)",
        .init(claim.codeUntil), .init(claim.resendAt), .init(now), "\(claim.digits)", .init(mail?.id.description),
        .init(address),
      ])
  }
}

/// Ends claims, and removes those beyond the limits.
extension ClaimRow {
  private static let open = "state = 'open'"

  /// Removes claims, and frees the uses of invitations that they hold.
  static func removal(_ condition: String, _ parameters: [Statement.Parameter]) -> Statement {
    UseRow.releasing(after: "DELETE FROM claim WHERE \(condition) RETURNING id", parameters)
  }

  /// Limits the claims of an address whose mails its own bound did not admit: removes or hides those beyond
  /// `ClaimBounds.unmailedPerAddress`.
  static func makingRoom(at key: EmailKey, _ now: Clocks) -> Statement {
    let surplus = surplus(
      "email_key = $1 AND \(ClaimBounds.SQL.isUnmailed) AND \(isUnexpired(now, "$2"))",
      beyond: ClaimBounds.unmailedPerAddress)
    return givingWay("id = ANY (ARRAY(\(surplus)))", [.text(key.value), .init(now)])
  }

  /// Hides claims that are `AddressClaim.isHiddenInsteadOfRemoved`, and removes others.
  private static func givingWay(_ condition: String, _ parameters: [Statement.Parameter]) -> Statement {
    let isHidden = ClaimBounds.SQL.isHiddenInsteadOfRemoved
    return UseRow.releasing(
      after: "DELETE FROM claim WHERE \(condition) AND NOT (\(isHidden)) RETURNING id",
      and: "\(ClaimBounds.SQL.hiding) WHERE \(condition) AND \(isHidden)", parameters)
  }

  /// The ids of the claims beyond the limit for all users, in the order of their removal.
  static func surplus(_ connection: Connection) throws(ServerFailure) -> [String] {
    let count = try connection.run("SELECT count(*) FROM claim").first?.integer(0) ?? 0
    guard count > ClaimBounds.all else { return [] }
    return try connection.run(surplus("TRUE", beyond: ClaimBounds.all)).map { $0.text(0) }.reversed()
  }

  private static func surplus(_ condition: String, beyond room: Int) -> String {
    "\(ClaimBounds.SQL.order(of: condition)) OFFSET \(room)"
  }

  static func givingWay(_ ids: some Sequence<String>) -> Statement {
    givingWay("id = ANY ($1::text[])", [.array(Array(ids))])
  }

  /// Ends the open claims for these accounts' addresses, because the accounts are no longer pending.
  /// `StoreWrite.endClaims` defines the new states.
  static func ending(for accounts: [Account]) -> Statement {
    UseRow.releasing(
      after: """
        UPDATE claim SET state = CASE
          WHEN kind = 'registration' AND claim.account_id = holder.id THEN 'proven' ELSE 'taken' END,
          display_name = NULL
        FROM unnest($1::text[], $2::uuid[]) AS holder (key, id)
        WHERE claim.email_key = holder.key AND claim.\(open) AND claim.kind <> 'recovery' AND NOT \(UseRow.isRevoked)
        RETURNING CASE WHEN claim.state = 'taken' AND claim.concealed = 0 THEN claim.id END AS id
        """, [.array(accounts.map(\.email.key.value)), .array(accounts.map(\.id.description))])
  }

  /// Whether there is a claim that would end if an account with this address became active.
  static func hasOpen(_ connection: Connection, _ key: EmailKey) throws(ServerFailure) -> Bool {
    try !connection.run(
      """
      SELECT 1 FROM claim
      WHERE email_key = $1 AND \(open) AND kind <> 'recovery' AND NOT \(UseRow.isRevoked) LIMIT 1
      """, [.text(key.value)]
    ).isEmpty
  }

  static func endingRegistration(of id: AccountID) -> Statement {
    removal("account_id = $1 AND \(open) AND kind = 'registration'", [.text(id.description)])
  }

  /// Removes the unproven claims of an account (recoveries, changes of address), because it got another password or address.
  static func endingRest(of id: AccountID) -> Statement {
    Statement(
      "DELETE FROM claim WHERE account_id = $1 AND state <> 'proven' AND kind <> 'registration'",
      [.text(id.description)])
  }

  /// Removes all claims of an account that is being deleted.
  static func forgetting(_ account: Account) -> Statement {
    removal("account_id = $1", [.text(account.id.description)])
  }

  static func proving(_ id: ClaimID, _ now: Clocks) -> Statement {
    Statement(
      "UPDATE claim SET state = 'proven' WHERE id = $1 AND \(open) AND \(isUnexpired(now, "$2"))",
      [.text(id.description), .init(now)])
  }

  /// Finds the claim if it is still open, and locks it.
  static func isOpen(_ id: ClaimID, _ now: Clocks) -> Statement {
    Statement(
      "SELECT 1 FROM claim WHERE id = $1 AND \(open) AND \(isUnexpired(now, "$2")) FOR UPDATE",
      [.text(id.description), .init(now)])
  }
}
