internal import Registration

/// Writes the addresses and salts of the audit's entries. They are erased some time after the address's account was removed or got
/// another one. Their commitment remains.
enum AuditAddressRow {
  static func write(
    _ connection: Connection, _ number: Int, _ email: String?, _ salt: [UInt8]
  ) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO audit_address (number, email, salt) VALUES (?1, ?2, ?3)", ["\(number)", email], blobs: [salt])
  }

  /// Marks the addresses in all entries of the account so far as ended, so that a sweep erases them later.
  static func end(_ connection: Connection, of account: AccountID, _ time: Timestamp) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit_address SET ended_at = ?2
      WHERE ended_at IS NULL AND commitment IS NULL AND number IN (SELECT number FROM audit WHERE account_id = ?1)
      """, [account.description, time.rfc3339])
  }

  /// Erases addresses, each with its salt and with the origin of its entry, which may also be an address.
  ///
  /// - Parameter selection: SQL that selects their numbers.
  /// - Returns: How many addresses it erased.
  static func erase(
    _ connection: Connection, _ selection: String, _ parameters: [String], _ cryptography: any AuditCryptography
  ) throws(SQLiteFailure) -> Int {
    let ended = try connection.query(
      """
      SELECT number, email, (SELECT origin FROM audit WHERE audit.number = audit_address.number), salt FROM audit_address
      WHERE number IN (\(selection))
      """, parameters
    ) { (row) throws(SQLiteFailure) -> (number: String, commitment: [UInt8]?) in
      let (email, origin) = (row.isNull(1) ? nil : row.text(1), row.isNull(2) ? nil : row.text(2))
      return (
        number: row.text(0),
        commitment: row.bytes(3).map { AuditSeal.digest($0, email: email, origin: origin, cryptography) }
      )
    }
    for (number, commitment) in ended {
      try connection.run(
        "UPDATE audit SET origin = NULL WHERE number = CAST(?1 AS INTEGER) AND origin IS NOT NULL", [number])
      try connection.run(
        """
        UPDATE audit_address SET email = NULL, ended_at = NULL, salt = NULL, commitment = ?2
        WHERE number = CAST(?1 AS INTEGER)
        """, [number], blobs: [commitment])
    }
    return ended.count
  }

  /// Erases the origin of an entry whose address is gone.
  static func eraseOrigin(_ connection: Connection, of number: String) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE audit SET origin = NULL WHERE number = CAST(?1 AS INTEGER) AND origin IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM audit_address WHERE number = CAST(?1 AS INTEGER) AND (email IS NOT NULL OR salt IS NOT NULL))
      """, [number])
  }
}
