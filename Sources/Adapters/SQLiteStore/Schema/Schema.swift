/// The database's schema, and the steps to it from every version that was ever shipped.
enum Schema {
  /// Step n leads from `user_version` n to n + 1. A shipped step is never changed. New steps are added.
  static let migrations = [
    """
    CREATE TABLE account (
      id            TEXT NOT NULL PRIMARY KEY,               -- UUID
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL UNIQUE COLLATE BINARY,     -- what accounts are compared by; computed by regd
      password_hash TEXT NOT NULL,                           -- PHC string
      state         TEXT NOT NULL CHECK (state IN ('active', 'pending', 'disabled')),
      created_at    TEXT NOT NULL,                           -- RFC 3339, UTC
      updated_at    TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE request (
      uid           INTEGER NOT NULL,                        -- the user who asked
      id            TEXT NOT NULL COLLATE BINARY,            -- what the user calls the request
      account_id    TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      password_hash TEXT NOT NULL,                           -- of the password that came with it
      PRIMARY KEY (uid, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX request_account ON request (account_id);

    CREATE TABLE audit (
      number        INTEGER PRIMARY KEY AUTOINCREMENT,       -- never given twice
      at            TEXT NOT NULL,                           -- RFC 3339, UTC
      change        TEXT NOT NULL,
      account_id    TEXT NOT NULL,                           -- no reference: the account may be deleted
      email         TEXT NOT NULL,                           -- as it was typed
      uid           INTEGER,                                 -- who asked; NULL for regd itself
      pid           INTEGER
    ) STRICT;
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    """,
    """
    CREATE INDEX account_pending ON account (id) WHERE state = 'pending';  -- what waits for the upstream
    """,
    """
    ALTER TABLE audit ADD COLUMN origin TEXT;                -- for whom the user asked, in its own words

    ALTER TABLE account ADD COLUMN confirmed_at TEXT;        -- when the hash was last known to be right; NULL: refused since
    UPDATE account SET confirmed_at = updated_at;

    CREATE TABLE released (
      number        INTEGER PRIMARY KEY,                     -- the later, the larger
      uid           INTEGER NOT NULL,                        -- whose request it was
      id            TEXT NOT NULL COLLATE BINARY,
      account_id    TEXT NOT NULL,                           -- what the upstream was asked for
      email         TEXT NOT NULL,                           -- as it was typed
      email_key     TEXT NOT NULL COLLATE BINARY,
      password_hash TEXT NOT NULL,                           -- of the password that came with the request
      released_at   TEXT NOT NULL,                           -- RFC 3339, UTC
      UNIQUE (uid, id, account_id)
    ) STRICT;
    CREATE INDEX released_of_user ON released (uid, number);
    CREATE INDEX released_at ON released (released_at);
    CREATE INDEX released_address ON released (email_key);
    """,
    """
    ALTER TABLE audit ADD COLUMN regd TEXT;                  -- the instance that made the change

    CREATE TABLE delivery (                                  -- of accounts that wait for the upstream
      account_id    TEXT NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      claimed_by    TEXT,                                    -- the instance that may ask the upstream
      claimed_until TEXT,                                    -- RFC 3339, UTC, by SQLite's clock
      attempts      INTEGER NOT NULL,                        -- asks without an answer that counts
      failure       TEXT,                                    -- what was wrong the last time
      next_at       TEXT                                     -- RFC 3339, UTC; NULL: nothing was noted yet
    ) STRICT, WITHOUT ROWID;
    """,
    claims,
    rewriting,
    bounds,
    rewriting,
    admission,
    rewriting,
    stamps,
    rewriting,
    holding,
    origins,
    rewriting,
    copying,
    ranks,
    registrants,
    rewriting,
    groups,
    rewriting,
    auditTree,
    rewriting,
  ]

  /// "regd" in ASCII, which identifies the database as regd's to file(1) and regd.
  static let applicationID = 0x7265_6764

