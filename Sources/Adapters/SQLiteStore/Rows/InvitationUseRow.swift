internal import Registration

/// Reads and writes the uses of invitations: one row per use that was ever taken. A use is free if it has no row, or if
/// its row has neither an account nor a living claim (open or a decoy, and unexpired).
enum InvitationUseRow {
  /// An SQL condition: whether the claim of a row still holds the use at the time `now`.
  static func isHeld(_ now: String) -> String {
    """
    EXISTS (SELECT 1 FROM claim
      WHERE claim.id = invitation_use.claim_id AND claim.state IN ('open', 'decoy') AND claim.expires_at > \(now))
    """
  }

  /// The number of a free use; nil if there is none.
  ///
  /// Prefers a number that was never given. If all were given, takes a row without an account or a living claim,
  /// beginning with the rows from which `tidy` has removed the claim.
  static func free(
    _ connection: Connection, of invitation: Invitation, at now: Timestamp
  ) throws(SQLiteFailure) -> Int? {
    let id = invitation.id.description
    let last = try connection.integer(lastGiven, [id])
    // queried in any case, so that the time of the answer does not reveal whether all numbers were given
    let givenBack = try connection.query(Self.givenBack, [id, now.rfc3339]) { (row) throws(SQLiteFailure) in
      row.integer(0)
    }
    return last < invitation.uses ? last + 1 : givenBack.first
  }

  static let lastGiven = "SELECT max(slot) FROM invitation_use WHERE invitation_id = ?1"

  static let givenBack = """
    SELECT slot FROM invitation_use INDEXED BY invitation_use_held
    WHERE invitation_id = ?1 AND account_id IS NULL AND NOT \(isHeld("?2")) ORDER BY claim_id LIMIT 1
    """

  /// Gives a free use to the holder. Removes the claim that held the use before, if that claim still exists. Otherwise
  /// a later change, by a clock that is behind, could prove that claim, and make an account without a use.
  ///
  /// - Parameter slot: The number of a free use.
  static func take(
    _ connection: Connection, _ slot: Int, of id: InvitationID, for holder: InvitationHolder
  ) throws(SQLiteFailure) {
    let (claim, account): (ClaimID?, AccountID?) =
      switch holder {
      case .claim(let id): (id, nil)
      case .account(let id): (nil, id)
      }
    try connection.run(
      """
      DELETE FROM claim WHERE state IN ('open', 'decoy') AND id = (
        SELECT claim_id FROM invitation_use WHERE invitation_id = ?1 AND slot = CAST(?2 AS INTEGER))
      """, [id.description, "\(slot)"])
    try connection.run(
      """
      INSERT INTO invitation_use (invitation_id, slot, claim_id, account_id) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET claim_id = excluded.claim_id, account_id = excluded.account_id
      """, [id.description, "\(slot)", claim?.description, account?.description])
  }

  /// The share's oldest living claim that holds a use. If the share has an origin, the query begins at the share's
  /// claims, which are few. If not, the query begins at the invitation's uses: the caller then uses the answer only for
  /// an invitation with one use (`mayBeTakenOver`).
  static func oldestHolder(
    _ connection: Connection, of id: InvitationID, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) -> ClaimID? {
    let found = try connection.query(
      share.origin == nil ? ofUser : ofOrigin,
      [id.description, now.rfc3339, share.uid.map { "\($0)" }, share.origin?.text]
    ) { (row) throws(SQLiteFailure) in ClaimID(row.text(0)) }
    return found.first ?? nil
  }

  private static let ofOrigin = """
    SELECT claim.id FROM claim INDEXED BY claim_share CROSS JOIN invitation_use ON invitation_use.claim_id = claim.id
    WHERE claim.uid = CAST(?3 AS INTEGER) AND claim.origin = ?4 AND \(holds)
    """

  private static let ofUser = """
    SELECT claim.id FROM invitation_use CROSS JOIN claim ON claim.id = invitation_use.claim_id
    WHERE claim.uid = CAST(?3 AS INTEGER) AND claim.origin IS ?4 AND \(holds)
    """

  private static let holds = """
    invitation_use.invitation_id = ?1 AND invitation_use.account_id IS NULL
      AND claim.state IN ('open', 'decoy') AND claim.expires_at > ?2
    ORDER BY claim.created_at, claim.id LIMIT 1
    """

  static func move(_ connection: Connection, from old: ClaimID, to new: ClaimID) throws(SQLiteFailure) -> Bool {
    try connection.run(
      "UPDATE invitation_use SET claim_id = ?2 WHERE claim_id = ?1 AND account_id IS NULL",
      [old.description, new.description])
    return connection.changes > 0
  }

  static func pass(_ connection: Connection, from claim: ClaimID, to account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE invitation_use SET account_id = ?2 WHERE claim_id = ?1 AND account_id IS NULL",
      [claim.description, account.description])
  }

  static func giveBack(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      """
      DELETE FROM claim WHERE state IN ('open', 'decoy') AND id IN (
        SELECT claim_id FROM invitation_use WHERE account_id = ?1
          AND invitation_id IN (SELECT id FROM invitation WHERE revoked_at IS NOT NULL))
      """, [account.description])
    try connection.run("UPDATE invitation_use SET account_id = NULL WHERE account_id = ?1", [account.description])
  }

  /// Removes the claims that hold a use of the invitation.
  static func endHolders(_ connection: Connection, of id: InvitationID) throws(SQLiteFailure) {
    try connection.run(
      """
      DELETE FROM claim WHERE state IN ('open', 'decoy') AND id IN (
        SELECT claim_id FROM invitation_use WHERE invitation_id = ?1 AND account_id IS NULL)
      """, [id.description])
  }

  /// The free uses whose rows still name a claim that was removed. (A claim that has only expired is not removed yet.)
  private static let untidy = """
    SELECT invitation_id, slot FROM invitation_use INDEXED BY invitation_use_held
    WHERE account_id IS NULL AND claim_id IS NOT NULL AND NOT \(isHeld("''"))
    """

  /// Whether `tidy` has rows to change.
  static func hasUntidy(_ connection: Connection) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (\(untidy))") != 0
  }

  /// Removes the ids of removed claims from rows, so that `free` finds these rows first.
  ///
  /// - Returns: How many rows it changed.
  static func tidy(_ connection: Connection, limit: Int) throws(SQLiteFailure) -> Int {
    try connection.run(
      """
      UPDATE invitation_use SET claim_id = NULL
      WHERE (invitation_id, slot) IN (\(untidy) LIMIT CAST(?1 AS INTEGER))
      """, ["\(limit)"])
    return connection.changes
  }

  /// Adds the rows that are missing below an invitation's highest number, because below it `free` finds a use only by
  /// its row. Rows are missing after a move from a store of another kind, which removes the rows of free uses.
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
