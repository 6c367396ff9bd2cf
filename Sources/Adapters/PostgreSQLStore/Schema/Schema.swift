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
