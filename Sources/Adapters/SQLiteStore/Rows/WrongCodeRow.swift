internal import Registration

/// Counts wrong codes, by the address at which they were tried.
enum WrongCodeRow {
  static func count(
    _ connection: Connection, at address: GuessedAddress, limit: Int, _ now: Timestamp
  ) throws(SQLiteFailure) -> WrongCodes {
    let (since, sinceOfAll) = (
      now.advanced(by: .zero - CodeBounds.span), now.advanced(by: .zero - CodeBounds.spanOfAll)
    )
    return try connection.query(counting, ["\(address.number)", since.rfc3339, "\(limit)", sinceOfAll.rfc3339]) {
      (row) throws(SQLiteFailure) in WrongCodes(atAddress: row.integer(0), overAll: row.integer(1))
    }.first ?? WrongCodes(atAddress: 0, overAll: 0)
  }

  /// Counts wrong codes at one address and at all addresses. Reads no more rows than the bounds need.
  static let counting = """
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM wrong_code WHERE address = ?1 AND at > ?2 LIMIT CAST(?3 AS INTEGER))),
      (SELECT count(*) FROM (SELECT 1 FROM wrong_code WHERE at > ?4 LIMIT \(CodeBounds.all)))
    """

  static func note(
    _ connection: Connection, at address: GuessedAddress, _ now: Timestamp
  ) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO wrong_code (address, at) VALUES (?1, ?2)", ["\(address.number)", now.rfc3339])
    try connection.run(forgetting)
  }

  static let forgetting =
    "DELETE FROM wrong_code WHERE number <= (SELECT max(number) FROM wrong_code) - \(CodeBounds.kept)"
}
