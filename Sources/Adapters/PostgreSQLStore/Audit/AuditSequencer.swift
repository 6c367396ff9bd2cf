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
/// The column `mark` contains a transaction id, and all older transactions have ended. It only spares the server from
/// reading rows that were numbered before. While a foreign transaction is open, `mark` does not advance, and dead rows
/// pile up after it. When there are `mostBehind` of them, changes leave the numbering to `catchUp`.
struct AuditSequencer: Sendable {
  let locks: Locks
  let publisher: AuditPublisher
  /// This regd's name, for the audit.
  let regd: String

  private static let mostBehind = 10_000

  /// Resets the column `mark` if it is ahead of this cluster's transaction ids. This happens when the database was
  /// restored from the dump of another cluster.
  static let unmarking = Statement(
    "UPDATE numbering SET mark = '0' WHERE mark > pg_snapshot_xmin(pg_current_snapshot())")

  // MARK: In a change

  /// How a change's entries are written.
  enum Way {
    /// The entries wait for a number, because the lock is not free.
    case waiting
    /// This change has the lock, and no other entry waits: the change's entries get the numbers after this one.
    case alone(after: Int)
    /// This change has the lock, and other entries wait: it numbers all of them together with its own.
    case withOthers
  }

  /// A change's place in the order of numbering, and the way in which its entries are written.
  struct Turn {
    let number: Int
    let way: Way

    /// - Parameters:
    ///   - row: The row with the results of `drawing`, from this column on.
    ///   - others: The answer to `looking`.
    init(_ row: Row, from column: Int32, others: Answer?) {
      number = row.integer(column)
      if row.isNull(column + 1) {
        way = .waiting
      } else {
        way = others?.first == nil ? .alone(after: row.integer(column + 1)) : .withOthers
      }
    }
  }

  /// SQL that draws a turn, and takes the lock of `numbering` if it is free. Must follow the locks of accounts and addresses.
  static let drawing = """
    nextval('unnumbered_turn'), (SELECT last FROM numbering WHERE lag < \(mostBehind) FOR NO KEY UPDATE SKIP LOCKED)
    """

  /// Finds out whether entries wait for a number. The column `mark` spares the server from reading most dead rows.
  static let looking = Statement("SELECT 1 FROM entry_without_number WHERE xid >= (SELECT mark FROM numbering) LIMIT 1")

  /// Marks a change as under way, locks addresses, and draws the change's turn. The answers make a `CommitTicket`.
  func entering(_ keys: Set<EmailKey>) -> [Statement] { [locks.entering(keys, Self.drawing), Self.looking] }

  /// The statement that writes the entries. It is sent together with the COMMIT.
  func writing(_ entries: NewEntries, _ turn: Turn) -> Statement {
    let own = ["\(turn.number)", .text(regd)] + entries.parameters
    let rows = entries.rows(from: 3)
    // the parameter after `own`: the last number that was given
    let first = "$\(own.count + 1)"
    switch turn.way {
    case .alone(let last) where !entries.hasEnds:
      return Statement(
        """
        WITH given AS (SELECT \(first)::bigint + place AS number, $1::bigint AS turn, $2::text AS regd, line.* FROM \(rows)),
          addresses AS (INSERT INTO audit_address (number, email)
            SELECT number, email FROM given WHERE email IS NOT NULL),
          counted AS (UPDATE numbering SET last = \(first)::bigint + (SELECT count(*) FROM given))
        INSERT INTO audit (number, \(Self.columns)) SELECT number, \(Self.columns) FROM given RETURNING turn, number
        """, own + ["\(last)"])
    case .alone, .withOthers: return Statement(Self.moving(with: rows), own)
    case .waiting:
      return Statement(
        """
        INSERT INTO entry_without_number (turn, regd, \(NewEntries.columns), place)
        SELECT $1::bigint, $2, line.* FROM \(rows)
        """, own)
    }
  }

  /// The number of the change's first entry, or nil if the entries still wait for numbers.
  ///
  /// - Parameter answers: The answers to the statement of `writing` and to those after it.
  func first(_ turn: Turn, _ answers: some Collection<Answer>) -> Int? {
    switch turn.way {
    case .waiting: return nil
    case .alone, .withOthers:
      return answers.first?.rows.lazy.filter { $0.integer(0) == turn.number }.map { $0.integer(1) }.min()
    }
  }

  private static let columns =
    "at, change, account_id, uid, pid, origin, regd, turn, invitation_id, terms, door, group_change"

  /// SQL that numbers all waiting entries, and a change's own entries with them. The session must have locked `numbering`.
  ///
  /// An entry's address ends with the first end after the entry. The window runs from the latest row to the earliest, so its frame
  /// only grows, and the server looks at each row once. A frame that shrinks would be computed anew for each row.
  ///
  /// - Parameter own: The change's own entries (`NewEntries.rows`, whose parameters begin at $3), or nil for none.
  static func moving(with own: String?) -> String {
    let own = own.map {
      "UNION ALL SELECT $1::bigint, place, \(NewEntries.columns), $2 FROM \($0)"
    }
    return """
      WITH gone AS (DELETE FROM entry_without_number WHERE xid >= (SELECT mark FROM numbering)
          RETURNING turn, place, \(NewEntries.columns), regd),
        line AS (SELECT * FROM gone \(own ?? "")),
        aged AS (SELECT line.*, min(at) FILTER (WHERE change IS NULL) OVER (
            PARTITION BY account_id ORDER BY turn DESC, place DESC ROWS UNBOUNDED PRECEDING) AS ended_at
          FROM line),
        given AS (SELECT aged.*, (SELECT last FROM numbering) + row_number() OVER (ORDER BY turn, place) AS number
          FROM aged WHERE change IS NOT NULL),
        addresses AS (INSERT INTO audit_address (number, email, ended_at)
            SELECT number, email, ended_at FROM given WHERE email IS NOT NULL),
        ends AS (UPDATE audit_address SET ended_at = ending.at
          FROM (SELECT account_id, min(at) AS at FROM line WHERE change IS NULL GROUP BY account_id) AS ending
            JOIN audit ON audit.account_id = ending.account_id
          WHERE audit_address.number = audit.number
            AND (audit_address.ended_at IS NULL OR audit_address.ended_at > ending.at)),
        counted AS (UPDATE numbering SET last = last + (SELECT count(*) FROM given),
          mark = pg_snapshot_xmin(pg_current_snapshot()), lag = (SELECT count(*) FROM gone)
            + CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) > mark THEN 0 ELSE lag END)
      INSERT INTO audit (number, \(columns)) SELECT number, \(columns) FROM given RETURNING turn, number
      """
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
    guard try connection.answer(Self.looking).first != nil else { return }
    do throws(ServerFailure) {
      connection.begin()
      if let limit { connection.runLater(Self.limiting(limit), []) }
      let locking = "SELECT 1 FROM numbering FOR NO KEY UPDATE \(limit == nil ? "SKIP LOCKED" : "")"
      let answers = try connection.run([locks.entering(), Statement(locking)])
      guard answers[0].first != nil else { throw Installation.replaced }
      if answers[1].first != nil {
        _ = try connection.commit(after: [Statement(Self.moving(with: nil))])
      }
      try connection.rollBack()
    } catch {
      if !error.endsSession { try connection.rollBack() }
      // another session has kept the lock for too long, so the numbers are given later
      guard error.sqlState != SQLState.lockNotAvailable else { return }
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
