/// The database's schema, and the steps to it from every version that was ever shipped.
///
/// The SQL is close to the standard, and uses no rule, LISTEN or NOTIFY of PostgreSQL's own. Its few functions make
/// changes by an older regd fail, and record which transaction has written the key of stamps.
struct Schema: Sendable {
  /// Step n leads from version n to n + 1. A shipped step is never changed. New steps are added.
  struct Step: Sendable {
    let statements: [String]
    /// The lowest schema version that a regd must know to use a database after this step.
    let oldest: Int
    /// Whether regd fills the audit's tree after the statements (`AuditTreeRow.fill`).
    let fillsTree: Bool

    init(statements: [String], oldest: Int, fillsTree: Bool = false) {
      (self.statements, self.oldest, self.fillsTree) = (statements, oldest, fillsTree)
    }
  }

  var steps = Self.shipped
  /// The hold (a pause of the source's changes) for which a move must have completed the database. Nil for a normal opening.
  var hold: String?

  var version: Int { steps.count }

  static let shipped = [
    Step(statements: installation + accounts + deliveries, oldest: 1), claiming, bounding, numbering, inviting,
    stamping, holding, origins, copying, ranks, registrants, vacuuming, groups, auditTree,
  ]

  private static let installation = [
    """
    CREATE TABLE installation (
      one        boolean PRIMARY KEY DEFAULT TRUE CHECK (one),  -- there is one row
      version    integer NOT NULL,                 -- the schema's
      oldest     integer NOT NULL,                 -- the lowest version that a regd may know
      id         uuid NOT NULL,                    -- made with the tables; never changes
      last_audit bigint NOT NULL,                  -- every change locks it last
      guess_key  bytea NOT NULL                    -- what the accounts in guess are hashed by
    )
    """
  ]

  private static let accounts = [
    """
    CREATE TABLE account (
      id            uuid PRIMARY KEY,
      email         text NOT NULL,                           -- as it was typed
      email_key     text COLLATE "C" NOT NULL UNIQUE,        -- what accounts are compared by; computed by regd
      password_hash text COLLATE "C" NOT NULL,               -- PHC string
      state         text COLLATE "C" NOT NULL CHECK (state IN ('active', 'pending', 'disabled')),
      created_at    timestamptz NOT NULL,
      updated_at    timestamptz NOT NULL,
      confirmed_at  timestamptz                              -- when the hash was last known to be right; NULL: refused since
    )
    """,
    "CREATE INDEX account_pending ON account (id) WHERE state = 'pending'",
    """
    CREATE TABLE request (
      uid           bigint NOT NULL,                         -- the user who asked
      id            text COLLATE "C" NOT NULL,               -- what the user calls the request
      account_id    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      password_hash text COLLATE "C" NOT NULL,               -- of the password that came with it
      PRIMARY KEY (uid, id)
    )
    """,
    "CREATE INDEX request_account ON request (account_id)",
    """
    CREATE TABLE audit (
      number        bigint PRIMARY KEY,                      -- in the order of commits; never given twice
      at            timestamptz NOT NULL,
      change        text COLLATE "C" NOT NULL,
      account_id    uuid NOT NULL,                           -- no reference: the account may be deleted
      email         text NOT NULL,                           -- as it was typed
      uid           bigint,                                  -- who asked; NULL for regd itself
      pid           integer,
      origin        bytea,                                   -- for whom the user asked, in its own words
      regd          text                                     -- which regd has done it
    )
    """,
    """
    CREATE TABLE released (
      number        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- the later, the larger
      uid           bigint NOT NULL,                         -- whose request it was
      id            text COLLATE "C" NOT NULL,
      account_id    uuid NOT NULL,                           -- what the upstream was asked for
      email         text NOT NULL,                           -- as it was typed
      email_key     text COLLATE "C" NOT NULL,
      password_hash text COLLATE "C" NOT NULL,               -- of the password that came with the request
      released_at   timestamptz NOT NULL,
      UNIQUE (uid, id, account_id)
    )
    """,
    "CREATE INDEX released_of_user ON released (uid, number)",
    "CREATE INDEX released_at ON released (released_at)",
    "CREATE INDEX released_address ON released (email_key)",
  ]

  private static let deliveries = [
    """
    CREATE TABLE delivery (
      account_id    uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      claimed_by    text COLLATE "C",                        -- which regd asks the upstream for it
      claimed_until timestamptz,                             -- by the server's clock
      attempts      integer NOT NULL DEFAULT 0,              -- without an answer that counts
      failure       text,                                    -- of the last one
      next_at       timestamptz                              -- before that it is not tried again
    )
    """,
    """
    CREATE TABLE guess (
      account       bigint PRIMARY KEY,                      -- a keyed hash of what was typed
      failures      integer NOT NULL,                        -- wrong passwords, over all regd
      at            timestamptz NOT NULL,                    -- of the last one
      opens_at      timestamptz NOT NULL                     -- before that no further one is admitted
    )
    """,
  ]
}

