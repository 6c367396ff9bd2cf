extension Schema {
  /// Notes with each use which claim holds it and until when, so that a look-up reads few rows, however many uses the
  /// invitation has held.
  static let holding = """
    ALTER TABLE claim ADD COLUMN invitation_id TEXT;         -- by which it was made
    ALTER TABLE claim ADD COLUMN concealed INTEGER NOT NULL DEFAULT 0;  -- 1: keeps its use when another account gets the address
    ALTER TABLE invitation_use ADD COLUMN held_until TEXT;   -- when its claim's hold ends; NULL: no claim holds it
    ALTER TABLE invitation_use ADD COLUMN held_since TEXT;   -- when that claim was made
    ALTER TABLE invitation_use ADD COLUMN uid INTEGER;       -- who made that claim
    ALTER TABLE invitation_use ADD COLUMN origin TEXT;       -- empty: a user without one
    UPDATE claim SET invitation_id = (SELECT invitation_id FROM invitation_use WHERE claim_id = claim.id)
      WHERE EXISTS (SELECT 1 FROM invitation_use WHERE claim_id = claim.id);
    UPDATE invitation_use SET (claim_id, held_until, held_since, uid, origin) = (
        SELECT id, expires_at, created_at, uid, ifnull(origin, '') FROM claim WHERE id = claim_id AND state IN ('open', 'decoy'))
      WHERE account_id IS NULL AND claim_id IS NOT NULL;
    DROP INDEX invitation_use_held;
    CREATE INDEX invitation_use_held ON invitation_use (invitation_id, held_until) WHERE account_id IS NULL;
    CREATE INDEX invitation_use_share ON invitation_use (invitation_id, uid, origin, held_since, claim_id)
      WHERE held_until IS NOT NULL;
    DROP INDEX claim_share;
    ALTER TABLE invitation ADD COLUMN used_at TEXT;          -- when its single use was used; NULL: it was not, or has several
    UPDATE invitation SET used_at = (SELECT audit.at FROM invitation_use JOIN audit ON audit.account_id = invitation_use.account_id
        WHERE invitation_use.invitation_id = invitation.id ORDER BY number LIMIT 1)
      WHERE uses = 1 AND (email IS NOT NULL OR note IS NOT NULL);
    DROP INDEX invitation_address;
    CREATE INDEX invitation_ended
      ON invitation (min(expires_at, ifnull(revoked_at, expires_at), ifnull(used_at, expires_at)))
      WHERE email IS NOT NULL OR note IS NOT NULL;
    """
}
