package import Registration

extension PostgreSQLStore {
  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    let surplus = try await list { (rows) throws(ServerFailure) in try ClaimRow.surplus(rows.connection) }
    for start in stride(from: 0, to: surplus.count, by: limit) {
      try await change(.anyClaim, for: .daemon, evenIfLate: false) { (rows) throws(ServerFailure) in
        rows.changes.add(ClaimRow.givingWay(surplus[start...].prefix(limit)))
      }
    }
    // first gives all entries numbers, because the sweep erases only the addresses of numbered entries
    try await list { (rows) throws(ServerFailure) in try rows.giveNumbers() }
    return try await change(ChangeScope(), for: .daemon, evenIfLate: false) { (rows) throws(ServerFailure) in
      let clocks = rows.clocks(now)
      let sweeps = Sweep.all(clocks, addresses: .microseconds(now.microseconds - addressesBefore.microseconds))
      let ahead = Sweep.ahead(of: clocks)
      // counts the rows first: usually no row has expired, and no commit is needed
      let counts = try rows.connection.run(
        (sweeps + ahead).map { $0.counting(limit) }
      ).map { $0.first?.integer(0) ?? 0 }
      for (sweep, count) in zip(sweeps, counts) where count > 0 {
        if let removal = sweep.removal(limit) {
          rows.changes.add(removal)
        } else {
          let found = try rows.connection.answer(sweep.looking(limit))
          rows.changes.add(AuditAddressRow.erasing(found, rows.sequencer.cryptography))
        }
      }
      for (sweep, count) in zip(ahead, counts.dropFirst(sweeps.count)) where count > 0 {
        rows.changes.add(sweep.settingBack(limit))
      }
      return counts.contains { $0 >= limit }
    }
  }
}

/// Records that a sweep removes, or whose time lies in the future. If several regd processes sweep at once, each takes
/// rows that no other process has taken, and does not wait for the others.
struct Sweep {
  private let record: SweptRecord
  private let now: Clocks
  /// An SQL condition, with `$1` for regd's time. An index covers these rows.
  private let condition: String

  /// - Parameter addresses: How long addresses are kept after their end.
  static func all(_ now: Clocks, addresses: Duration) -> [Sweep] {
    SweptRecord.allCases.map { record in
      let end = now.earlier("$1", by: record.span ?? addresses)
      return Sweep(
        record: record, now: now, condition: record.isOver(by: end) ?? InvitationRow.isOver(by: end))
    }
  }

  /// Rows with a time after `now`, written by a clock that was ahead.
  static func ahead(of now: Clocks) -> [Sweep] {
    SweptRecord.setBack.map { Sweep(record: $0, now: now, condition: "at > \(now.later("$1"))") }
  }

  private var rows: String {
    "SELECT \(record.key) FROM \(record.rawValue) WHERE \(condition) LIMIT $2::bigint"
  }

  private var free: String { "\(rows) FOR UPDATE SKIP LOCKED" }

  private func parameters(_ limit: Int) -> [Statement.Parameter] { [.init(now), "\(limit)"] }

  func counting(_ limit: Int) -> Statement {
    Statement("SELECT count(*) FROM (\(rows)) AS old", parameters(limit))
  }

  /// Removes the records. A claim's mails are found by its address, to which they go. A plain condition on their state
  /// would let the server read the index of all waiting mails, if no mail was waiting when the server analysed the
  /// table. Nil for the addresses of audit entries, whose commitments regd computes from what `looking` finds.
  func removal(_ limit: Int) -> Statement? {
    let removal = "DELETE FROM \(record.rawValue) WHERE \(record.key) = ANY (ARRAY(\(free)))"
    let parameters = parameters(limit)
    return switch record {
    case .claim:
      UseRow.releasing(
        after: """
          \(removal) RETURNING id, email_key), mails AS (
            DELETE FROM mail WHERE email_key = ANY (ARRAY(SELECT email_key FROM gone))
              AND CASE WHEN state = 'waiting' THEN claim_id = ANY (ARRAY(SELECT id FROM gone)) END
          """, parameters)
    case .auditAddress: nil
    case .invitation:
      Statement(
        "UPDATE invitation SET email = NULL, email_key = NULL, note = NULL WHERE id = ANY (ARRAY(\(free)))", parameters)
    case .mail, .mailAsk, .wrongCode, .released: Statement(removal, parameters)
    }
  }

  /// Reads addresses of audit entries, and locks them.
  func looking(_ limit: Int) -> Statement { Statement(AuditAddressRow.looking(condition), parameters(limit)) }

  /// Sets times in the future back to now.
  func settingBack(_ limit: Int) -> Statement {
    Statement(
      "UPDATE \(record.rawValue) SET at = \(now.later("$1")) WHERE \(record.key) = ANY (ARRAY(\(free)))",
      parameters(limit))
  }
}
