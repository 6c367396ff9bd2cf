extension Schema {
  /// From version 3 to 4: changes commit side by side. A regd of version 3 must be upgraded, because it numbers audit
  /// entries under the lock of the row of `installation`, which other changes no longer take.
  static let numbering = Step(statements: unnumbered + refusal, oldest: 4)

  private static let unnumbered = [
    // entries whose change is committed, or about to be, and that have no number yet
    """
    CREATE TABLE unnumbered (
      turn          bigint NOT NULL,                         -- the change's, drawn behind its locks
      place         bigint NOT NULL,                         -- within the change
      xid           xid8 NOT NULL DEFAULT pg_current_xact_id(),
      at            timestamptz NOT NULL,
      change        text COLLATE "C",                        -- NULL: until here the audit's addresses of the account have ended
      account_id    uuid NOT NULL,
      email         text,                                    -- as it was typed
      uid           bigint,
      pid           integer,
      origin        bytea,
      regd          text,
      PRIMARY KEY (turn, place)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
    """,
    "CREATE SEQUENCE unnumbered_turn OWNED BY unnumbered.turn",
    "CREATE INDEX unnumbered_account ON unnumbered (account_id)",
    "CREATE INDEX unnumbered_xid ON unnumbered (xid)",
    // a session that gives numbers locks the one row of this table
    """
    CREATE TABLE numbering (
      one           boolean PRIMARY KEY DEFAULT TRUE CHECK (one),  -- there is one row
      last          bigint NOT NULL,                         -- number that was given
      mark          xid8 NOT NULL,                           -- no transaction before it has entries without a number
      lag           bigint NOT NULL                          -- how many entries behind the mark have one
    )
    """,
    "INSERT INTO numbering (last, mark, lag) SELECT last_audit, '0', 0 FROM installation",
    "ALTER TABLE audit ADD COLUMN turn bigint",
  ]

  /// Makes changes by a regd of version 3 fail, with a message for its callers and its log. Each such change updates
  /// `last_audit`.
  private static let refusal = [
    """
    CREATE OR REPLACE FUNCTION refuse_version_3() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'the schema has become version 4, and asks for a regd that knows it: upgrade this regd';
    END $$
    """,
    """
    CREATE TRIGGER refuse_version_3 BEFORE UPDATE OF last_audit ON installation
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_version_3()
    """,
  ]
}