extension Schema {
  /// From version 7 to 8: an audit entry's origin is erased together with the entry's address. Erases the origins of
  /// entries whose addresses are already erased. A regd of version 7 must be upgraded, because it would erase addresses
  /// alone.
  static let origins = Step(
    statements: [
      """
      UPDATE audit SET origin = NULL WHERE origin IS NOT NULL AND account_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_address WHERE audit_address.number = audit.number)
      """,
      // the accounts that administrators list by their state
      "CREATE INDEX account_disabled ON account (id) WHERE state = 'disabled'",
    ], oldest: 8)

  /// From version 8 to 9: the row of `stamp_key` also records its database, and it records its transaction in a way
  /// that survives a rewriting of the table. A regd of version 8 may continue to run, and judges the row as before.
  static let copying = Step(
    statements: [
      // a row that came with a restore must not be taken for the original after the table is rewritten here
      "DELETE FROM stamp_key WHERE NOT (made_by = xmin AND made_in = tableoid)",
      // PostgreSQL generates columns by IMMUTABLE functions only. This function is not immutable, and need not be: the server
      // calls it when a statement writes the key, and at no other time.
      """
      CREATE OR REPLACE FUNCTION transaction_that_writes(key bytea) RETURNS xid LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
        RETURN pg_current_xact_id()::xid;
      END $$
      """,
      // A dump has no generated column, so each restore writes another transaction here than the dumped `made_by`.
      // Unlike xmin, the value survives ALTER TABLE and pg_repack.
      """
      ALTER TABLE stamp_key ADD COLUMN made_for oid,           -- the database
        ADD COLUMN written_by xid GENERATED ALWAYS AS (transaction_that_writes(key)) STORED
      """,
      """
      UPDATE stamp_key SET key = key, made_by = pg_current_xact_id()::xid,
        made_for = (SELECT oid FROM pg_database WHERE datname = current_database())
      """,
    ], oldest: 8)

  /// From version 9 to 10: a claim's `mailed` may also be 2, if the own bound of a known user and origin has admitted
  /// the mail with its code. It is 3 if such a recovery is hidden. The index contains the claims whose mails were not
  /// admitted by the address's bound. Also notes whether an account's owner has proven its address. A regd of version 9
  /// must be upgraded, because it would change an address and leave the note of the proof.
  static let ranks = Step(
    statements: [
      "DROP INDEX claim_unmailed",
      "CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1",
      // 1 if the owner has verified the address, NULL if the row is older than this column
      "ALTER TABLE account ADD COLUMN proven integer",
    ], oldest: 10)

  /// From version 10 to 11: an account that waits for approval names who registered it, and in which language. For
  /// accounts that already wait, the registrant is known only from the audit, and the language is unknown. A regd of
  /// version 10 must be upgraded, because it would keep these values after the approval.
  static let registrants = Step(
    statements: [
      // who registered it (NULL: unknown, or approved and active), and the language of the mails about the approval
      """
      ALTER TABLE account ADD COLUMN registrant_uid bigint, ADD COLUMN registrant_origin bytea,
        ADD COLUMN registrant_language text
      """,
      """
      UPDATE account SET (registrant_uid, registrant_origin) = (
          SELECT uid, origin FROM (
            SELECT account_id, change, at, uid, origin FROM audit
            UNION ALL SELECT account_id, change, at, uid, origin FROM entry_without_number) AS entry
          WHERE account_id = account.id AND change = 'account.waiting' AND uid IS NOT NULL ORDER BY at DESC LIMIT 1)
      WHERE state = 'waiting'
      """,
      """
      CREATE INDEX account_registrant ON account (registrant_uid, registrant_origin)
      WHERE state = 'waiting' AND registrant_uid IS NOT NULL
      """,
    ], oldest: 11)

  /// From version 11 to 12: autovacuum soon removes the dead rows of each table with data about end users. A regd of
  /// version 11 may continue to run.
  ///
  /// The statements take the lock SHARE UPDATE EXCLUSIVE: changes continue, but a VACUUM of the same table that an
  /// operator has started must end first. The server ends an autovacuum that is in the way.
  static let vacuuming = Step(
    statements: addressesInIndexes.map { "ALTER TABLE \($0) SET (\(early), \(indexesToo))" }
      + addressesInRows.map { "ALTER TABLE \($0) SET (\(early))" }, oldest: 11)

  /// Tables whose indexes also contain addresses, keyed hashes of addresses, origins or names of requests.
  private static let addressesInIndexes = [
    "account", "request", "claim", "wrong_code", "mail", "mail_ask", "released", "guess", "invitation_use",
  ]

