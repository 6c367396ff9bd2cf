internal import Registration

/// Reads and writes one row per account: which regd has claimed the account, so that no other regd asks the upstream
/// for it, and how the last attempt ended.
enum DeliveryRow {
  /// An SQL condition: another regd has claimed the account, and the claim has not expired. Uses the server's clock,
  /// because it is the same for all regd processes.
  private static func isClaimedElsewhere(_ instance: String) -> String {
    "delivery.claimed_by IS DISTINCT FROM \(instance) AND delivery.claimed_until > CURRENT_TIMESTAMP"
  }

  /// Whether another regd has an unexpired claim of the account. The caller must have locked the account's row, because
  /// claims are made and ended only under that lock.
  static func isClaimedElsewhere(
    _ connection: Connection, _ id: AccountID, than claimant: Claimant
  ) throws(ServerFailure) -> Bool {
    try !connection.run(
      "SELECT 1 FROM delivery WHERE account_id = $1 AND \(isClaimedElsewhere("$2"))",
      [.text(id.description), .text(claimant.instance)]
    ).isEmpty
  }

  /// Claims an existing account, so that only this regd asks the upstream for it. Keeps the outcome of earlier attempts.
  static func claim(_ connection: Connection, _ id: AccountID, _ claimant: Claimant) {
    connection.runLater(
      """
      INSERT INTO delivery (account_id, claimed_by, claimed_until)
      SELECT id, $2, CURRENT_TIMESTAMP + $3::interval FROM account WHERE id = $1
      ON CONFLICT (account_id) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
      """,
      [
        .text(id.description), .text(claimant.instance),
        "\(Int(claimant.lease / .milliseconds(1))) milliseconds",
      ])
  }

  /// Records the outcome of asking the upstream for an existing account, and ends the claim.
  static func putOff(_ connection: Connection, _ id: AccountID, _ delivery: Delivery) {
    connection.runLater(
      """
      INSERT INTO delivery (account_id, attempts, failure, next_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account_id) DO UPDATE SET claimed_by = NULL, claimed_until = NULL,
        attempts = excluded.attempts, failure = excluded.failure, next_at = excluded.next_at
      """,
      [
        .text(id.description), "\(delivery.attempts)", .init(delivery.failure?.stored), .text(delivery.next.rfc3339),
      ])
  }

  static func forget(_ connection: Connection, _ id: AccountID) {
    connection.runLater("DELETE FROM delivery WHERE account_id = $1", [.text(id.description)])
  }

  private static let select = """
    SELECT \(AccountRow.columns), \(TimeColumn.list(Delivery.columns, of: "delivery")),
      coalesce(\(isClaimedElsewhere("$2")), FALSE)::integer, reservation.uid, reservation.origin
    FROM account LEFT JOIN delivery ON delivery.account_id = account.id
      LEFT JOIN LATERAL
        \(AuditRow.one(.last, of: "account.id", where: "change = 'account.reserved'")) AS reservation ON TRUE
    WHERE account.state = 'pending' AND account.id
    """

  /// Returns the readable pending accounts. Reports the others to the damage log.
  static func list(
    _ connection: Connection, after: AccountID?, limit: Int, _ claimant: Claimant
  ) throws(ServerFailure) -> [PendingAccount] {
    try connection.readable(
      behind: after?.description ?? AccountRow.beforeAll, limit: limit,
      { after, limit in page(after, limit, claimant) }, key: { $0.text(0) },
      { (row) throws(ServerFailure) in try read(row, connection) })
  }

  static func page(_ after: String, _ limit: Int, _ claimant: Claimant) -> Statement {
    Statement(
      "\(select) > $1 ORDER BY account.id LIMIT $3::bigint", [.text(after), .text(claimant.instance), "\(limit)"])
  }

  static func find(
    _ connection: Connection, _ id: AccountID, _ claimant: Claimant
  ) throws(ServerFailure) -> PendingAccount? {
    guard let row = try connection.answer(look(id, claimant)).first else { return nil }
    return try read(row, connection)
  }

  static func look(_ id: AccountID, _ claimant: Claimant) -> Statement {
    Statement("\(select) = $1", [.text(id.description), .text(claimant.instance)])
  }

  private static func read(_ row: Row, _ connection: Connection) throws(ServerFailure) -> PendingAccount {
    let count = StoredAccount.columns.count + Delivery.columns.count + 3
    return try row.read(.account, count) { (columns) throws(DamagedRow) in
      try PendingAccount(columns) { connection.damage?.note($0) }
    }
  }
}
