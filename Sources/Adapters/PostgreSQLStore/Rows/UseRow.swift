internal import Registration

/// Reads and writes the rows of taken uses. A use of an invitation (a `slot`) admits one account. The primary key lets
/// only one of two takers of the same use succeed.
///
/// A use is free if it has no row, or if its row has neither an account nor a living claim (open or a decoy, and
/// unexpired). Before a transaction changes a row, it locks the invitation, shared or exclusively (`Locks`), and then
/// the claim that the row names.
enum UseRow {
  /// A use that was free when the look-up saw it.
  struct Free {
    let slot: Int
    /// Whether the use already has a row, from an earlier holder.
    let isLeft: Bool
    /// The claim that held the use last, and no longer does.
    let claim: String?
  }

  /// The number of uses that are tried one by one before all are counted.
  private static let few = 64

  /// An SQL condition on the row of a claim: the claim still holds the use that it was given.
  static func holds(_ now: String) -> String {
    "claim.state IN ('open', 'decoy') AND claim.expires_at > \(now)::timestamptz"
  }

  /// Finds a free use, if there is one. Begins at a random use, so that simultaneous takers of many uses find different ones.
  static func looking(for invitation: Invitation, _ now: Timestamp) -> Statement {
    let (few, rest) = (
      free("least($2::integer, \(few))", "TRUE"),
      free(
        "$2::integer",
        """
        $2::integer > \(few) AND $2::integer > (SELECT count(*) FROM invitation_use
          WHERE invitation_id = $1::uuid AND account_id IS NOT NULL)
        """)
    )
    return Statement(
      "\(few) UNION ALL (\(rest)) LIMIT 1",
      [
        .text(invitation.id.description), "\(invitation.uses)", "\(Int.random(in: 1...max(1, invitation.uses)))",
        .init(now),
      ])
  }

  /// Selects free uses. LIMIT and the scalar subquery keep the server from reading all claims, or all uses, at once.
  private static func free(_ count: String, _ condition: String) -> String {
    """
    SELECT place.slot, taken.slot IS NOT NULL, taken.claim_id
    FROM (SELECT ($3::integer - 1 + generate_series(0, \(count) - 1)) % $2::integer + 1 AS slot
        WHERE \(condition)) AS place
      LEFT JOIN LATERAL (SELECT slot, claim_id, account_id IS NOT NULL
          OR (SELECT TRUE FROM claim WHERE claim.id = claim_id AND \(holds("$4"))) IS TRUE AS lives
        FROM invitation_use WHERE invitation_id = $1::uuid AND invitation_use.slot = place.slot LIMIT 1) AS taken ON TRUE
    WHERE taken.lives IS NOT TRUE
    """
  }

  static func find(_ connection: Connection, _ invitation: Invitation, _ now: Timestamp) throws(ServerFailure) -> Free?
  {
    try connection.answer(looking(for: invitation, now)).first.map { row in
      Free(slot: row.integer(0), isLeft: row.text(1) == "t", claim: row.optional(2))
    }
  }

  /// The share's oldest claim that holds a use of the invitation.
  static func oldest(_ id: InvitationID, _ share: Share, _ now: Timestamp) -> Statement {
    Statement(
      """
      SELECT claim.id FROM invitation_use JOIN claim ON claim.id = claim_id
      WHERE invitation_id = $1::uuid AND invitation_use.account_id IS NULL AND \(holds("$4"))
        AND claim.uid = $2::bigint AND claim.origin IS NOT DISTINCT FROM $3::bytea
      ORDER BY claim.created_at, claim.id LIMIT 1
      """, [.text(id.description), .init(share.uid.map { "\($0)" }), .init(share.origin), .init(now)])
  }

  /// The invitation whose use a claim holds.
  static func invitation(heldBy id: ClaimID) -> Statement {
    Statement(
      "SELECT invitation_id FROM invitation_use WHERE claim_id = $1 AND account_id IS NULL", [.text(id.description)])
  }

  /// Selects the rows that have neither an account nor a claim. Ignores expiry, because the sweep removes expired claims first.
  private static let dead = """
    SELECT invitation_id, slot, claim_id FROM invitation_use WHERE account_id IS NULL
      AND (SELECT state IN ('open', 'decoy') FROM claim WHERE claim.id = claim_id) IS NOT TRUE LIMIT $1::bigint
    """

  static func countingDead(_ limit: Int) -> Statement {
    Statement("SELECT count(*) FROM (\(dead)) AS dead", ["\(limit)"])
  }

  // MARK: - Changes

