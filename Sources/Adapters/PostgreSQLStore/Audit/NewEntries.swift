internal import Registration

/// The entries that one change adds to the audit, in order.
struct NewEntries {
  private struct Line {
    let time: Timestamp
    /// The entry. Nil for a line that only marks the addresses in the account's earlier entries as ended, for later erasure.
    let draft: AuditEntry.Draft?
    /// Nil if the entry has nothing that is erased later.
    let seal: AuditSeal?
    /// The account that the line is about, or nil for an invitation's entry.
    let account: AccountID?
  }

  private var lines: [Line] = []

  var isEmpty: Bool { lines.isEmpty }
  var hasEnds: Bool { lines.contains { $0.draft == nil } }

  mutating func note(_ draft: AuditEntry.Draft) {
    lines.append(Line(time: draft.stamp.time, draft: draft, seal: draft.newSeal(), account: draft.account?.id))
  }

  mutating func endAddresses(of id: AccountID, at time: Timestamp) {
    lines.append(Line(time: time, draft: nil, seal: nil, account: id))
  }

  /// The entries for the observer.
  ///
  /// - Parameter first: The number of the first entry. The others follow it.
  func entries(from first: Int, _ regd: String) -> [AuditEntry] {
    var number = first - 1
    return lines.compactMap { line in
      guard let draft = line.draft else { return nil }
      number += 1
      return draft.entry(number: number, regd: regd, seal: line.seal)
    }
  }

  /// How many lines there are. Their places within the change are the numbers from 1 on.
  var count: Int { lines.count }

  /// Gives the line with this index the next number, unless it is an end of addresses.
  func add(_ index: Int, to tail: inout AuditTail, _ regd: String) -> AuditTail.Place {
    let line = lines[index]
    guard let draft = line.draft else { return .nowhere }
    return tail.add { draft.entry(number: $0, regd: regd, seal: line.seal) }
  }

  /// The account or invitation of the first entry. Together with the change's turn (`AuditSequencer`), it identifies the
  /// change's entries in the database.
  var subject: AccountID? { lines.lazy.compactMap(\.draft).first.flatMap { $0.account?.id ?? $0.invitation } }

  // MARK: As parameters

  private static let types = [
    "timestamptz", "text", "uuid", "text", "bigint", "integer", "bytea", "uuid", "text", "text", "text", "bytea",
  ]
  /// The columns whose types are in `types`, in the same order.
  static let columns = "at, change, account_id, email, uid, pid, origin, invitation_id, terms, door, group_change, salt"
  /// The types and the names of the columns of `AuditTail.Place`.
  private static let typesOfPlaces = ["bigint", "bigint", "bytea"]
  static let columnsOfPlaces = "number, leaf, hashes"

  /// SQL for one row per line, with `columns`, `columnsOfPlaces` if the lines have places in the audit, and the line's `place`.
  ///
  /// - Parameter first: The number of the first SQL parameter, such as 3 for `$3`.
  func rows(from first: Int, numbered isNumbered: Bool) -> String {
    let types = Self.types + (isNumbered ? Self.typesOfPlaces : [])
    let columns = isNumbered ? "\(Self.columns), \(Self.columnsOfPlaces)" : Self.columns
    let numbered = types.enumerated().map { "$\(first + $0)::\($1)" }
    // usually there is only one line, and a simpler statement costs the server less planning
    let rows =
      lines.count == 1
      ? "(VALUES (\(numbered.joined(separator: ", ")), 1))"
      : "unnest(\(numbered.map { "\($0)[]" }.joined(separator: ", "))) WITH ORDINALITY"
    return "\(rows) AS line (\(columns), place)"
  }

  /// - Parameter places: The lines' places in the audit, or nil if they have none yet.
  func parameters(_ places: [AuditTail.Place]?) -> [Statement.Parameter] {
    let (drafts, requesters) = (lines.map(\.draft), lines.map { $0.draft?.stamp.by })
    let columns: [[String?]] = [
      lines.map(\.time.rfc3339), drafts.map { $0?.change.rawValue }, lines.map(\.account?.description),
      drafts.map { $0?.account?.email.typed }, requesters.map { $0.map { "\($0.uid)" } },
      requesters.map { $0.map { "\($0.pid)" } },
      requesters.map { $0?.origin.map { Statement.Parameter.hexadecimal($0.text) } },
      drafts.map { $0?.invitation?.description }, drafts.map { $0?.terms }, requesters.map { $0?.door },
      drafts.map { $0?.groups?.stored }, lines.map { $0.seal?.salt.map(Statement.Parameter.hexadecimal) },
    ]
    let ofPlaces: [[String?]] =
      places.map { places in
        [
          places.map { $0.number.map { "\($0)" } }, places.map { $0.leaf.map { "\($0)" } },
          places.map { $0.hashes.map(Statement.Parameter.hexadecimal) },
        ]
      } ?? []
    return (columns + ofPlaces).map { lines.count == 1 ? .init($0[0]) : .array($0) }
  }
}
