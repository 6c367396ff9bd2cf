extension Schema {
  /// From version 6 to 7: each use names the claim that holds it, and until when, so that a look-up reads few rows,
  /// however many uses the invitation has held. A regd of version 6 must be upgraded, because it would take uses without
  /// noting the holds.
  static let holding = Step(statements: holds + gaps, oldest: 7)

  private static let holds = [
    // The invitation by which the claim was made. `concealed` is 1 if the claim keeps its use when another account gets
    // the address.
    """
    ALTER TABLE claim ADD COLUMN invitation_id uuid, ADD COLUMN concealed integer NOT NULL DEFAULT 0
    """,
    // when the hold of its claim ends (NULL: no claim holds it), when that claim was made, and by whom (an empty
    // origin: by a user without an origin)
    """
    ALTER TABLE invitation_use ADD COLUMN held_until timestamptz, ADD COLUMN held_since timestamptz,
      ADD COLUMN uid bigint, ADD COLUMN origin bytea
    """,
    """
    UPDATE claim SET invitation_id = invitation_use.invitation_id FROM invitation_use
    WHERE invitation_use.claim_id = claim.id
    """,
    """
    UPDATE invitation_use SET (claim_id, held_until, held_since, uid, origin) = (
        SELECT id, expires_at, created_at, claim.uid, coalesce(claim.origin, '') FROM claim
        WHERE id = claim_id AND state IN ('open', 'decoy'))
    WHERE account_id IS NULL AND claim_id IS NOT NULL
    """,
    "DROP INDEX invitation_use_held",
    """
    CREATE INDEX invitation_use_held ON invitation_use (invitation_id, held_until) WHERE account_id IS NULL
    """,
    """
    CREATE INDEX invitation_use_share ON invitation_use (invitation_id, uid, origin, held_since, claim_id)
    WHERE held_until IS NOT NULL
    """,
    // When the single use of the invitation was used. NULL if it was not used, or if the invitation has several uses.
    "ALTER TABLE invitation ADD COLUMN used_at timestamptz",
    """
    UPDATE invitation SET used_at = (SELECT min(audit.at) FROM invitation_use
        JOIN audit ON audit.account_id = invitation_use.account_id WHERE invitation_use.invitation_id = invitation.id)
    WHERE uses = 1 AND (email IS NOT NULL OR note IS NOT NULL)
    """,
    "DROP INDEX invitation_ended",
    """
    CREATE INDEX invitation_ended ON invitation (least(revoked_at, expires_at, used_at))
    WHERE email IS NOT NULL OR note IS NOT NULL
    """,
  ]

  /// Adds a row for each number below an invitation's highest one, because `UseRow.looking` relies on these rows.
  /// Earlier versions gave the numbers at random, and removed rows.
  private static let gaps = [UseRow.closingGaps]
}