  /// Removes dead rows, except rows that another change has locked or has just taken. A row that was just taken has
  /// another `claim_id`; its new claim itself is invisible to this statement.
  static func tidying(_ limit: Int) -> Statement {
    Statement(
      """
      DELETE FROM invitation_use WHERE (invitation_id, slot) IN (
        SELECT taken.invitation_id, taken.slot FROM invitation_use AS taken JOIN (\(dead)) AS dead
          ON taken.invitation_id = dead.invitation_id AND taken.slot = dead.slot
            AND taken.claim_id IS NOT DISTINCT FROM dead.claim_id
        WHERE taken.account_id IS NULL FOR UPDATE OF taken SKIP LOCKED)
      """, ["\(limit)"])
  }

  /// Takes a free use, unless another change was quicker.
  static func taking(_ free: Free, of id: InvitationID, for holder: InvitationHolder) -> Statement {
    let (claim, account): (ClaimID?, AccountID?) =
      switch holder {
      case .claim(let claim): (claim, nil)
      case .account(let account): (nil, account)
      }
    let values: [Statement.Parameter] = [
      .text(id.description), "\(free.slot)", .init(claim?.description), .init(account?.description),
    ]
    guard free.isLeft else {
      return Statement(
        """
        INSERT INTO invitation_use (invitation_id, slot, claim_id, account_id) VALUES ($1, $2, $3, $4)
        ON CONFLICT (invitation_id, slot) DO NOTHING
        """, values)
    }
    // succeeds only if the row still has the ended claim that the look-up saw: another claim means that another change
    // was quicker
    return Statement(
      """
      UPDATE invitation_use SET claim_id = $3, account_id = $4
      WHERE invitation_id = $1 AND slot = $2 AND account_id IS NULL AND claim_id IS NOT DISTINCT FROM $5
      """, values + [.init(free.claim)])
  }

  /// Removes an expired claim whose use is taken over. Otherwise another regd, whose clock is behind, could prove the
  /// claim at the same time, and make an account without a use. Must precede `taking`.
  static func ending(_ claim: String, _ now: Timestamp) -> Statement {
    Statement("DELETE FROM claim WHERE id = $1 AND expires_at <= $2", [.text(claim), .init(now)])
  }

  /// Finds a claim and locks its row. Must precede `moving`.
  static func keeping(_ id: ClaimID) -> Statement {
    Statement("SELECT 1 FROM claim WHERE id = $1 FOR UPDATE", [.text(id.description)])
  }

  static func moving(from old: ClaimID, to new: ClaimID) -> Statement {
    Statement(
      "UPDATE invitation_use SET claim_id = $2 WHERE claim_id = $1 AND account_id IS NULL",
      [.text(old.description), .text(new.description)])
  }

  static func passing(from claim: ClaimID, to account: AccountID) -> Statement {
    Statement(
      "UPDATE invitation_use SET account_id = $2 WHERE claim_id = $1 AND account_id IS NULL",
      [.text(claim.description), .text(account.description)])
  }

  /// Gives an account's use back, and removes the claim that would have it if the invitation has been revoked. Locks the
  /// invitation first, so that a revocation either is seen here or sees the use given back.
  static func givingBack(_ id: AccountID) -> [Statement] {
    let invitations = "SELECT invitation_id FROM invitation_use WHERE account_id = $1"
    return [
      "SELECT 1 FROM invitation WHERE id IN (\(invitations)) FOR SHARE",
      """
      DELETE FROM claim WHERE state IN ('open', 'decoy')
        AND id IN (SELECT claim_id FROM invitation_use WHERE account_id = $1)
        AND EXISTS (SELECT 1 FROM invitation WHERE revoked_at IS NOT NULL AND id IN (\(invitations)))
      """,
      "UPDATE invitation_use SET account_id = NULL WHERE account_id = $1",
    ].map { Statement($0, [.text(id.description)]) }
  }

  /// Removes the claims that hold a use of the invitation. First waits for changes that prove such a claim, because
  /// they pass the claim's use to an account.
  static func endingHolders(of id: InvitationID) -> [Statement] {
    let holding = """
      FROM claim WHERE state IN ('open', 'decoy')
        AND id IN (SELECT claim_id FROM invitation_use WHERE invitation_id = $1 AND account_id IS NULL)
      """
    return [
      Statement("SELECT 1 \(holding) ORDER BY id FOR UPDATE", [.text(id.description)]),
      Statement("DELETE \(holding)", [.text(id.description)]),
    ]
  }
}
