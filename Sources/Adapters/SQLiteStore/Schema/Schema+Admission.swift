extension Schema {
  /// Creates the tables and columns that admission needs: accounts that wait, terms, invitations and their uses.
  static let admission = waitingAccounts + auditOfInvitations + invitations

  /// Makes the table anew and fills it, because SQLite cannot change a CHECK (sqlite.org/lang_altertable.html, section 7).
  /// Foreign keys must be off: dropping a table deletes its rows first, and with them the rows that refer to them. The index is
  /// made after the rows, because SQLite then sorts them once. A UNIQUE constraint would index each row by itself.
  private static let waitingAccounts = """
    CREATE TABLE account_new (
      id            TEXT NOT NULL PRIMARY KEY,               -- UUID
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL COLLATE BINARY,            -- what accounts are compared by; computed by regd
      password_hash TEXT NOT NULL,                           -- PHC string; * where no password is right
      state         TEXT NOT NULL CHECK (state IN ('active', 'pending', 'disabled', 'waiting')),
      created_at    TEXT NOT NULL,                           -- RFC 3339, UTC
      updated_at    TEXT NOT NULL,
      confirmed_at  TEXT,                                    -- when the hash was last known to be right; NULL: refused since
      terms_version TEXT,                                    -- of the terms that the owner accepted last
      terms_at      TEXT
    ) STRICT, WITHOUT ROWID;
    INSERT INTO account_new (id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at)
      SELECT id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at FROM account ORDER BY id;
    DROP TABLE account;
    ALTER TABLE account_new RENAME TO account;
    CREATE UNIQUE INDEX account_address ON account (email_key);
    CREATE INDEX account_pending ON account (id) WHERE state = 'pending';  -- what waits for the upstream
    CREATE INDEX account_waiting ON account (id) WHERE state = 'waiting';  -- what waits for an administrator
    ALTER TABLE claim ADD COLUMN terms_version TEXT;
    ALTER TABLE claim ADD COLUMN terms_at TEXT;
    ALTER TABLE mail ADD COLUMN invitation_id TEXT;          -- whose code it has

    """

  /// Every entry keeps its number. The sequence moves to the new table too, so that no number is given twice.
  private static let auditOfInvitations = """
    CREATE TABLE audit_new (
      number        INTEGER PRIMARY KEY AUTOINCREMENT,       -- never given twice
      at            TEXT NOT NULL,                           -- RFC 3339, UTC
      change        TEXT NOT NULL,
      account_id    TEXT,                                    -- no reference: the account may be deleted; NULL: of an invitation
      uid           INTEGER,                                 -- who asked; NULL for regd itself
      pid           INTEGER,
      origin        TEXT,                                    -- for whom the user asked, in its own words
      regd          TEXT,                                    -- the instance that made the change
      invitation_id TEXT,
      terms         TEXT                                     -- the version that was accepted
    ) STRICT;
    INSERT INTO audit_new (number, at, change, account_id, uid, pid, origin, regd)
      SELECT number, at, change, account_id, uid, pid, origin, regd FROM audit ORDER BY number;
    DELETE FROM sqlite_sequence WHERE name = 'audit_new';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'audit_new', seq FROM sqlite_sequence WHERE name = 'audit';
    DROP TABLE audit;
    ALTER TABLE audit_new RENAME TO audit;
    CREATE INDEX audit_account ON audit (account_id, number);
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

    """

  /// Each use has its own row. A change takes a use by adding the row with the use's number.
  private static let invitations = """
    CREATE TABLE invitation (
      id            TEXT NOT NULL PRIMARY KEY,               -- UUID
      digest        TEXT NOT NULL UNIQUE,                    -- SHA-256 of the code, in hexadecimal digits
      email         TEXT,                                    -- the only address that it admits; NULL: any, or erased
      email_key     TEXT COLLATE BINARY,
      domain        TEXT,                                    -- the only domain that it admits
      uses          INTEGER NOT NULL,
      created_at    TEXT NOT NULL,                           -- RFC 3339, UTC, as all of these
      expires_at    TEXT NOT NULL,
      revoked_at    TEXT,
      note          TEXT,
      uid           INTEGER NOT NULL,                        -- the administrator who made it
      mailed        INTEGER NOT NULL                         -- 1: the code went to the address, and nowhere else
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitation_address ON invitation (id) WHERE email IS NOT NULL;

    CREATE TABLE invitation_use (
      invitation_id TEXT NOT NULL REFERENCES invitation (id) ON DELETE CASCADE,
      slot          INTEGER NOT NULL,                        -- from 1 to the invitation's uses
      claim_id      TEXT,                                    -- that holds it, or that the account came from
      account_id    TEXT,                                    -- that has it; stays when the account is deleted
      PRIMARY KEY (invitation_id, slot)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitation_use_held ON invitation_use (invitation_id, claim_id) WHERE account_id IS NULL;
    CREATE INDEX invitation_use_claim ON invitation_use (claim_id) WHERE claim_id IS NOT NULL;
    CREATE INDEX invitation_use_account ON invitation_use (account_id) WHERE account_id IS NOT NULL;
    CREATE INDEX claim_share ON claim (uid, origin) WHERE origin IS NOT NULL;
    """
}
