internal import Registration

/// The entries that one change adds to the audit, in order.
struct NewEntries {
  private struct Line {
    let time: Timestamp
    /// The entry. Nil for a line that only marks the addresses in the account's earlier entries as ended, for later erasure.
    let draft: AuditEntry.Draft?
    /// The account that the line is about, or nil for an invitation's entry.
    let account: AccountID?
  }

  private var lines: [Line] = []

  var isEmpty: Bool { lines.isEmpty }
  var hasEnds: Bool { lines.contains { $0.draft == nil } }

  mutating func note(_ draft: AuditEntry.Draft) {
    lines.append(Line(time: draft.stamp.time, draft: draft, account: draft.account?.id))
  }

  mutating func endAddresses(of id: AccountID, at time: Timestamp) {
    lines.append(Line(time: time, draft: nil, account: id))
  }

  /// The entries for the observer.
  ///
  /// - Parameter first: The number of the first entry. The others follow it.
  func entries(from first: Int, _ regd: String) -> [AuditEntry] {
    var number = first - 1
    return lines.compactMap { line in
      guard let draft = line.draft else { return nil }
      number += 1
      return draft.entry(number: number, regd: regd)
    }
  }

  /// The account or invitation of the first entry. Together with the change's turn (`AuditSequencer`), it identifies the
  /// change's entries in the database.
  var subject: AccountID? { lines.lazy.compactMap(\.draft).first.flatMap { $0.account?.id ?? $0.invitation } }

  // MARK: As parameters

  private static let types = [
    "timestamptz", "text", "uuid", "text", "bigint", "integer", "bytea", "uuid", "text", "text", "text",
  ]
  /// The columns whose types are in `types`, in the same order.
  static let columns = "at, change, account_id, email, uid, pid, origin, invitation_id, terms, door, group_change"

  /// SQL for one row per line, with `columns` and the line's `place`.
  ///
  /// - Parameter first: The number of the first SQL parameter, such as 3 for `$3`.
  func rows(from first: Int) -> String {
    let numbered = Self.types.enumerated().map { "$\(first + $0)::\($1)" }
    // usually there is only one line, and a simpler statement costs the server less planning
    let rows =
      lines.count == 1
      ? "(VALUES (\(numbered.joined(separator: ", ")), 1))"
      : "unnest(\(numbered.map { "\($0)[]" }.joined(separator: ", "))) WITH ORDINALITY"
    return "\(rows) AS line (\(Self.columns), place)"
  }

  var parameters: [Statement.Parameter] {
    let (drafts, requesters) = (lines.map(\.draft), lines.map { $0.draft?.stamp.by })
    let columns: [[String?]] = [
      lines.map(\.time.rfc3339), drafts.map { $0?.change.rawValue }, lines.map(\.account?.description),
      drafts.map { $0?.account?.email.typed }, requesters.map { $0.map { "\($0.uid)" } },
      requesters.map { $0.map { "\($0.pid)" } },
      requesters.map { $0?.origin.map { Statement.Parameter.hexadecimal($0.text) } },
      drafts.map { $0?.invitation?.description }, drafts.map { $0?.terms }, requesters.map { $0?.door },
      drafts.map { $0?.groups?.stored },
    ]
    return columns.map { lines.count == 1 ? .init($0[0]) : .array($0) }
  }
}
