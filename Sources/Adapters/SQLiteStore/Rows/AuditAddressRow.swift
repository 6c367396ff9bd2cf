internal import Registration

/// Writes the addresses of the audit's entries. Each address is erased some time after its account was removed or got
/// another one.
enum AuditAddressRow {
  static func write(_ connection: Connection, _ number: Int, _ email: EmailAddress) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO audit_address (number, email) VALUES (?1, ?2)", ["\(number)", email.typed])
  }

  /// Marks the addresses in all entries of the account so far as ended, so that a sweep erases them later.
  static func end(_ connection: Connection, of account: AccountID, _ time: Timestamp) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit_address SET ended_at = ?2
      WHERE ended_at IS NULL AND number IN (SELECT number FROM audit WHERE account_id = ?1)
      """, [account.description, time.rfc3339])
  }

  /// Erases the origin of an entry whose address is gone.
  static func eraseOrigin(_ connection: Connection, of number: String) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit SET origin = NULL WHERE number = CAST(?1 AS INTEGER) AND origin IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM audit_address WHERE number = CAST(?1 AS INTEGER))
      """, [number])
  }
}
