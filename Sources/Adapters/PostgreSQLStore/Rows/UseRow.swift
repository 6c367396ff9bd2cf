internal import Registration

/// Reads and writes the rows of taken uses. A use of an invitation (a `slot`) admits one account. The primary key lets
/// only one of two takers of the same use succeed.
///
/// A use is free if it has no row, or if its row has neither an account nor a hold (`held_until`) that has not expired.
/// A row repeats those data of the claim that holds the use which a look-up needs. A look-up therefore reads few rows,
/// however many uses the invitation has had. The change that ends a claim also ends the hold (`releasing`). Before a
/// transaction changes a row, it locks the invitation, shared or exclusively (`Locks`), and then the claim that the row
/// names.
enum UseRow {
  /// A use that was free when the look-up saw it.
  struct Free {
    let slot: Int
    /// Whether the use already has a row, from an earlier holder.
    let isLeft: Bool
    /// The claim that held the use last, and no longer does.
    let claim: String?
  }

  /// Numbers are given in blocks of this size. A block begins only when the last but one before it is full, so that a
  /// look-up finds every number that was never given in three blocks.
  private static let block = 64

  /// A use that no claim holds.
  private static let unheld = "held_until = NULL, held_since = NULL, uid = NULL, origin = NULL"

  /// An SQL condition on the row of a use that a claim's id has found. A plain `IS NULL` would let the server read the
  /// whole index of the uses without accounts.
  private static let hasNoAccount = "CASE WHEN account_id IS NULL THEN TRUE END"

  /// An SQL condition on the row of a claim: the claim keeps the use that it was given (`AddressClaim.mayHoldUse`).
  private static let mayHold = "(claim.state IN ('open', 'decoy') OR claim.state = 'taken' AND claim.concealed = 1)"

  /// An SQL condition on the row of a claim: the claim has ended, because its invitation was revoked before the claim
  /// made an account. The scalar subqueries keep the server from joining whole tables.
  static let isRevoked = """
    (claim.invitation_id IS NOT NULL AND \(mayHold)
      AND (SELECT revoked_at FROM invitation WHERE invitation.id = claim.invitation_id) IS NOT NULL
      AND (SELECT invitation_use.account_id FROM invitation_use WHERE claim_id = claim.id LIMIT 1) IS NULL)
    """

  /// Finds a free use, if there is one. Prefers a number that was never given to a use whose hold has ended.
  ///
  /// - Parameter lock: The number by which the uses of the invitation are locked: finds a use that no other change is
  ///   taking, and locks it until the transaction ends. Nil to lock none, and to find also a use that is being taken.
  static func looking(for invitation: Invitation, _ now: Clocks, lock: Int? = nil) -> Statement {
    let isFree = lock == nil ? "TRUE" : "pg_try_advisory_xact_lock($4::bigint # slot)"
    return Statement(
      """
      WITH given AS (SELECT coalesce((max(slot) - 1) / \(block) - 1, -1) * \(block) AS start FROM invitation_use
          WHERE invitation_id = $1::uuid),
        fresh AS MATERIALIZED (SELECT place.slot, place.slot <= start + \(block) AS is_first, start
          FROM given CROSS JOIN LATERAL
            generate_series(greatest(1, start + 1), least($2::integer, start + \(3 * block))) AS place (slot)
          WHERE (SELECT TRUE FROM invitation_use WHERE invitation_id = $1::uuid AND invitation_use.slot = place.slot)
            IS NULL),
        left_over AS MATERIALIZED (
          (SELECT slot, claim_id FROM invitation_use
            WHERE invitation_id = $1::uuid AND account_id IS NULL AND held_until IS NULL LIMIT \(block))
          UNION ALL
          (SELECT slot, claim_id FROM invitation_use
            WHERE invitation_id = $1::uuid AND account_id IS NULL AND held_until <= \(now.earlier("$3")) LIMIT \(block)))
      (SELECT slot::integer, FALSE, NULL::text
        FROM (SELECT slot FROM fresh
          WHERE slot <= start + \(2 * block) OR NOT EXISTS (SELECT 1 FROM fresh WHERE is_first)
          ORDER BY slot / \(block), random() LIMIT \(3 * block)) AS fresh WHERE \(isFree) LIMIT 1)
      UNION ALL
      (SELECT slot, TRUE, claim_id FROM (SELECT * FROM left_over ORDER BY random() LIMIT \(2 * block)) AS left_over
        WHERE \(isFree) LIMIT 1)
      LIMIT 1
      """,
      [.text(invitation.id.description), "\(invitation.uses)", .init(now)] + (lock.map { ["\($0)"] } ?? []))
  }

  static func find(
    _ connection: Connection, _ invitation: Invitation, _ now: Clocks, lock: Int? = nil
  ) throws(ServerFailure) -> Free? {
    try connection.answer(looking(for: invitation, now, lock: lock)).first.map { row in
      Free(slot: row.integer(0), isLeft: row.text(1) == "t", claim: row.optional(2))
    }
  }

  /// The share's oldest claim that holds a use of the invitation. Selects no row if that hold has expired, because then
  /// a use is free.
  static func oldest(_ id: InvitationID, _ share: Share, _ now: Clocks) -> Statement {
    Statement(
      """
      SELECT claim_id FROM (SELECT claim_id, held_until FROM invitation_use
        WHERE invitation_id = $1::uuid AND uid = $2::bigint AND origin = $4::bytea AND held_until IS NOT NULL
        ORDER BY held_since, claim_id LIMIT 1) AS oldest
      WHERE held_until > \(now.earlier("$3"))
      """,
      [.text(id.description), .init(share.uid.map { "\($0)" }), .init(now), origin(share.origin)])
  }

