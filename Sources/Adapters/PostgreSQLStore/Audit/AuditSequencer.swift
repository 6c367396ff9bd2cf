internal import Registration

/// Gives the entries of the audit their numbers.
///
/// A session that gives numbers locks the one row of `numbering` until its commit. Numbers therefore become visible in
/// ascending order: a program that has read the entries up to number n has missed none of them. A change takes the lock
/// if it is free, and numbers its own entries in its own commit. Otherwise the change does not wait, but puts its
/// entries into `entry_without_number`. The next change that gets the lock, in any regd, numbers all waiting entries in
/// one commit.
///
/// Entries are numbered in the order of their changes' turns. A turn is a number that a change draws from a sequence
/// after it has locked its accounts and addresses. Therefore, of two changes to one account, the later one has the
/// later turn. Because turns are not transaction ids, their order survives a failover and a restore into another
/// cluster.
///
/// With its number, an entry gets its leaf in the audit's tree. The row of `numbering` contains all that appending needs
/// (`AuditTail`), so all regd processes share one tree. regd computes the hashes, so it reads entries before it numbers them. It
/// reads them in the same round trip as the lock.
///
/// The column `mark` contains a transaction id, and all older transactions have ended. It only spares the server from
/// reading rows that were numbered before. While a foreign transaction is open, `mark` does not advance, and dead rows
/// pile up after it. When there are `mostBehind` of them, or when more than `mostWithChange` entries wait, changes leave the
/// numbering to `catchUp`.
struct AuditSequencer: Sendable {
  let locks: Locks
  let publisher: AuditPublisher
  /// This regd's name, for the audit.
  let regd: String
  let cryptography: any AuditCryptography

  private static let mostBehind = 10_000
  private static let mostWithChange = 64
  /// How many entries `catchUp` numbers in one commit.
  private static let mostAtOnce = 1000

  /// Resets the column `mark` if it is ahead of this cluster's transaction ids. This happens when the database was
  /// restored from the dump of another cluster.
  static let unmarking = Statement(
    "UPDATE numbering SET mark = '0' WHERE mark > pg_snapshot_xmin(pg_current_snapshot())")

  // MARK: In a change

  /// How a change's entries are written.
  enum Way {
    /// The entries wait for a number, because the lock is not free, or because too many other entries wait.
    case waiting
    /// This change has the lock, and numbers its own entries together with the others that wait.
    case sequencer(after: AuditTail, with: WaitingEntries)
  }

  /// A change's place in the order of numbering, and the way in which its entries are written.
  struct Turn {
    let number: Int
    let way: Way

    /// - Parameters:
    ///   - row: The row with the results of `drawing`, from this column on.
    ///   - others: The answer to `looking`.
    init(_ row: Row, from column: Int32, others: Answer?, _ cryptography: any AuditCryptography) {
      number = row.integer(column)
      let waiting = WaitingEntries(others, limit: AuditSequencer.mostWithChange)
      if !waiting.isCut, let tail = row.optional(column + 1).flatMap({ AuditTail($0, cryptography) }) {
        way = .sequencer(after: tail, with: waiting)
      } else {
        way = .waiting
      }
    }
  }

  /// SQL that draws a turn, and takes the lock of `numbering` if it is free. Must follow the locks of accounts and addresses.
  static let drawing = """
    nextval('unnumbered_turn'),
      (SELECT \(AuditTail.columns) FROM numbering WHERE lag < \(mostBehind) FOR NO KEY UPDATE SKIP LOCKED)
    """

  /// Finds the entries that wait for a number, for a change.
  static let looking = waiting(atMost: mostWithChange)

  /// Finds the first entries that wait for a number, for `WaitingEntries`. The column `mark` spares the server from reading most
  /// dead rows, so only the index by transaction serves the order.
  static func waiting(atMost limit: Int) -> Statement {
    let columns = AuditEntry.columns.map { $0 == "number" ? "0" : TimeColumn.list([$0], of: "entry") }
    return Statement(
      """
      SELECT \(columns.joined(separator: ", ")), turn, place, pg_snapshot_xmin(pg_current_snapshot()), salt
      FROM entry_without_number AS entry WHERE xid >= (SELECT mark FROM numbering)
      ORDER BY turn + 0, place LIMIT \(limit)
      """)
  }

  /// Marks a change as under way, locks addresses, and draws the change's turn. The answers make a `CommitTicket`.
  func entering(_ keys: Set<EmailKey>) -> [Statement] { [locks.entering(keys, Self.drawing), Self.looking] }

