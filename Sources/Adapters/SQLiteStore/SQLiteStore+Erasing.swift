package import Registration

/// Removes rows that have expired, and erases what is left of them in the files.
extension SQLiteStore {
  package func sweep(
    at now: Timestamp, addressesBefore: Timestamp, limit: Int
  ) async throws(StoreFailure) -> Bool {
    // the lister (the connection for lists) looks the claims up, because this takes long if there are many, and the
    // writer must not wait
    let surplus = try await list { (rows) throws(SQLiteFailure) in try ClaimRow.surplus(rows.connection) }
    for start in stride(from: 0, to: surplus.count, by: limit) {
      try await change(.anyClaim, for: .daemon, evenIfLate: false, alone: true) { (rows) throws(SQLiteFailure) in
        for id in surplus[start...].prefix(limit) { try ClaimRow.giveWay(rows.connection, id) }
      }
    }
    let isMore = try await change(ChangeScope(), for: .daemon, evenIfLate: false, alone: true) {
      (rows) throws(SQLiteFailure) in
      // times in the future were written by a clock that was ahead, and count as now
      for table in ["wrong_code", "mail_ask"] {
        try rows.connection.run("UPDATE \(table) SET at = ?1 WHERE at > ?1", [now.rfc3339])
      }
      return try Self.removeOld(rows, at: now, addressesBefore: addressesBefore, limit: limit)
    }
    // erases the files only after the last call of a sweep
    if !isMore { try await erase() }
    return isMore
  }

  private static func removeOld(
    _ rows: SQLiteTransaction, at now: Timestamp, addressesBefore: Timestamp, limit: Int
  ) throws(SQLiteFailure) -> Bool {
    let connection = rows.connection
    var isMore = false
    try MailRow.removeExpired(connection, at: now, limit: limit)
    try ClaimRow.releaseExpired(connection, at: now, limit: limit)
    for (table, key, condition, time) in [
      ("claim", "id", "expires_at <= ?1", now),
      ("mail", "id", "state <> 'waiting' AND created_at <= ?1", now.advanced(by: .zero - MailBounds.span)),
      ("mail_ask", "number", MailAskRow.isOver, now.advanced(by: .zero - MailBounds.span)),
      ("wrong_code", "number", "at <= ?1", now.advanced(by: .zero - CodeBounds.span)),
      ("released", "number", "released_at < ?1", now.advanced(by: .zero - ReleasedRegistration.lifetime)),
    ] {
      try connection.run(
        "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT CAST(?2 AS INTEGER))",
        [time.rfc3339, "\(limit)"])
      isMore = isMore || connection.changes >= limit
    }
    let invitations = try InvitationRow.erase(connection, before: addressesBefore, limit: limit)
    let addresses = try AuditAddressRow.erase(connection, before: addressesBefore, limit: limit, rows.cryptography)
    return isMore || invitations >= limit || addresses >= limit
  }
}