  /// A hold without an origin has an empty one. The server finds the first of equal values by an index, but not the
  /// first of NULLs.
  private static func origin(_ origin: Origin?) -> Statement.Parameter { origin.map { .init($0) } ?? .text("\\x") }

  /// The invitation whose use a claim holds.
  static func invitation(heldBy id: ClaimID) -> Statement {
    Statement(
      "SELECT invitation_id FROM invitation_use WHERE claim_id = $1 AND \(hasNoAccount)", [.text(id.description)])
  }

  /// Finds the use that a claim holds, or that its account has.
  static func look(of id: ClaimID) -> Statement {
    Statement("SELECT 1 FROM invitation_use WHERE claim_id = $1", [.text(id.description)])
  }

  // MARK: - Changes

  /// Takes a free use, unless another change was quicker.
  static func taking(_ free: Free, of id: InvitationID, for holder: InvitationHolder) -> Statement {
    let (claim, account): (AddressClaim?, AccountID?) =
      switch holder {
      case .claim(let claim): (claim, nil)
      case .account(let account): (nil, account)
      }
    let values: [Statement.Parameter] =
      [.text(id.description), "\(free.slot)", .init(account?.description)] + hold(claim)
    guard free.isLeft else {
      return Statement(
        """
        INSERT INTO invitation_use (invitation_id, slot, account_id, claim_id, held_until, held_since, uid, origin)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (invitation_id, slot) DO NOTHING
        """, values)
    }
    // Succeeds only if the row still has the ended claim that the look-up saw. Another claim means that another change
    // was faster.
    return Statement(
      """
      UPDATE invitation_use SET account_id = $3, claim_id = $4, held_until = $5, held_since = $6, uid = $7, origin = $8
      WHERE invitation_id = $1 AND slot = $2 AND account_id IS NULL AND claim_id IS NOT DISTINCT FROM $9
      """, values + [.init(free.claim)])
  }

  private static func hold(_ claim: AddressClaim?) -> [Statement.Parameter] {
    [
      .init(claim?.id.description), .init(claim?.expiresAt.rfc3339), .init(claim?.createdAt.rfc3339),
      .init(claim.map { "\($0.uid)" }), claim.map { origin($0.origin) } ?? .init(nil as String?),
    ]
  }

  /// Removes an expired claim whose use is taken over. Otherwise another regd, whose clock is behind, could prove the
  /// claim at the same time, and make an account without a use. Must precede `taking`.
  static func ending(_ claim: String, _ now: Clocks) -> Statement {
    Statement("DELETE FROM claim WHERE id = $1 AND expires_at <= \(now.earlier("$2"))", [.text(claim), .init(now)])
  }

  /// Finds a claim and locks its row. Must precede `moving`.
  static func keeping(_ id: ClaimID) -> Statement {
    Statement("SELECT 1 FROM claim WHERE id = $1 FOR UPDATE", [.text(id.description)])
  }

  static func moving(from old: ClaimID, to new: AddressClaim) -> Statement {
    Statement(
      """
      UPDATE invitation_use SET claim_id = $2, held_until = $3, held_since = $4, uid = $5, origin = $6
      WHERE claim_id = $1 AND \(hasNoAccount)
      """, [.text(old.description)] + hold(new))
  }

  static func passing(from claim: ClaimID, to account: AccountID) -> Statement {
    Statement(
      "UPDATE invitation_use SET account_id = $2, \(unheld) WHERE claim_id = $1 AND \(hasNoAccount)",
      [.text(claim.description), .text(account.description)])
  }

  /// Gives an account's use back to the claim that made the account, if that claim still exists.
  static func givingBack(_ id: AccountID) -> Statement {
    Statement(
      """
      UPDATE invitation_use SET account_id = NULL, (claim_id, held_until, held_since, uid, origin) = (
        SELECT claim.id, expires_at, created_at, claim.uid, coalesce(claim.origin, '') FROM claim
        WHERE claim.id = claim_id AND \(mayHold))
      WHERE invitation_use.account_id = $1
      """, [.text(id.description)])
  }

  /// Removes or ends claims, and frees the uses that they held. The array keeps the server from reading all uses.
  ///
  /// - Parameters:
  ///   - change: SQL of a change of claims that returns their ids.
  ///   - other: SQL of a change of other claims, which keep their uses. Nil for none.
  static func releasing(
    after change: String, and other: String? = nil, _ parameters: [Statement.Parameter]
  ) -> Statement {
    Statement(
      """
      WITH gone AS (\(change))\(other.map { ", others AS (\($0))" } ?? "")
      UPDATE invitation_use SET claim_id = NULL, \(unheld)
      WHERE claim_id = ANY (ARRAY(SELECT id FROM gone)) AND \(hasNoAccount)
      """, parameters)
  }

  /// Adds the rows that are missing below each invitation's highest number.
  static let closingGaps = """
    INSERT INTO invitation_use (invitation_id, slot)
    SELECT invitation_id, place.slot
    FROM (SELECT invitation_id, max(slot) AS last FROM invitation_use GROUP BY invitation_id) AS given
      CROSS JOIN LATERAL generate_series(1, last) AS place (slot)
    ON CONFLICT (invitation_id, slot) DO NOTHING
    """
}
