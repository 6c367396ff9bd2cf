internal import Registration

/// Reads and writes the uses of invitations: one row per use that was ever taken. A use is free if it has no row, or if
/// its row has neither an account nor a hold (`held_until`) that has not expired.
///
/// A row repeats those data of the claim that holds the use which a look-up needs. A look-up therefore reads few rows,
/// however many uses the invitation has had. The change that ends a claim also ends the hold (`release`).
enum InvitationUseRow {
  /// A use that no claim holds.
  private static let unheld = "held_until = NULL, held_since = NULL, uid = NULL, origin = NULL"

  /// An SQL condition on the row of a claim: the claim keeps the use that it was given (`AddressClaim.mayHoldUse`).
  private static let mayHold = "(state IN ('open', 'decoy') OR state = 'taken' AND concealed = 1)"

  /// An SQL condition on the row of a claim: the claim has ended, because its invitation was revoked before the claim
  /// made an account.
  static let isRevoked = """
    (claim.invitation_id IS NOT NULL AND \(mayHold)
      AND (SELECT revoked_at FROM invitation WHERE invitation.id = claim.invitation_id) IS NOT NULL
      AND (SELECT account_id FROM invitation_use WHERE claim_id = claim.id) IS NULL)
    """

  /// The number of a free use, if any. Prefers a number that was never given. Otherwise takes the use whose hold ended
  /// first.
  static func free(
    _ connection: Connection, of invitation: Invitation, at now: Timestamp
  ) throws(SQLiteFailure) -> Int? {
    let id = invitation.id.description
    let last = try connection.integer(lastGiven, [id])
    // queried in any case, so that the time of the answer does not reveal whether all numbers were given
    let givenBack = try connection.query(soonest, [id]) { (row) throws(SQLiteFailure) in
      row.isNull(1) || row.text(1) <= now.rfc3339 ? row.integer(0) : nil
    }
    return last < invitation.uses ? last + 1 : givenBack.first ?? nil
  }

  static let lastGiven = "SELECT max(slot) FROM invitation_use WHERE invitation_id = ?1"

  /// The use without an account whose hold ends first. A use without a hold precedes all others.
  static let soonest = """
    SELECT slot, held_until FROM invitation_use INDEXED BY invitation_use_held
    WHERE invitation_id = ?1 AND account_id IS NULL ORDER BY held_until LIMIT 1
    """

  /// Gives a free use to the holder. Removes the claim that held the use before, if that claim still exists. Otherwise
  /// a later change, by a clock that is behind, could prove that claim, and make an account without a use.
  ///
  /// - Parameter slot: The number of a free use.
  static func take(
    _ connection: Connection, _ slot: Int, of id: InvitationID, for holder: InvitationHolder
  ) throws(SQLiteFailure) {
    let (claim, account): (AddressClaim?, AccountID?) =
      switch holder {
      case .claim(let claim): (claim, nil)
      case .account(let id): (nil, id)
      }
    try connection.run(
      """
      DELETE FROM claim WHERE id = (
        SELECT claim_id FROM invitation_use WHERE invitation_id = ?1 AND slot = CAST(?2 AS INTEGER))
      """, [id.description, "\(slot)"])
    try connection.run(
      """
      INSERT INTO invitation_use (invitation_id, slot, account_id, claim_id, held_until, held_since, uid, origin)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT DO UPDATE SET account_id = excluded.account_id, claim_id = excluded.claim_id,
        held_until = excluded.held_until, held_since = excluded.held_since, uid = excluded.uid, origin = excluded.origin
      """, [id.description, "\(slot)", account?.description] + hold(claim))
  }

  private static func hold(_ claim: AddressClaim?) -> [String?] {
    [
      claim?.id.description, claim?.expiresAt.rfc3339, claim?.createdAt.rfc3339, claim.map { "\($0.uid)" },
      claim.map { $0.origin?.text ?? "" },
    ]
  }

  static func isThere(_ connection: Connection, for claim: ClaimID) throws(SQLiteFailure) -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM invitation_use WHERE claim_id = ?1)", [claim.description]) != 0
  }

  /// The share's oldest claim that holds a use. Nil if that hold has expired, because then a use is free.
  static func oldestHolder(
    _ connection: Connection, of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) -> ClaimID? {
    let found = try connection.query(
      oldest, [id.description, share.uid.map { "\($0)" }, share.origin?.text ?? ""]
    ) { (row) throws(SQLiteFailure) in row.text(1) > now.rfc3339 ? ClaimID(row.text(0)) : nil }
    return found.first ?? nil
  }

  static let oldest = """
    SELECT claim_id, held_until FROM invitation_use INDEXED BY invitation_use_share
    WHERE invitation_id = ?1 AND uid = CAST(?2 AS INTEGER) AND origin = ?3 AND held_until IS NOT NULL
    ORDER BY held_since, claim_id LIMIT 1
    """

  static func move(_ connection: Connection, from old: ClaimID, to new: AddressClaim) throws(SQLiteFailure) -> Bool {
    try connection.run(
      """
      UPDATE invitation_use SET claim_id = ?2, held_until = ?3, held_since = ?4, uid = CAST(?5 AS INTEGER), origin = ?6
      WHERE claim_id = ?1 AND account_id IS NULL
      """, [old.description] + hold(new))
    return connection.changes > 0
  }

  static func pass(_ connection: Connection, from claim: ClaimID, to account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE invitation_use SET account_id = ?2, \(unheld) WHERE claim_id = ?1 AND account_id IS NULL",
      [claim.description, account.description])
  }

  /// Gives an account's use back to the claim that made the account, if that claim still exists.
  static func giveBack(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE invitation_use SET account_id = NULL, (claim_id, held_until, held_since, uid, origin) = (
        SELECT id, expires_at, created_at, uid, ifnull(origin, '') FROM claim WHERE id = claim_id AND \(mayHold))
      WHERE account_id = ?1
      """, [account.description])
  }

  /// Frees the uses that claims hold. Must precede the removal of these claims.
  ///
  /// - Parameter claims: SQL that selects the claims' ids.
  static func release(_ connection: Connection, of claims: String, _ values: [String?]) throws(SQLiteFailure) {
    try connection.run(releasing(claims), values)
  }

  /// The statement of `release`.
  static func releasing(_ claims: String) -> String {
    """
    UPDATE invitation_use INDEXED BY invitation_use_claim SET claim_id = NULL, \(unheld)
    WHERE account_id IS NULL AND claim_id IN (\(claims))
    """
  }

  /// Adds the rows that are missing below an invitation's highest number, because below it `free` finds a use only by
  /// its row. Rows are missing after a move from a store of another kind, which gives the numbers in another order.
  static func closeGaps(_ connection: Connection) throws(SQLiteFailure) {
    try connection.run(
      """
      WITH RECURSIVE below (invitation_id, slot) AS (
        SELECT invitation_id, max(slot) - 1 FROM invitation_use GROUP BY invitation_id
        UNION ALL SELECT invitation_id, slot - 1 FROM below WHERE slot > 1)
      INSERT OR IGNORE INTO invitation_use (invitation_id, slot) SELECT invitation_id, slot FROM below WHERE slot > 0
      """)
  }
}
