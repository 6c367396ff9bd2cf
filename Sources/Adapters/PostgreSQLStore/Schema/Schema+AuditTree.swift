extension Schema {
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
