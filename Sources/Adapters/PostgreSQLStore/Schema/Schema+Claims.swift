extension Schema {
  /// From version 1 to 2: claims of addresses, and mails. The audit's addresses move to a separate table, from which
  /// they are erased some time after their accounts. A regd of version 1 would write addresses elsewhere, so it must be
  /// upgraded.
  static let claiming = Step(statements: claims + mails + addresses, oldest: 2)

  private static let claims = [
    // the regd that runs this step writes the key, because the server cannot make random bytes
    "ALTER TABLE installation ADD COLUMN code_key bytea",
    """
    CREATE TABLE claim (
      id            text COLLATE "C" PRIMARY KEY,            -- 128 random bits
      kind          text COLLATE "C" NOT NULL,
      state         text COLLATE "C" NOT NULL,
      email         text NOT NULL,                           -- as it was typed
      email_key     text COLLATE "C" NOT NULL,
      account_id    uuid NOT NULL,                           -- no reference: a registration's account is still to be made
      password_hash text COLLATE "C",                        -- of a registration
      uid           bigint NOT NULL,                         -- who alone may prove it
      origin        bytea,
      request_id    text COLLATE "C",                        -- what the user calls the request
      language      text,
      digits        integer NOT NULL,
      generation    bigint NOT NULL,                         -- of its code
      code_until    timestamptz NOT NULL,
      attempts      bigint NOT NULL,                         -- wrong codes so far
      resend_at     timestamptz NOT NULL,
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL,
      UNIQUE (uid, request_id)
    )
    """,
    "CREATE INDEX claim_address ON claim (email_key)",
    "CREATE INDEX claim_account ON claim (account_id)",
    "CREATE INDEX claim_of_user ON claim (uid, origin, expires_at)",
    "CREATE INDEX claim_expires ON claim (expires_at)",
    """
    CREATE TABLE wrong_code (
      number        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      email_key     text COLLATE "C" NOT NULL,
      uid           bigint,                                  -- who tried; NULL for regd itself
      origin        bytea,
      at            timestamptz NOT NULL
    )
    """,
    "CREATE INDEX wrong_code_address ON wrong_code (email_key, at)",
    "CREATE INDEX wrong_code_at ON wrong_code (at)",
  ]

  private static let mails = [
    """
    CREATE TABLE mail (
      id            uuid PRIMARY KEY,                        -- in the order of their making
      kind          text COLLATE "C" NOT NULL,
      state         text COLLATE "C" NOT NULL,
      email         text NOT NULL,                           -- as it was typed
      email_key     text COLLATE "C" NOT NULL,
      claim_id      text COLLATE "C",                        -- whose code it has
      account_id    uuid,
      language      text,
      uid           bigint NOT NULL,                         -- who has caused it
      origin        bytea,
      created_at    timestamptz NOT NULL,
      attempts      bigint NOT NULL,                         -- without success
      reason        text,
      next_at       timestamptz,                             -- before that it is not tried again
      leased_by     text COLLATE "C",                        -- which regd sends it
      leased_until  timestamptz                              -- by the server's clock
    )
    """,
    "CREATE INDEX mail_address ON mail (email_key, created_at)",
    "CREATE INDEX mail_account ON mail (account_id)",
    "CREATE INDEX mail_waiting ON mail (id) WHERE state = 'waiting'",
    "CREATE INDEX mail_done ON mail (created_at) WHERE state <> 'waiting'",
  ]

  private static let addresses = [
    """
    CREATE TABLE audit_address (
      number        bigint PRIMARY KEY,                      -- of the entry
      email         text NOT NULL,                           -- as it was typed
      ended_at      timestamptz                              -- since when the account is gone, or has another
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
    """,
    """
    INSERT INTO audit_address (number, email, ended_at)
    SELECT number, email, min(at) FILTER (WHERE change IN ('account.deleted', 'account.released')) OVER (
      PARTITION BY account_id ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
    FROM audit
    """,
    "CREATE INDEX audit_address_ended ON audit_address (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX audit_account ON audit (account_id, number)",
    "ALTER TABLE audit DROP COLUMN email",
    // rewrites the table, because the rows keep the dropped column's values until then
    "CLUSTER audit USING audit_pkey",
    "ALTER TABLE audit SET WITHOUT CLUSTER",
  ]
}
