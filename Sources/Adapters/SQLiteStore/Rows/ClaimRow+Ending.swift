internal import Registration

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
