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
