extension Schema {
  /// Creates the tables of claims, of mails, and of the audit's addresses, which can be erased there.
  static let claims = """
    CREATE TABLE installation (
      code_key      TEXT NOT NULL                            -- 64 hexadecimal digits: the key of the claims' codes
    ) STRICT;

    CREATE TABLE claim (
      id            TEXT NOT NULL PRIMARY KEY,               -- 32 hexadecimal digits
      kind          TEXT NOT NULL,
      state         TEXT NOT NULL,
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL COLLATE BINARY,
      account_id    TEXT NOT NULL,                           -- no reference: the account may be still to be made
      password_hash TEXT,                                    -- of the password that a registration came with
      uid           INTEGER NOT NULL,                        -- the user who may prove it
      origin        TEXT,
      request_id    TEXT COLLATE BINARY,                     -- what the user calls the registration
      language      TEXT,
      digits        INTEGER NOT NULL,
      generation    INTEGER NOT NULL,                        -- of its code, from 1
      code_until    TEXT NOT NULL,                           -- RFC 3339, UTC, as all of these
      attempts      INTEGER NOT NULL,                        -- wrong codes
      resend_at     TEXT NOT NULL,
      created_at    TEXT NOT NULL,
      expires_at    TEXT NOT NULL,
      UNIQUE (uid, request_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX claim_address ON claim (email_key);
    CREATE INDEX claim_account ON claim (account_id);
    CREATE INDEX claim_share ON claim (uid, origin, expires_at);
    CREATE INDEX claim_end ON claim (expires_at);

    CREATE TABLE wrong_code (
      number        INTEGER PRIMARY KEY,
      email_key     TEXT NOT NULL COLLATE BINARY,
      uid           INTEGER,                                 -- who tried; NULL for regd itself
      origin        TEXT,
      at            TEXT NOT NULL
    ) STRICT;
    CREATE INDEX wrong_code_address ON wrong_code (email_key, at);
    CREATE INDEX wrong_code_at ON wrong_code (at);

    CREATE TABLE mail (
      id            TEXT NOT NULL PRIMARY KEY,               -- UUID
      kind          TEXT NOT NULL,
      state         TEXT NOT NULL,
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL COLLATE BINARY,
      claim_id      TEXT,                                    -- whose code it has
      account_id    TEXT,                                    -- what it is about
      language      TEXT,
      uid           INTEGER NOT NULL,                        -- who has caused it
      origin        TEXT,
      created_at    TEXT NOT NULL,
      attempts      INTEGER NOT NULL,                        -- tries without success
      reason        TEXT,                                    -- what was wrong the last time
      next_at       TEXT,                                    -- NULL: nothing was noted yet
      leased_by     TEXT,                                    -- the instance that may send it
      leased_until  TEXT                                     -- by SQLite's clock
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mail_address ON mail (email_key, created_at);
    CREATE INDEX mail_account ON mail (account_id);
    CREATE INDEX mail_waiting ON mail (id) WHERE state = 'waiting';
    CREATE INDEX mail_over ON mail (created_at) WHERE state <> 'waiting';

    CREATE TABLE audit_address (
      number        INTEGER PRIMARY KEY,                     -- of the entry
      email         TEXT NOT NULL,                           -- as it was typed
      ended_at      TEXT                                     -- since when no account has it; NULL: the account has it
    ) STRICT;
    CREATE INDEX audit_account ON audit (account_id, number);
    INSERT INTO audit_address (number, email, ended_at) SELECT number, email,
      CASE WHEN NOT EXISTS (SELECT 1 FROM account WHERE id = account_id)
        THEN (SELECT max(at) FROM audit AS last WHERE last.account_id = audit.account_id) END FROM audit;
    CREATE INDEX audit_address_end ON audit_address (ended_at) WHERE ended_at IS NOT NULL;
    ALTER TABLE audit DROP COLUMN email;
    """

  /// Erases remnants that earlier versions left in the file. Must run outside a transaction. May be repeated.
  static let rewriting = "VACUUM;"
}
