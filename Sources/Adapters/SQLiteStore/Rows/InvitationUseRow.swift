internal import Registration

/// The uses of invitations: a row for each that was ever taken. One without an account, and whose claim does not live any more, is free.
enum InvitationUseRow {
  /// Whether the claim of a row still holds the use at the time of the parameter.
  static func isHeld(_ now: String) -> String {
    """
    EXISTS (SELECT 1 FROM claim
      WHERE claim.id = invitation_use.claim_id AND claim.state IN ('open', 'decoy') AND claim.expires_at > \(now))
    """
  }

  /// The number of a use that nobody has; nil if there is none.
  ///
  /// A new number is found at once. Only where all were given once the rows without an account are looked through, those without a claim
  /// first, which the sweep makes of free ones.
  static func free(
    _ connection: Connection, of invitation: Invitation, at now: Timestamp
  ) throws(SQLiteFailure) -> Int? {
    let id = invitation.id.description
    let last = try connection.integer(lastGiven, [id])
    // asked in any case, so that the time does not tell whether all were given
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

  /// Removes the claim that held it, if it is still there: whoever proves that one, by a clock that is behind, must not make an account
  /// without a use.
  ///
  /// - Parameter slot: A free one.
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

  /// A share's claims are few, and so are the holders of an invitation of one use.
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
    try connection.run("UPDATE invitation_use SET account_id = NULL WHERE account_id = ?1", [account.description])
  }

  /// Removes the claims that hold a use.
  static func endHolders(_ connection: Connection, of id: InvitationID) throws(SQLiteFailure) {
    try connection.run(
      """
      DELETE FROM claim WHERE state IN ('open', 'decoy') AND id IN (
        SELECT claim_id FROM invitation_use WHERE invitation_id = ?1 AND account_id IS NULL)
      """, [id.description])
  }

  /// Those whose claims are gone, and not only over.
  private static let untidy = """
    SELECT invitation_id, slot FROM invitation_use INDEXED BY invitation_use_held
    WHERE account_id IS NULL AND claim_id IS NOT NULL AND NOT \(isHeld("''"))
    """

  /// Whether there are free ones that `tidy` has not seen.
  static func hasUntidy(_ connection: Connection) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (\(untidy))") != 0
  }

  /// Makes free ones be found first.
  ///
  /// - Returns: How many there were.
  static func tidy(_ connection: Connection, limit: Int) throws(SQLiteFailure) -> Int {
    try connection.run(
      """
      UPDATE invitation_use SET claim_id = NULL
      WHERE (invitation_id, slot) IN (\(untidy) LIMIT CAST(?1 AS INTEGER))
      """, ["\(limit)"])
    return connection.changes
  }

  /// Adds the rows that a store of another kind, from which the others were moved, has removed: `free` looks for none below the last.
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