  /// The statement that writes the entries. It is sent together with the COMMIT.
  func writing(_ entries: NewEntries, _ turn: Turn) -> Statement {
    let own: [Statement.Parameter] = ["\(turn.number)", .text(regd)]
    switch turn.way {
    case .sequencer(let tail, let others):
      guard others.lines.isEmpty, !entries.hasEnds else {
        return moving(others, after: tail, with: (entries, turn.number))
      }
      var tail = tail
      let places = (0..<entries.count).map { entries.add($0, to: &tail, regd) }
      let parameters = own + entries.parameters(places)
      let first = parameters.count + 1
      return Statement(
        """
        WITH given AS (SELECT $1::bigint AS turn, $2::text AS regd, line.* FROM \(entries.rows(from: 3, numbered: true))),
          addresses AS (INSERT INTO audit_address (number, email, salt)
            SELECT number, email, salt FROM given WHERE salt IS NOT NULL),
          counted AS (UPDATE numbering SET \(Self.counting(first)))
        INSERT INTO audit (number, \(Self.columns)) SELECT number, \(Self.columns) FROM given RETURNING turn, number
        """, parameters + Self.counts(tail))
    case .waiting:
      return Statement(
        """
        INSERT INTO entry_without_number (turn, regd, \(NewEntries.columns), place)
        SELECT $1::bigint, $2, line.* FROM \(entries.rows(from: 3, numbered: false))
        """, own + entries.parameters(nil))
    }
  }

  /// SQL that writes an `AuditTail` into the row of `numbering`.
  ///
  /// - Parameter first: The number of the first of three SQL parameters.
  private static func counting(_ first: Int) -> String {
    "last = $\(first)::bigint, leaves = $\(first + 1)::bigint, peaks = $\(first + 2)::bytea"
  }

  private static func counts(_ tail: AuditTail) -> [Statement.Parameter] {
    ["\(tail.last)", "\(tail.tree.size)", .bytes(tail.tree.stored)]
  }

  /// The number of the change's first entry, or nil if the entries still wait for numbers.
  ///
  /// - Parameter answers: The answers to the statement of `writing` and to those after it.
  func first(_ turn: Turn, _ answers: some Collection<Answer>) -> Int? {
    switch turn.way {
    case .waiting: return nil
    case .sequencer:
      return answers.first?.rows.lazy.filter { $0.integer(0) == turn.number }.map { $0.integer(1) }.min()
    }
  }

  private static let columns =
    "at, change, account_id, uid, pid, origin, regd, turn, invitation_id, terms, door, group_change, leaf, hashes"

  /// Numbers waiting entries, and a change's own entries with them. The session must have locked `numbering` before it read the
  /// waiting entries.
  ///
  /// An entry's address ends with the first end after the entry. The window runs from the latest row to the earliest, so its frame
  /// only grows, and the server looks at each row once. A frame that shrinks would be computed anew for each row.
  ///
  /// Fails if a waiting entry is gone, because another program has removed it: its leaf would be missing in the tree.
  ///
  /// - Parameter own: The change's own entries and its turn, or nil for none.
  func moving(
    _ waiting: WaitingEntries, after tail: AuditTail, with own: (entries: NewEntries, turn: Int)? = nil
  ) -> Statement {
    var tail = tail
    let places = places(waiting, own, &tail)
    var parameters: [Statement.Parameter] = []
    if let own { parameters = ["\(own.turn)", .text(regd)] + own.entries.parameters(places.own) }
    let first = parameters.count + 1
    parameters += Self.arrays(waiting, places.waiting) + Self.counts(tail) + [.init(waiting.mark)]
    let returned = "\(NewEntries.columns), regd".split(separator: ", ").map { "entry.\($0)" }.joined(separator: ", ")
    let others = """
      SELECT entry.turn, entry.place, \(returned), \(NewEntries.columnsOfPlaces) FROM gone AS entry
      """
    let line =
      own.map {
        """
        \(others) UNION ALL SELECT $1::bigint, place, \(NewEntries.columns), $2, \(NewEntries.columnsOfPlaces)
          FROM \($0.entries.rows(from: 3, numbered: true))
        """
      } ?? others
    return Statement(
      """
      WITH named AS (SELECT * FROM unnest($\(first)::bigint[], $\(first + 1)::bigint[], $\(first + 2)::bigint[],
            $\(first + 3)::bigint[], $\(first + 4)::bytea[]) AS named (turn, place, \(NewEntries.columnsOfPlaces))),
        gone AS (DELETE FROM entry_without_number AS entry USING named
            WHERE xid >= (SELECT mark FROM numbering) AND entry.turn = named.turn AND entry.place = named.place
            RETURNING entry.turn, entry.place, \(returned), \(NewEntries.columnsOfPlaces)),
        line AS (\(line)),
        \(Self.given),
        counted AS (UPDATE numbering SET \(Self.counting(first + 5)),
          mark = coalesce($\(first + 8)::xid8, mark),
          lag = CASE WHEN (SELECT count(*) FROM gone) = cardinality($\(first)::bigint[])
            THEN cardinality($\(first)::bigint[]) + CASE WHEN $\(first + 8)::xid8 > mark THEN 0 ELSE lag END END)
      INSERT INTO audit (number, \(Self.columns)) SELECT number, \(Self.columns) FROM given RETURNING turn, number
      """, parameters)
  }

