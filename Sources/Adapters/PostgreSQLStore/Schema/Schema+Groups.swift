extension Schema {
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
}
