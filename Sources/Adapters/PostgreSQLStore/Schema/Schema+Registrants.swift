extension Schema {
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
}
