internal import Registration

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
