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
