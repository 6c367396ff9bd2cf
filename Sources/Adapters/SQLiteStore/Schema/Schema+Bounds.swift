extension Schema {
  /// Creates the columns and tables by which limits are counted.
  static let bounds = boundsOfClaims + boundsOfMails

  private static let boundsOfClaims = """
    ALTER TABLE claim ADD COLUMN mailed INTEGER NOT NULL DEFAULT 1;  -- whether the mail with its code was admitted; 0 or 1
    UPDATE claim SET mailed = 0 WHERE state <> 'decoy'
      AND id IN (SELECT claim_id FROM mail WHERE state = 'suppressed')
      AND id NOT IN (SELECT claim_id FROM mail WHERE state <> 'suppressed' AND claim_id IS NOT NULL);
    DROP INDEX claim_share;
    CREATE INDEX claim_unmailed ON claim (email_key) WHERE mailed = 0;

    DROP TABLE wrong_code;
    CREATE TABLE wrong_code (
      number        INTEGER PRIMARY KEY,                     -- the later, the larger
      address       INTEGER NOT NULL,                        -- a keyed hash: it outlives the address's account
      at            TEXT NOT NULL
    ) STRICT;
    CREATE INDEX wrong_code_address ON wrong_code (address, at);
    CREATE INDEX wrong_code_at ON wrong_code (at);

    """

  /// Mails are counted in a separate table, because the counts outlive the mails, and contain no address.
  private static let boundsOfMails = """
    CREATE TABLE mail_ask (
      number        INTEGER PRIMARY KEY,                     -- the later, the larger
      address       INTEGER NOT NULL,                        -- keyed hash of the address
      share         INTEGER NOT NULL,                        -- keyed hash of the user and origin
      part          INTEGER NOT NULL,                        -- 0: of the address's; 1: of the share's own
      at            TEXT NOT NULL
    ) STRICT;
    CREATE INDEX mail_ask_address ON mail_ask (address, at);
    CREATE INDEX mail_ask_at ON mail_ask (at);
    ALTER TABLE mail ADD COLUMN wanted INTEGER NOT NULL DEFAULT 1;  -- 0: it is handed to no mail system
    ALTER TABLE mail ADD COLUMN known INTEGER NOT NULL DEFAULT 0;   -- 1: its share is known at the address
    CREATE INDEX mail_claim ON mail (claim_id) WHERE state = 'waiting' AND claim_id IS NOT NULL;
    """
}