  /// SQL for the entries of `line` with the ends of their addresses, and for what is written about addresses.
  private static let given = """
    aged AS (SELECT line.*, min(at) FILTER (WHERE change IS NULL) OVER (
            PARTITION BY account_id ORDER BY turn DESC, place DESC ROWS UNBOUNDED PRECEDING) AS ended_at
          FROM line),
        given AS (SELECT * FROM aged WHERE change IS NOT NULL),
        addresses AS (INSERT INTO audit_address (number, email, salt, ended_at)
            SELECT number, email, salt, ended_at FROM given WHERE email IS NOT NULL OR salt IS NOT NULL),
        ends AS (UPDATE audit_address SET ended_at = ending.at
          FROM (SELECT account_id, min(at) AS at FROM line WHERE change IS NULL GROUP BY account_id) AS ending
            JOIN audit ON audit.account_id = ending.account_id
          WHERE audit_address.number = audit.number AND commitment IS NULL
            AND (audit_address.ended_at IS NULL OR audit_address.ended_at > ending.at))
    """

  private static func arrays(_ waiting: WaitingEntries, _ places: [AuditTail.Place]) -> [Statement.Parameter] {
    [
      .array(waiting.lines.map { "\($0.turn)" }), .array(waiting.lines.map { "\($0.place)" }),
      .array(places.map { $0.number.map { "\($0)" } }), .array(places.map { $0.leaf.map { "\($0)" } }),
      .array(places.map { $0.hashes.map(Statement.Parameter.hexadecimal) }),
    ]
  }

  /// Gives numbers and leaves in the order of the turns.
  private func places(
    _ waiting: WaitingEntries, _ own: (entries: NewEntries, turn: Int)?, _ tail: inout AuditTail
  ) -> (waiting: [AuditTail.Place], own: [AuditTail.Place]) {
    let count = own?.entries.count ?? 0
    var places = (
      waiting: [AuditTail.Place](repeating: .nowhere, count: waiting.lines.count),
      own: [AuditTail.Place](repeating: .nowhere, count: count)
    )
    let lines = waiting.lines.enumerated().map { (turn: $1.turn, place: $1.place, index: $0, isOwn: false) }
    let ownLines = (0..<count).map { (turn: own?.turn ?? 0, place: $0 + 1, index: $0, isOwn: true) }
    for line in (lines + ownLines).sorted(by: { ($0.turn, $0.place) < ($1.turn, $1.place) }) {
      if line.isOwn {
        places.own[line.index] = own?.entries.add(line.index, to: &tail, regd) ?? .nowhere
      } else if !waiting.lines[line.index].isEnd {
        let entry = waiting.lines[line.index].entry
        places.waiting[line.index] = tail.add { entry?.numbered($0) }
      }
    }
    return places
  }

  // MARK: Outside changes

  /// How long a list waits for another session that is giving numbers. Short, because all lists share one session, and
  /// entries without a number yet are in the next list.
  static func patience(_ connection: Connection) -> Duration { connection.limit / 10 }

  private static func limiting(_ limit: Duration) -> String {
    "SET LOCAL lock_timeout = '\(max(1, Int(limit / .milliseconds(1))))ms'"
  }

  /// Numbers all entries whose changes are committed.
  ///
  /// - Parameter limit: How long to wait if another session is giving numbers. After that, the numbers come later. Nil does not
  ///   wait.
  func catchUp(_ connection: Connection, waitingAtMost limit: Duration?) throws(ServerFailure) {
    guard try connection.answer(Self.isAnyWaiting).first != nil else { return }
    while try giveNumbers(connection, waitingAtMost: limit) {}
  }

