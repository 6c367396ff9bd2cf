extension Schema {
  /// From version 2 to 3: the columns and tables by which limits are counted. A regd of version 2 would accept codes that were
  /// never mailed, so it must be upgraded.
  static let bounding = Step(statements: claimBounds + mailBounds, oldest: 3)

  private static let claimBounds = [
    // whether the mail with the claim's code was admitted: 0 or 1
    "ALTER TABLE claim ADD COLUMN mailed integer NOT NULL DEFAULT 1",
    """
    UPDATE claim SET mailed = 0 WHERE state <> 'decoy'
      AND id IN (SELECT claim_id FROM mail WHERE state = 'suppressed')
      AND id NOT IN (SELECT claim_id FROM mail WHERE state <> 'suppressed' AND claim_id IS NOT NULL)
    """,
    "DROP INDEX claim_of_user",
    "CREATE INDEX claim_unmailed ON claim (email_key) WHERE mailed = 0",
    "DROP TABLE wrong_code",
    """
    CREATE TABLE wrong_code (
      number        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- the later, the larger
      address       bigint NOT NULL,                         -- a keyed hash: it outlives the address's account
      at            timestamptz NOT NULL
    )
    """,
    "CREATE INDEX wrong_code_address ON wrong_code (address, at)",
    "CREATE INDEX wrong_code_at ON wrong_code (at)",
  ]

  /// Mails are counted in a separate table, because the counts outlive the mails, and contain no address.
  private static let mailBounds = [
    """
    CREATE TABLE mail_ask (
      number        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- the later, the larger
      address       bigint NOT NULL,                         -- keyed hash of the address
      share         bigint NOT NULL,                         -- keyed hash of the user and origin
      part          bigint NOT NULL,                         -- 0: of the address's; 1: of the share's own
      at            timestamptz NOT NULL
    )
    """,
    "CREATE INDEX mail_ask_address ON mail_ask (address, at)",
    "CREATE INDEX mail_ask_at ON mail_ask (at)",
    // 0: regd never hands the mail to a mail system
    "ALTER TABLE mail ADD COLUMN wanted bigint NOT NULL DEFAULT 1",
    // 1: the requester (user and origin) is known at the address
    "ALTER TABLE mail ADD COLUMN known bigint NOT NULL DEFAULT 0",
    "CREATE INDEX mail_claim ON mail (claim_id) WHERE state = 'waiting' AND claim_id IS NOT NULL",
  ]
}
