extension Schema {
  /// Adds the tree of the audit. Each entry gets its leaf with its number, and the entries that exist get theirs right after these
  /// statements (`AuditTreeRow.fill`). The leaves have a separate table, so that they remain if another program removes an entry.
  /// The row of `audit_address` also contains the entry's seal, and remains when the address is erased. The table is made anew,
  /// because SQLite cannot drop a NOT NULL.
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