  /// Throws, without writing, unless the database is regd's or empty, and not newer than this regd.
  ///
  /// - Parameter hold: As for `MoveMark.check`.
  static func check(_ connection: Connection, completedFor hold: String? = nil) throws(SQLiteFailure) {
    // one transaction, because another process may be making the database now
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    try checkInTransaction(connection, completedFor: hold)
  }

  /// Does what `check` does, within a transaction of the caller.
  static func checkInTransaction(
    _ connection: Connection, completedFor hold: String? = nil
  ) throws(SQLiteFailure) {
    let owner = try connection.integer("PRAGMA application_id")
    let version = try connection.integer("PRAGMA user_version")
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard owner == applicationID && version >= 0 || (owner == 0 && version == 0 && isEmpty) else {
      throw SQLiteFailure.notOurs("this is another program's database")
    }
    guard try MoveMark.check(connection, version, completedFor: hold) <= migrations.count else {
      throw SQLiteFailure.notOurs(
        "its schema has the newer version \(version); this regd knows only \(migrations.count)")
    }
  }
}

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

  /// Adds the epochs of accounts, on which the stamps (proofs) of sign-ins depend, and the doors (sockets other than
  /// regd's own) in the audit.
  static let stamps = """
    ALTER TABLE account ADD COLUMN epoch TEXT;               -- another one ends all sign-ins; NULL: none has since version 12
    ALTER TABLE claim ADD COLUMN epoch TEXT;                 -- the account's, when its owner wanted another address
    ALTER TABLE installation ADD COLUMN stamp_key TEXT;      -- 64 hexadecimal digits; NULL in a back-up: whoever opens it makes one
    ALTER TABLE audit ADD COLUMN door TEXT;                  -- through which the requester came; NULL: regd's own socket
    """

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

  /// Lets an audit entry's origin be erased, together with the entry's address, and erases the origins of entries whose
  /// addresses are already erased. Changes no other row, so that a large audit is only read. Also indexes the accounts
  /// that are disabled, because administrators list them.
  static let origins = """
    DROP TRIGGER audit_is_not_changed;
    UPDATE audit SET origin = NULL WHERE origin IS NOT NULL AND account_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM audit_address WHERE audit_address.number = audit.number);
    CREATE TRIGGER audit_is_not_changed
      BEFORE UPDATE OF number, at, change, account_id, uid, pid, regd, invitation_id, terms, door ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    CREATE TRIGGER audit_origin_is_not_changed BEFORE UPDATE OF origin ON audit WHEN new.origin IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    CREATE INDEX account_disabled ON account (id) WHERE state = 'disabled';
    """

  /// Adds the file in which the key of stamps was made, so that a copy of the database's file is noticed.
  static let copying = """
    ALTER TABLE installation ADD COLUMN made_in TEXT;        -- its inode and time of birth; NULL: not known, so the next opening notes it
    """

  /// Lets a claim's `mailed` also be 2, if the own bound of a known user and origin has admitted the mail with its
  /// code. It is 3 if such a recovery is hidden. The index contains the claims whose mails were not admitted by the
  /// address's bound. Also notes whether an account's owner has proven its address.
  static let ranks = """
    ALTER TABLE account ADD COLUMN proven INTEGER;           -- 1: its owner has proven the address; NULL: older than this column
    DROP INDEX claim_unmailed;
    CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1;
    """

  /// Notes with each account that waits for approval who registered it, and in which language. For accounts that
  /// already wait, the registrant is known only from the audit, and the language is unknown.
  static let registrants = """
    ALTER TABLE account ADD COLUMN registrant_uid INTEGER;   -- who registered it; NULL: unknown, or approved and active
    ALTER TABLE account ADD COLUMN registrant_origin TEXT;
    ALTER TABLE account ADD COLUMN registrant_language TEXT; -- of the mails about the approval
    UPDATE account SET (registrant_uid, registrant_origin) = (SELECT uid, origin FROM audit
        WHERE account_id = account.id AND change = 'account.waiting' AND uid IS NOT NULL ORDER BY number DESC LIMIT 1)
      WHERE state = 'waiting';
    CREATE INDEX account_registrant ON account (state, registrant_uid, registrant_origin) WHERE registrant_uid IS NOT NULL;
    """

  /// Adds groups and display names. `account.group_names` contains the groups of an account. The table `account_group` is the
  /// index from a group to its members, which the triggers keep.
  static let groups = """
    ALTER TABLE account ADD COLUMN group_names TEXT;         -- sorted, separated by spaces; NULL: none
    ALTER TABLE account ADD COLUMN display_name TEXT;
    ALTER TABLE claim ADD COLUMN display_name TEXT;
    ALTER TABLE invitation ADD COLUMN group_names TEXT;
    ALTER TABLE audit ADD COLUMN group_change TEXT;          -- "+name" was added, "-name" was removed

    CREATE TABLE account_group (
      group_name TEXT NOT NULL COLLATE BINARY,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (group_name, account_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_group_account ON account_group (account_id);
    CREATE TRIGGER account_has_groups AFTER INSERT ON account WHEN new.group_names IS NOT NULL BEGIN
      INSERT INTO account_group SELECT value, new.id FROM json_each('["' || replace(new.group_names, ' ', '","') || '"]');
    END;
    CREATE TRIGGER account_changes_groups AFTER UPDATE OF group_names ON account
      WHEN new.group_names IS NOT old.group_names BEGIN
      DELETE FROM account_group WHERE account_id = new.id;
      INSERT INTO account_group SELECT value, new.id
        FROM json_each('["' || replace(new.group_names, ' ', '","') || '"]') WHERE new.group_names IS NOT NULL;
    END;

    DROP TRIGGER audit_is_not_changed;
    CREATE TRIGGER audit_is_not_changed
      BEFORE UPDATE OF number, at, change, account_id, uid, pid, regd, invitation_id, terms, door, group_change ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    """

  /// Adds the tree of the audit. Each entry gets its leaf with its number, and the entries that exist get theirs right after these
  /// statements (`AuditTreeRow.fill`). The leaves are in a separate table, so that they remain if another program removes an
  /// entry. The row of `audit_address` also contains the entry's seal, and remains when the address is erased. The table is
  /// made anew, because SQLite cannot drop a NOT NULL.
  static let auditTree = """
    ALTER TABLE installation ADD COLUMN audit_key TEXT;      -- 64 hexadecimal digits: the seed of the key that signs the audit's heads
    ALTER TABLE installation ADD COLUMN audit_head_at TEXT;  -- when a head was last read; NULL: never

    CREATE TABLE audit_tree (                                -- without the entries that another program has added
      number        INTEGER PRIMARY KEY,                     -- of the entry
      leaf          INTEGER NOT NULL,                        -- from 0, without gaps
      hashes        BLOB NOT NULL                            -- of the complete subtrees that end with the leaf, the smallest first
    ) STRICT;
    CREATE UNIQUE INDEX audit_leaf ON audit_tree (leaf);
    CREATE TRIGGER audit_tree_is_not_changed BEFORE UPDATE ON audit_tree
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
    CREATE TRIGGER audit_tree_is_not_removed BEFORE DELETE ON audit_tree
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

    CREATE TABLE audit_address_new (
      number        INTEGER PRIMARY KEY,                     -- of the entry
      email         TEXT,                                    -- as it was typed; NULL: the entry has none, or it was erased
      ended_at      TEXT,                                    -- since when no account has it; NULL: the account has it
      salt          BLOB,                                    -- 32 random bytes; erased with the address and the entry's origin
      commitment    BLOB                                     -- SHA-256 of these three, once they were erased
    ) STRICT;
    INSERT INTO audit_address_new (number, email, ended_at) SELECT number, email, ended_at FROM audit_address ORDER BY number;
    DROP TABLE audit_address;
    ALTER TABLE audit_address_new RENAME TO audit_address;
    CREATE INDEX audit_address_end ON audit_address (ended_at) WHERE ended_at IS NOT NULL;
    """
}
