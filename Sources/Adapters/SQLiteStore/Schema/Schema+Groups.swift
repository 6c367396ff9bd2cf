extension Schema {
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
}
