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
}
