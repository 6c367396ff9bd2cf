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
      for record in SweptRecord.setBack {
        try rows.connection.run("UPDATE \(record.rawValue) SET at = ?1 WHERE at > ?1", [now.rfc3339])
      }
      var isMore = false
      for record in SweptRecord.allCases {
        let end = record.end(at: now, addressesBefore: addressesBefore)
        isMore = try record.remove(rows, [end.rfc3339, "\(limit)"]) >= limit || isMore
      }
      return isMore
    }
    // erases the files only after the last call of a sweep
    if !isMore { try await erase() }
    return isMore
  }
}

extension SweptRecord {
  /// SQL that selects the keys of at most ?2 records for which ?1 is the end.
  private var selection: String {
    guard let condition = isOver(by: "?1") else { return InvitationRow.ended }
    return "SELECT \(key) FROM \(rawValue) WHERE \(condition) \(order) LIMIT CAST(?2 AS INTEGER)"
  }

  /// The order of `selection`, if several statements use it. With the order, each of them selects the same records.
  /// Otherwise, the selection would depend on SQLite's plan for each statement.
  private var order: String {
    switch self {
    case .claim: "ORDER BY expires_at, id"
    case .auditAddress: "ORDER BY ended_at, number"
    case .mail, .mailAsk, .wrongCode, .released, .invitation: ""
    }
  }

  /// Removes these records.
  ///
  /// - Parameter parameters: Those of `selection`.
  /// - Returns: How many it removed.
  fileprivate func remove(_ rows: SQLiteTransaction, _ parameters: [String]) throws(SQLiteFailure) -> Int {
    guard let removal else {
      return try AuditAddressRow.erase(rows.connection, selection, parameters, rows.cryptography)
    }
    for sql in removal { try rows.connection.run(sql, parameters) }
    return rows.connection.changes
  }

  /// The statements that remove these records. The last one changes one row for each record. Nil for the addresses of
  /// audit entries, whose commitments regd computes.
  private var removal: [String]? {
    let removal = "DELETE FROM \(rawValue) WHERE \(key) IN (\(selection))"
    return switch self {
    case .claim:
      [
        "DELETE FROM mail WHERE state = 'waiting' AND claim_id IN (\(selection))",
        InvitationUseRow.releasing(selection), removal,
      ]
    case .auditAddress: nil
    case .invitation: ["UPDATE invitation SET email = NULL, email_key = NULL, note = NULL WHERE id IN (\(selection))"]
    case .mail, .mailAsk, .wrongCode, .released: [removal]
    }
  }
}
