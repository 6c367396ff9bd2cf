internal import Registration

/// What one change adds to the audit, in order.
struct NewEntries {
  private struct Line {
    let time: Timestamp
    /// Nil: until here the addresses that the audit has of the account have ended.
    let change: AuditEntry.Change?
    let account: AccountID
    var email: String?
    var by: Requester?
  }

  private var lines: [Line] = []

  var isEmpty: Bool { lines.isEmpty }
  var hasEnds: Bool { lines.contains { $0.change == nil } }

  mutating func note(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) {
    lines.append(
      Line(time: stamp.time, change: change, account: account.id, email: account.email.typed, by: stamp.by))
  }

  mutating func endAddresses(of id: AccountID, at time: Timestamp) {
    lines.append(Line(time: time, change: nil, account: id))
  }

  /// For the observer.
  ///
  /// - Parameter first: The first one's number.
  func entries(from first: Int, _ regd: String) -> [AuditEntry] {
    var number = first - 1
    return lines.compactMap { line in
      guard let change = line.change else { return nil }
      number += 1
      return AuditEntry(
        number: number, change: change, account: line.account, email: line.email,
        stamp: Stamp(line.time, by: line.by), regd: regd)
    }
  }

  /// An account that it tells of: by it and the turn its entries are found.
  var account: AccountID? { lines.first { $0.change != nil }?.account }

  // MARK: As parameters

  private static let types = ["timestamptz", "text", "uuid", "text", "bigint", "integer", "bytea"]

  /// A row for each line, with `at`, `change`, `account_id`, `email`, `uid`, `pid`, `origin` and its `place`.
  ///
  /// - Parameter first: The number of the first parameter.
  func rows(from first: Int) -> String {
    let numbered = Self.types.enumerated().map { "$\(first + $0)::\($1)" }
    // mostly there is one, and the server has less to plan then
    let rows =
      lines.count == 1
      ? "(VALUES (\(numbered.joined(separator: ", ")), 1))"
      : "unnest(\(numbered.map { "\($0)[]" }.joined(separator: ", "))) WITH ORDINALITY"
    return "\(rows) AS line (at, change, account_id, email, uid, pid, origin, place)"
  }

  var parameters: [Statement.Parameter] {
    let origins = lines.map { $0.by?.origin.map { Statement.Parameter.hexadecimal($0.text) } }
    let columns: [[String?]] = [
      lines.map(\.time.rfc3339), lines.map { $0.change?.rawValue }, lines.map(\.account.description),
      lines.map(\.email),
      lines.map { $0.by.map { "\($0.uid)" } }, lines.map { $0.by.map { "\($0.pid)" } }, origins,
    ]
    return columns.map { lines.count == 1 ? .init($0[0]) : .array($0) }
  }
}
