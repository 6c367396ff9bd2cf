internal import Registration

/// Reads and writes one row per account: which regd has claimed the account, so that no other regd asks the upstream
/// for it, and how the last attempt ended.
enum DeliveryRow {
  /// An SQL condition: a regd other than the instance ?2 has claimed the account, and the claim has not expired. Uses
  /// SQLite's clock, which counts milliseconds and does not advance during a statement.
  private static let isClaimedElsewhere = """
    claimed_until IS NOT NULL AND claimed_by IS NOT ?2 AND claimed_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    """

  static func isClaimedElsewhere(
    _ connection: Connection, _ id: AccountID, than claimant: Claimant
  ) throws(SQLiteFailure) -> Bool {
    let found = try connection.query(
      "SELECT 1 FROM delivery WHERE account_id = ?1 AND \(isClaimedElsewhere)", [id.description, claimant.instance]
    ) { (_) throws(SQLiteFailure) in true }
    return !found.isEmpty
  }

  /// Claims an existing account, so that only this regd asks the upstream for it. Keeps the outcome of earlier attempts.
  static func claim(_ connection: Connection, _ id: AccountID, _ claimant: Claimant) throws(SQLiteFailure) {
    try connection.run(
      """
      INSERT INTO delivery (account_id, claimed_by, claimed_until, attempts)
      VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?3), 0)
      ON CONFLICT (account_id) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
      """, [id.description, claimant.instance, "\(claimant.lease.sqliteModifier) seconds"])
  }

  /// Records the outcome of asking the upstream for an existing account, and ends the claim.
  static func putOff(_ connection: Connection, _ id: AccountID, _ delivery: Delivery) throws(SQLiteFailure) {
    try connection.run(
      """
      INSERT INTO delivery (account_id, attempts, failure, next_at) VALUES (?1, CAST(?2 AS INTEGER), ?3, ?4)
      ON CONFLICT (account_id) DO UPDATE SET claimed_by = NULL, claimed_until = NULL,
        attempts = excluded.attempts, failure = excluded.failure, next_at = excluded.next_at
      """, [id.description, "\(delivery.attempts)", delivery.failure?.stored, delivery.next.rfc3339])
  }

  static func forget(_ connection: Connection, _ id: AccountID) throws(SQLiteFailure) {
    try connection.run("DELETE FROM delivery WHERE account_id = ?1", [id.description])
  }

  private static let columnCount = StoredAccount.columns.count + Delivery.columns.count + 3

  private static let select = """
    SELECT \(AccountRow.columns), \(Delivery.columns.joined(separator: ", ")), \(isClaimedElsewhere), audit.uid, audit.origin
    FROM account LEFT JOIN delivery ON delivery.account_id = account.id
      LEFT JOIN audit ON audit.number = (
        SELECT max(reservation.number) FROM audit AS reservation
        WHERE reservation.account_id = account.id AND reservation.change = 'account.reserved')
    WHERE state = 'pending' AND id
    """

  /// Returns the readable accounts, and reports the others to the connection's damage log.
  static func list(
    _ connection: Connection, after: AccountID?, limit: Int, _ claimant: Claimant
  ) throws(SQLiteFailure) -> [PendingAccount] {
    try connection.readable("\(select) > ?1 ORDER BY id", [after?.description ?? "", claimant.instance], limit: limit) {
      (row) throws(SQLiteFailure) in try read(row, connection)
    }
  }

  static func find(
    _ connection: Connection, _ id: AccountID, _ claimant: Claimant
  ) throws(SQLiteFailure) -> PendingAccount? {
    try connection.query("\(select) = ?1", [id.description, claimant.instance]) { (row) throws(SQLiteFailure) in
      try read(row, connection)
    }.first
  }

  private static func read(
    _ row: borrowing Row, _ connection: Connection
  ) throws(SQLiteFailure) -> PendingAccount {
    try row.read(.account, columnCount) { (columns) throws(DamagedRow) in
      try PendingAccount(columns) { connection.damage?.note($0) }
    }
  }
}

extension Duration {
  /// Seconds with three decimals, as SQLite's date functions take them. Fractions of a millisecond are cut off.
  var sqliteModifier: String {
    let (seconds, attoseconds) = components
    let all = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let digits = "\(abs(all % 1000))"
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(all < 0 ? "-" : "+")\(abs(all / 1000)).\(fraction)"
  }
}
