internal import Registration

/// Reads and writes the rows of claims of addresses. An expired claim remains until a sweep removes it, but no look-up
/// finds it.
enum ClaimRow {
  private static let columns = AddressClaim.columns.joined(separator: ", ")

  private static let select = "SELECT \(columns) FROM claim WHERE NOT \(InvitationUseRow.isRevoked)"

  static func find(_ connection: Connection, _ id: ClaimID, at now: Timestamp) throws(SQLiteFailure) -> AddressClaim? {
    try connection.query(
      "\(select) AND id = ?1 AND expires_at > ?2", [id.description, now.rfc3339], read
    ).first
  }

  static func find(
    _ connection: Connection, of request: RequestKey, at now: Timestamp
  ) throws(SQLiteFailure) -> AddressClaim? {
    try connection.query(
      "\(select) AND uid = ?1 AND request_id = ?2 AND expires_at > ?3",
      ["\(request.uid)", request.id, now.rfc3339], read
    ).first
  }

  /// Returns the readable rows, and reports the others to the connection's damage log.
  static func list(
    _ connection: Connection, after: ClaimID?, limit: Int, at now: Timestamp
  ) throws(SQLiteFailure) -> [AddressClaim] {
    try connection.readable(
      "\(select) AND id > ?1 AND expires_at > ?2 ORDER BY id",
      [after?.description ?? "", now.rfc3339], limit: limit, read)
  }

  static func insert(_ connection: Connection, _ claim: AddressClaim, at now: Timestamp) throws(SQLiteFailure) {
    // removes an ended claim with the same request, so that the new claim can have the request
    try remove(
      connection, "uid = ?1 AND request_id = ?2 AND (expires_at <= ?3 OR \(InvitationUseRow.isRevoked))",
      ["\(claim.uid)", claim.request?.id, now.rfc3339])
    try connection.run(
      """
      INSERT INTO claim (\(columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
        ?21, ?22, ?23, ?24, ?25)
      """,
      [
        claim.id.description, claim.kind.rawValue, claim.state.rawValue, claim.email.typed, claim.email.key.value,
        claim.account.description, claim.passwordHash?.phc, "\(claim.uid)", claim.origin?.text, claim.request?.id,
        claim.language, "\(claim.digits)", "\(claim.generation)", claim.codeUntil.rfc3339, "\(claim.attempts)",
        claim.resendAt.rfc3339, claim.createdAt.rfc3339, claim.expiresAt.rfc3339,
        claim.mailed.stored, claim.terms?.version, claim.terms?.acceptedAt.rfc3339, claim.epoch.text,
        claim.invitation?.description, claim.isConcealed ? "1" : "0", claim.displayName?.text,
      ])
  }

