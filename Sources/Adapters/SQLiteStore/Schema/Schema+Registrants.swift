extension Schema {
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
}