  /// Tables whose indexes contain only ids, numbers and times.
  private static let addressesInRows = ["audit", "audit_address", "entry_without_number", "delivery", "invitation"]

  /// Autovacuum starts when more rows of a table are dead than the threshold and the scale factor's part of all rows
  /// (PostgreSQL's manual, "The Autovacuum Daemon"). By default, that is 50 rows and a fifth of all: erased addresses
  /// would remain for months in a big table that seldom changes. A thousandth is 1000 rows of a million. It is not a
  /// fixed number, because each vacuum may read all indexes of the table, which have 100 GB if there are a billion
  /// accounts.
  static let early = "autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0.001"

  /// By default, VACUUM leaves the indexes as they are if very few rows are dead (PostgreSQL's manual, "VACUUM",
  /// INDEX_CLEANUP). With a threshold as low as `early`, they would always be few.
  private static let indexesToo = "vacuum_index_cleanup = on"

  /// From version 12 to 13: groups and display names. `account.group_names` contains the groups of an account. The table
  /// `account_group` is the index from a group to its members, which the triggers keep. A regd of version 12 must be upgraded,
  /// because it cannot read the audit's entries about groups.
  static let groups = Step(
    statements: [
      // The names of groups are sorted, and separated by spaces. NULL means no groups.
      "ALTER TABLE account ADD COLUMN group_names text, ADD COLUMN display_name text",
      "ALTER TABLE claim ADD COLUMN display_name text",
      "ALTER TABLE invitation ADD COLUMN group_names text",
      // "+name" was added, "-name" was removed
      "ALTER TABLE audit ADD COLUMN group_change text",
      "ALTER TABLE entry_without_number ADD COLUMN group_change text",
      """
      CREATE TABLE account_group (
        group_name text COLLATE "C" NOT NULL,
        account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        PRIMARY KEY (group_name, account_id)
      ) WITH (\(early))
      """,
      "CREATE INDEX account_group_account ON account_group (account_id)",
      // a restore of the data alone has an empty search_path
      """
      CREATE OR REPLACE FUNCTION note_account_groups() RETURNS trigger LANGUAGE plpgsql
      SET search_path FROM CURRENT AS $$ BEGIN
        DELETE FROM account_group WHERE account_id = NEW.id;
        INSERT INTO account_group SELECT unnest(string_to_array(NEW.group_names, ' ')), NEW.id;
        RETURN NULL;
      END $$
      """,
      """
      CREATE TRIGGER account_has_groups AFTER INSERT ON account FOR EACH ROW
      WHEN (NEW.group_names IS NOT NULL) EXECUTE FUNCTION note_account_groups()
      """,
      """
      CREATE TRIGGER account_changes_groups AFTER UPDATE OF group_names ON account FOR EACH ROW
      WHEN (NEW.group_names IS DISTINCT FROM OLD.group_names) EXECUTE FUNCTION note_account_groups()
      """,
    ], oldest: 13)

  /// From version 13 to 14: the tree of the audit. Each entry gets its leaf and hashes with its number, and the entries that exist
  /// get them right after these statements. The row of `audit_address` also contains the entry's seal, and remains when the
  /// address is erased. A regd of version 13 must be upgraded, because it would number entries without adding them to the tree.
  ///
  /// Filling leaves a dead row for each entry. Autovacuum frees the space of these rows for new entries. Rewriting the tables in the
  /// same transaction would not help, because the server keeps the rows that the transaction itself has replaced.
  static let auditTree = Step(
    statements: [
      // the regd that runs this step writes the key, because the server cannot make random bytes
      "ALTER TABLE installation ADD COLUMN audit_key bytea, ADD COLUMN audit_head_at timestamptz",
      // the leaf counts from 0, without gaps (NULL: another program has added the entry); the hashes are those of the complete
      // subtrees that end with the leaf, the smallest first
      "ALTER TABLE audit ADD COLUMN leaf bigint, ADD COLUMN hashes bytea",
      "CREATE UNIQUE INDEX audit_leaf ON audit (leaf) WHERE leaf IS NOT NULL",
      // The salt is 32 random bytes. Once it is erased with the address and the entry's origin, the commitment is the SHA-256
      // of these three.
      "ALTER TABLE audit_address ALTER COLUMN email DROP NOT NULL, ADD COLUMN salt bytea, ADD COLUMN commitment bytea",
      "ALTER TABLE entry_without_number ADD COLUMN salt bytea",
      // how many leaves the tree has, and the roots of the complete subtrees that it consists of
      """
      ALTER TABLE numbering ADD COLUMN leaves bigint NOT NULL DEFAULT 0, ADD COLUMN peaks bytea NOT NULL DEFAULT ''
      """,
    ], oldest: 14, fillsTree: true)
}