  static func exists(_ connection: Connection, _ id: ClaimID) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM claim WHERE id = ?1)", [id.description]) != 0
  }

  static func remove(_ connection: Connection, _ id: ClaimID) throws(SQLiteFailure) {
    try remove(connection, "id = ?1", [id.description])
  }

  /// Removes claims, and frees the uses of invitations that they hold.
  ///
  /// - Parameter condition: SQL that chooses the same claims before and after that.
  static func remove(
    _ connection: Connection, _ condition: String, _ values: [String?]
  ) throws(SQLiteFailure) {
    try InvitationUseRow.release(connection, of: "SELECT id FROM claim WHERE \(condition)", values)
    try connection.run("DELETE FROM claim WHERE \(condition)", values)
  }

  static func setState(_ connection: Connection, _ id: ClaimID, _ state: AddressClaim.State) throws(SQLiteFailure) {
    try connection.run("UPDATE claim SET state = ?2 WHERE id = ?1", [id.description, state.rawValue])
  }

  static func guessed(_ connection: Connection, _ claim: AddressClaim) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE claim SET attempts = ?2, generation = ?3, code_until = ?4 WHERE id = ?1",
      [claim.id.description, "\(claim.attempts)", "\(claim.generation)", claim.codeUntil.rfc3339])
  }

  static func renew(
    _ connection: Connection, _ claim: AddressClaim, mailed: MailBounds.Part?
  ) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE claim SET generation = ?2, code_until = ?3, resend_at = ?4, digits = ?5,
        mailed = CASE WHEN mailed = 3 THEN 3 ELSE ?6 END
      WHERE id = ?1
      """,
      [
        claim.id.description, "\(claim.generation)", claim.codeUntil.rfc3339, claim.resendAt.rfc3339,
        "\(claim.digits)", mailed.stored,
      ])
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> AddressClaim {
    try row.read(.claim, AddressClaim.columns.count) { (columns) throws(DamagedRow) in try AddressClaim(columns) }
  }
}

/// Ends claims, and removes those beyond the limits, as `ClaimBounds` and `Accounts` define.
extension ClaimRow {
  /// Limits the claims of an address whose mails its own bound did not admit: removes or hides those beyond
  /// `ClaimBounds.unmailedPerAddress`.
  static func makeRoom(_ connection: Connection, _ key: EmailKey, at now: Timestamp) throws(SQLiteFailure) {
    // chosen once, because the first removal changes the order of the others
    for id in try ids(connection, surplusAtAddress, [key.value, now.rfc3339]) { try giveWay(connection, id) }
  }

  private static func ids(
    _ connection: Connection, _ sql: String, _ parameters: [String] = []
  ) throws(SQLiteFailure) -> [ClaimID] {
    try connection.query(sql, parameters) { (row) throws(SQLiteFailure) in ClaimID(row.text(0)) }.compactMap(\.self)
  }

  static let surplusAtAddress = surplus(
    "email_key = ?1 AND \(ClaimBounds.SQL.isUnmailed) AND expires_at > ?2", beyond: ClaimBounds.unmailedPerAddress)

  /// Hides a claim that is `AddressClaim.isHiddenInsteadOfRemoved`, and removes another one.
  static func giveWay(_ connection: Connection, _ id: ClaimID) throws(SQLiteFailure) {
    let isHidden = ClaimBounds.SQL.isHiddenInsteadOfRemoved
    try remove(connection, "id = ?1 AND NOT (\(isHidden))", [id.description])
    try connection.run("\(ClaimBounds.SQL.hiding) WHERE id = ?1 AND \(isHidden)", [id.description])
  }

  /// The ids of the claims beyond the limit for all users, in the order of their removal.
  static func surplus(_ connection: Connection) throws(SQLiteFailure) -> [ClaimID] {
    guard try connection.integer("SELECT count(*) FROM claim") > ClaimBounds.all else { return [] }
    return try ids(connection, surplus("TRUE", beyond: ClaimBounds.all)).reversed()
  }

  private static func surplus(_ condition: String, beyond room: Int) -> String {
    "\(ClaimBounds.SQL.order(of: condition)) LIMIT -1 OFFSET \(room)"
  }

  /// Whether any claim is open. If none is, `end` has nothing to do.
  static func isAnyOpen(_ connection: Connection) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM claim WHERE state = 'open')") != 0
  }

  /// An SQL condition with `?1` for an address's key: the claim ends if an account with this address becomes active.
  private static let openAtAddress =
    "email_key = ?1 AND state = 'open' AND kind <> 'recovery' AND NOT \(InvitationUseRow.isRevoked)"

  /// Whether there is a claim that would end if an account with this address became active.
  static func hasOpen(_ connection: Connection, _ key: EmailKey) throws(SQLiteFailure) -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM claim WHERE \(openAtAddress))", [key.value]) != 0
  }

  /// Ends the open claims for an account's address, because the account is no longer pending.
  static func end(_ connection: Connection, for account: Account) throws(SQLiteFailure) {
    let values = [account.email.key.value, account.id.description]
    try InvitationUseRow.release(
      connection, of: "SELECT id FROM claim WHERE \(openAtAddress) AND account_id <> ?2 AND concealed = 0", values)
    try connection.run(
      """
      UPDATE claim SET state = CASE WHEN kind = 'registration' AND account_id = ?2 THEN 'proven' ELSE 'taken' END,
        display_name = NULL
      WHERE \(openAtAddress)
      """, values)
  }

  static func endRegistration(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try remove(connection, "account_id = ?1 AND state = 'open' AND kind = 'registration'", [account.description])
  }

  /// Removes the unproven claims of an account (recoveries, changes of address), because it got another password or address.
  static func endRest(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      "DELETE FROM claim WHERE account_id = ?1 AND state <> 'proven' AND kind <> 'registration'", [account.description])
  }

  /// Removes all claims of an account that is being deleted.
  static func forget(_ connection: Connection, _ account: Account) throws(SQLiteFailure) {
    try remove(connection, "account_id = ?1", [account.id.description])
  }
}
