extension Schema {
  /// From version 5 to 6: the epochs of accounts, on which the stamps (proofs) of sign-ins depend, and the doors
  /// (sockets other than regd's own) in the audit. A regd of version 5 must be upgraded, because it would disable
  /// accounts and change passwords without ending their sign-ins.
  static let stamping = Step(statements: epochs + words + doors, oldest: 6)

  private static let epochs = [
    // A new epoch ends all sign-ins of the account. NULL means that no epoch was set since version 6.
    """
    ALTER TABLE account ADD COLUMN epoch text COLLATE "C"
    """,
    // the account's epoch when its owner asked for another address
    """
    ALTER TABLE claim ADD COLUMN epoch text COLLATE "C"
    """,
    // the regd that opens the database makes the row, because the server cannot make random bytes (see `StampKeyRow`)
    """
    CREATE TABLE stamp_key (
      one        boolean PRIMARY KEY DEFAULT TRUE CHECK (one),  -- there is one row
      key        bytea NOT NULL,
      made_by    xid NOT NULL,                              -- the transaction that wrote this very row
      made_in    oid NOT NULL                               -- this very table
    )
    """,
  ]

  /// The door through which the requester came, or NULL for regd's own socket.
  private static let doors = ["audit", "entry_without_number"].map {
    "ALTER TABLE \($0) ADD COLUMN door text COLLATE \"C\""
  }

  /// Makes changes by a regd of version 5 fail. Changes that read or write `unnumbered_entry` get an error that asks
  /// their callers and the reader of the log to upgrade. The others find no row of `installation` that allows them.
  private static let words = [
    "ALTER TABLE unnumbered_entry RENAME TO entry_without_number",
    """
    CREATE OR REPLACE FUNCTION refuse_version_5() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'the schema has become version 6, and asks for a regd that knows it: upgrade this regd';
    END $$
    """,
    // The view has one row, and reading it fails. The join adds no row, but makes the view depend on the table.
    """
    CREATE VIEW unnumbered_entry AS
      SELECT CASE WHEN refuse_version_5() THEN turn END AS turn, place, CASE WHEN refuse_version_5() THEN xid END AS xid, at,
        CASE WHEN refuse_version_5() THEN change END AS change,
        CASE WHEN refuse_version_5() THEN account_id END AS account_id, email, uid, pid, origin, regd, invitation_id, terms
      FROM (VALUES (1)) AS one LEFT JOIN entry_without_number ON FALSE
    """,
  ]
}
