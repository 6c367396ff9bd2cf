extension Schema {
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
}