  /// Finds out whether entries wait for a number.
  private static let isAnyWaiting = Statement(
    "SELECT 1 FROM entry_without_number WHERE xid >= (SELECT mark FROM numbering) LIMIT 1")

  /// - Returns: Whether more entries may wait.
  private func giveNumbers(_ connection: Connection, waitingAtMost limit: Duration?) throws(ServerFailure) -> Bool {
    do throws(ServerFailure) {
      connection.begin()
      if let limit { connection.runLater(Self.limiting(limit), []) }
      let skipping = limit == nil ? "SKIP LOCKED" : ""
      let locking = Statement("SELECT \(AuditTail.columns) FROM numbering FOR NO KEY UPDATE \(skipping)")
      let answers = try connection.run([locks.entering(), locking, Self.waiting(atMost: Self.mostAtOnce)])
      guard answers[0].first != nil else { throw Installation.replaced }
      let waiting = WaitingEntries(answers[2], limit: Self.mostAtOnce)
      let tail = answers[1].first.flatMap { AuditTail($0.text(0), cryptography) }
      if let tail, !waiting.lines.isEmpty {
        _ = try connection.commit(after: [moving(waiting, after: tail)])
      }
      try connection.rollBack()
      return tail != nil && waiting.isCut
    } catch {
      if !error.endsSession { try connection.rollBack() }
      // another session has kept the lock for too long, so the numbers are given later
      guard error.sqlState != SQLState.lockNotAvailable else { return false }
      // no caller depends on this commit: if it failed, the next session that looks for waiting entries numbers them
      var failure = error
      failure.isOfCommit = false
      throw failure
    }
  }

  /// Passes to the observer the entries of this regd that now have a number.
  ///
  /// - Parameter isPatient: Whether to wait if another session is giving numbers, for about as long as a commit takes.
  func tell(_ connection: Connection, isPatient: Bool) throws(ServerFailure) {
    guard publisher.isOwing else { return }
    try catchUp(connection, waitingAtMost: isPatient ? min(Connection.step, Self.patience(connection)) : nil)
    // read before `publisher.owed`, so that `owed` includes every change whose entries have numbers up to `last`: a
    // change is noted as owed before its COMMIT is sent
    let last = try connection.run("SELECT last FROM numbering").first?.integer(0) ?? 0
    let owed = publisher.owed
    let rows = try connection.run(
      """
      SELECT owed.turn, min(audit.number) FROM \(Self.found)
      WHERE audit.turn = owed.turn AND audit.number <= $4::bigint GROUP BY owed.turn
      """, Self.parameters(owed, after: min(connection.told, last)) + ["\(last)"])
    publisher.publish(rows.map { ($0.integer(0), first: $0.integer(1)) })
    connection.told = last
  }

  /// SQL for changes whose entries are owed to the observer (`AuditPublisher`). Joins each change to the numbered entries of
  /// the same account or invitation. Only the index by account, or by invitation, serves these conditions: with another one, the
  /// server would read all entries for each change.
  private static let found = """
    unnest($1::uuid[], $2::bigint[]) AS owed (subject, turn) CROSS JOIN LATERAL (
      SELECT number, turn FROM audit
        WHERE (account_id, number) > (subject, $3::bigint) AND (account_id, number) <= (subject, \(Int.max)) UNION ALL
      SELECT number, turn FROM audit WHERE invitation_id = subject AND number + 0 > $3::bigint) AS audit
    """

  /// The parameters of `found`.
  ///
  /// - Parameter number: Only entries with higher numbers are looked at.
  private static func parameters(_ owed: [AuditPublisher.Owed], after number: Int = 0) -> [Statement.Parameter] {
    [.array(owed.map(\.subject.description)), .array(owed.map { "\($0.turn)" }), "\(number)"]
  }

  /// The turns of the changes in `owed` that were committed: their entries are in the database, with or without numbers.
  func present(_ connection: Connection, _ owed: [AuditPublisher.Owed]) throws(ServerFailure) -> Set<Int> {
    let rows = try connection.run(
      """
      SELECT turn FROM entry_without_number WHERE turn = ANY ($2::bigint[]) UNION
      SELECT owed.turn FROM \(Self.found) WHERE audit.turn = owed.turn
      """, Self.parameters(owed))
    return Set(rows.map { $0.integer(0) })
  }
}
