internal import Registration

/// How claims end.
extension ClaimRow {
  private static let open = "state = 'open'"

  /// Accounts have become active: what that ends is said in `ClaimStore`.
  static func ending(for accounts: [Account]) -> Statement {
    Statement(
      """
      UPDATE claim SET state = CASE
        WHEN kind = 'registration' AND claim.account_id = holder.id THEN 'proven' ELSE 'taken' END
      FROM unnest($1::text[], $2::uuid[]) AS holder (key, id)
      WHERE claim.email_key = holder.key AND claim.\(open) AND claim.kind <> 'recovery'
      """, [.array(accounts.map(\.email.key.value)), .array(accounts.map(\.id.description))])
  }

  /// Whether an account that has become active would end any.
  static func hasOpen(_ connection: Connection, _ key: EmailKey) throws(ServerFailure) -> Bool {
    try !connection.run(
      "SELECT 1 FROM claim WHERE email_key = $1 AND \(open) AND kind <> 'recovery' LIMIT 1", [.text(key.value)]
    ).isEmpty
  }

  /// The account has another password, or another address.
  static func endingRest(of id: AccountID) -> Statement {
    Statement(
      "DELETE FROM claim WHERE account_id = $1 AND \(open) AND kind <> 'registration'", [.text(id.description)])
  }

  /// The account is deleted.
  static func forgetting(_ account: Account) -> Statement {
    Statement(
      "DELETE FROM claim WHERE email_key = $1 OR account_id = $2",
      [.text(account.email.key.value), .text(account.id.description)])
  }

  static func proving(_ id: ClaimID, _ now: Timestamp) -> Statement {
    Statement(
      "UPDATE claim SET state = 'proven' WHERE id = $1 AND \(open) AND expires_at > $2",
      [.text(id.description), .init(now)])
  }

  /// Finds the claim if it is still to be proven.
  static func isOpen(_ id: ClaimID, _ now: Timestamp) -> Statement {
    Statement(
      "SELECT 1 FROM claim WHERE id = $1 AND \(open) AND expires_at > $2", [.text(id.description), .init(now)])
  }
}
