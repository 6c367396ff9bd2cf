package import Registration

extension PostgreSQLStore {
  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await change(Concern(), for: .daemon) { (connection, changes) throws(ServerFailure) in
      let sweeps = Sweep.all(at: now, addressesBefore: addressesBefore)
      // what there is to be removed is looked for before the lock: mostly there is nothing, and then there is no commit
      let counts = try connection.run(sweeps.map { $0.counting(limit) }).map { $0.first?.integer(0) ?? 0 }
      if counts[0] > 0 { changes.add(MailRow.removingExpired(at: now, limit)) }
      for (sweep, count) in zip(sweeps, counts) where count > 0 { changes.add(sweep.removal(limit)) }
      return counts.contains { $0 >= limit }
    }
  }
}

/// Rows of one table that have had their time. Of several regd that remove them at once each finds what the other has left.
struct Sweep {
  let table: String
  let key: String
  /// An index has these rows.
  let condition: String
  let time: Timestamp

  static func all(at now: Timestamp, addressesBefore: Timestamp) -> [Sweep] {
    let mailsBefore = now.advanced(by: .zero - MailBounds.span)
    let codesBefore = now.advanced(by: .zero - CodeGuess.span)
    return [
      Sweep(table: "claim", key: "id", condition: "expires_at <= $1", time: now),
      Sweep(table: "mail", key: "id", condition: "state <> 'waiting' AND created_at <= $1", time: mailsBefore),
      Sweep(
        table: "mail_ask", key: "number",
        condition: "at <= $1 OR number <= (SELECT max(number) FROM mail_ask) - \(MailBounds.counted)", time: mailsBefore
      ),
      Sweep(table: "wrong_code", key: "number", condition: "at <= $1", time: codesBefore),
      Sweep(table: "audit_address", key: "number", condition: "ended_at < $1", time: addressesBefore),
    ]
  }

  private var rows: String { "SELECT \(key) FROM \(table) WHERE \(condition) LIMIT $2::bigint" }

  func counting(_ limit: Int) -> Statement {
    Statement("SELECT count(*) FROM (\(rows)) AS old", [.init(time), "\(limit)"])
  }

  func removal(_ limit: Int) -> Statement {
    Statement("DELETE FROM \(table) WHERE \(key) IN (\(rows))", [.init(time), "\(limit)"])
  }
}
