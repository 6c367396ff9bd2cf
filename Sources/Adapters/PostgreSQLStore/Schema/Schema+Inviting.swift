extension Schema {
  /// From version 4 to 5: invitations, accounts that wait for an administrator, and terms. A regd of version 4 would
  /// register persons without an invitation, and cannot read waiting accounts, so it must be upgraded.
  static let inviting = Step(statements: admission + invitations + words, oldest: 5)

  private static let admission = [
    "ALTER TABLE account DROP CONSTRAINT account_state_check",
    """
    ALTER TABLE account ADD CONSTRAINT account_state_check
      CHECK (state IN ('active', 'pending', 'disabled', 'waiting'))
    """,
    "CREATE INDEX account_waiting ON account (id) WHERE state = 'waiting'",
    // the terms that the owner accepted last, and when
    "ALTER TABLE account ADD COLUMN terms_version text, ADD COLUMN terms_at timestamptz",
    "ALTER TABLE claim ADD COLUMN terms_version text, ADD COLUMN terms_at timestamptz",
    // the invitation whose code the mail has
    "ALTER TABLE mail ADD COLUMN invitation_id uuid",
    // An entry is about an account or an invitation. `terms` is the accepted version.
    """
    ALTER TABLE audit ALTER COLUMN account_id DROP NOT NULL, ADD COLUMN invitation_id uuid, ADD COLUMN terms text
    """,
    "CREATE INDEX audit_invitation ON audit (invitation_id) WHERE invitation_id IS NOT NULL",
    """
    ALTER TABLE unnumbered ALTER COLUMN account_id DROP NOT NULL, ADD COLUMN invitation_id uuid, ADD COLUMN terms text
    """,
  ]

  private static let invitations = [
    """
    CREATE TABLE invitation (
      id            uuid PRIMARY KEY,                        -- in the order of their making; opens nothing
      digest        text COLLATE "C" NOT NULL UNIQUE,        -- SHA-256 of the code, which is kept nowhere
      email         text,                                    -- the only address that it admits, as it was typed
      email_key     text COLLATE "C",
      domain        text COLLATE "C",                        -- the only domain that it admits
      uses          integer NOT NULL,                        -- how many accounts it admits
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL,
      revoked_at    timestamptz,
      note          text,                                    -- an administrator's words
      uid           bigint NOT NULL,                         -- who made it
      mailed        integer NOT NULL                         -- 1: the code went to the address, and nowhere else
    )
    """,
    // the invitations whose addresses are still to be erased
    "CREATE INDEX invitation_ended ON invitation (least(revoked_at, expires_at)) WHERE email IS NOT NULL",
    // each use has its own row, so that takers of different uses do not wait for one another
    """
    CREATE TABLE invitation_use (
      invitation_id uuid NOT NULL,                           -- no reference: each use would lock the one row
      slot          integer NOT NULL,                        -- 1 to the invitation's uses
      claim_id      text COLLATE "C",                        -- who holds it, or made the account; it may be over
      account_id    uuid,                                    -- who has it for good; no reference: it may be deleted
      PRIMARY KEY (invitation_id, slot)
    )
    """,
    "CREATE INDEX invitation_use_held ON invitation_use (invitation_id) WHERE account_id IS NULL",
    "CREATE INDEX invitation_use_claim ON invitation_use (claim_id) WHERE claim_id IS NOT NULL",
    "CREATE INDEX invitation_use_account ON invitation_use (account_id) WHERE account_id IS NOT NULL",
  ]

  /// Makes changes by a regd of version 4 fail. Nearly all of them read `unnumbered`, and get an error that asks their
  /// callers and the reader of the log to upgrade. The others find no row of `installation` that allows them.
  private static let words = [
    "ALTER TABLE unnumbered RENAME TO unnumbered_entry",
    """
    CREATE OR REPLACE FUNCTION refuse_version_4() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'the schema has become version 5, and asks for a regd that knows it: upgrade this regd';
    END $$
    """,
    // The view has one row, and reading it fails. The join adds no row, but makes the view depend on the table.
    """
    CREATE VIEW unnumbered AS
      SELECT CASE WHEN refuse_version_4() THEN turn END AS turn, place, CASE WHEN refuse_version_4() THEN xid END AS xid, at,
        CASE WHEN refuse_version_4() THEN change END AS change,
        CASE WHEN refuse_version_4() THEN account_id END AS account_id, email, uid, pid, origin, regd
      FROM (VALUES (1)) AS one LEFT JOIN unnumbered_entry ON FALSE
    """,
  ]
}
