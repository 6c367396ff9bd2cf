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
      let age = Duration.microseconds(now.microseconds - addressesBefore.microseconds)
      let sweeps = Sweep.all(clocks, addresses: age)
      let ahead = Sweep.ahead(of: clocks)
      // counts the rows first: usually no row has expired, and no commit is needed
      let counts = try rows.connection.run(
        (sweeps + ahead).map { $0.counting(limit) } + [AuditAddressRow.counting(limit, clocks, by: age)]
      ).map { $0.first?.integer(0) ?? 0 }
      for (sweep, count) in zip(sweeps, counts) where count > 0 { rows.changes.add(sweep.removal(limit)) }
      for (sweep, count) in zip(ahead, counts.dropFirst(sweeps.count)) where count > 0 {
        rows.changes.add(sweep.settingBack(limit))
      }
      if counts.last ?? 0 > 0 {
        let found = try rows.connection.answer(AuditAddressRow.looking(limit, clocks, by: age))
        rows.changes.add(AuditAddressRow.erasing(found, rows.numbering.cryptography))
      }
      return counts.contains { $0 >= limit }
    }
  }
}

/// Rows of one table that have expired, or whose time lies in the future. If several regd processes sweep at once, each
/// takes rows that no other process has taken, and does not wait for the others.
struct Sweep {
  let table: String
  let key: String
  /// An SQL condition with `#` for the time. An index covers these rows.
  private let condition: String
  private let now: Clocks
  /// How long the rows are kept.
  private let age: Duration
  private let isAhead: Bool

  private init(
    _ table: String, _ key: String, _ condition: String, _ now: Clocks, age: Duration, isAhead: Bool = false
  ) {
    (self.table, self.key, self.condition, self.now, self.age) = (table, key, condition, now, age)
    self.isAhead = isAhead
  }

  /// Those of all tables but `audit_address`, of whose rows a part remains (`AuditAddressRow`).
  ///
  /// - Parameter addresses: How long addresses are kept after their end.
  static func all(_ now: Clocks, addresses: Duration) -> [Sweep] {
    [
      Sweep("claim", "id", "expires_at <= #", now, age: .zero),
      Sweep("mail", "id", "state <> 'waiting' AND created_at <= #", now, age: MailBounds.span),
      Sweep(
        "mail_ask", "number",
        "at <= # OR number <= (SELECT max(number) FROM mail_ask) - \(MailBounds.counted)", now, age: MailBounds.span),
      Sweep("wrong_code", "number", "at <= #", now, age: CodeBounds.span),
      Sweep("released", "number", "released_at < #", now, age: ReleasedRegistration.lifetime),
      Sweep("invitation", "id", InvitationRow.hasEnded, now, age: addresses),
    ]
  }

  /// Rows with a time after `now`, written by a clock that was ahead.
  static func ahead(of now: Clocks) -> [Sweep] {
    ["wrong_code", "mail_ask"].map { Sweep($0, "number", "at > #", now, age: .zero, isAhead: true) }
  }

  private var time: String { isAhead ? now.later("$1") : now.earlier("$1", by: age) }

  private var rows: String {
    let condition = condition.split(separator: "#", omittingEmptySubsequences: false).joined(separator: time)
    return "SELECT \(key) FROM \(table) WHERE \(condition) LIMIT $2::bigint"
  }

  private var free: String { "\(rows) FOR UPDATE SKIP LOCKED" }

  private func parameters(_ limit: Int) -> [Statement.Parameter] { [.init(now), "\(limit)"] }

  func counting(_ limit: Int) -> Statement {
    Statement("SELECT count(*) FROM (\(rows)) AS old", parameters(limit))
  }

  /// Removes the rows. A claim's waiting mails go with it. An invitation loses only its address and its note.
  ///
  /// A claim's mails are found by its address, to which they go. A plain condition on their state would let the server read
  /// the index of all waiting mails, if no mail was waiting when the server analysed the table.
  func removal(_ limit: Int) -> Statement {
    let removal = "DELETE FROM \(table) WHERE \(key) = ANY (ARRAY(\(free)))"
    let sql =
      switch table {
      case "claim":
        """
        \(removal) RETURNING id, email_key), mails AS (
          DELETE FROM mail WHERE email_key = ANY (ARRAY(SELECT email_key FROM gone))
            AND CASE WHEN state = 'waiting' THEN claim_id = ANY (ARRAY(SELECT id FROM gone)) END
        """
      case "invitation":
        "UPDATE invitation SET email = NULL, email_key = NULL, note = NULL WHERE id = ANY (ARRAY(\(free)))"
      case _: removal
      }
    return table == "claim"
      ? UseRow.releasing(after: sql, parameters(limit)) : Statement(sql, parameters(limit))
  }

  /// Sets times in the future back to now.
  func settingBack(_ limit: Int) -> Statement {
    Statement("UPDATE \(table) SET at = \(time) WHERE \(key) = ANY (ARRAY(\(free)))", parameters(limit))
  }
}
