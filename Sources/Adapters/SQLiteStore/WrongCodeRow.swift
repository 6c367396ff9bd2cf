internal import Registration

/// Wrong codes that were tried at an address.
enum WrongCodeRow {
  /// When the share may guess again, if it may not now; nil if it may.
  static func limit(
    _ connection: Connection, _ guess: CodeGuess, _ key: EmailKey, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) -> Timestamp? {
    let since = now.advanced(by: .zero - CodeGuess.span).rfc3339
    let found = try connection.query(
      """
      SELECT count(*), count(*) FILTER (WHERE uid IS CAST(?3 AS INTEGER) AND origin IS ?4),
        min(at) FILTER (WHERE uid IS CAST(?3 AS INTEGER) AND origin IS ?4)
      FROM wrong_code WHERE email_key = ?1 AND at > ?2
      """, [key.value, since, share.uid.map { "\($0)" }, share.origin?.text]
    ) { (row) throws(SQLiteFailure) in (all: row.integer(0), own: row.integer(1), first: row.text(2)) }.first
    guard let found, guess.isRefused(all: found.all, own: found.own) else { return nil }
    return (Timestamp(rfc3339: found.first) ?? now).advanced(by: CodeGuess.span)
  }

  static func note(
    _ connection: Connection, _ key: EmailKey, _ share: Share, at now: Timestamp
  ) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO wrong_code (email_key, uid, origin, at) VALUES (?1, ?2, ?3, ?4)",
      [key.value, share.uid.map { "\($0)" }, share.origin?.text, now.rfc3339])
  }
}
