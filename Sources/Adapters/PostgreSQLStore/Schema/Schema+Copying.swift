extension Schema {
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
}
