internal import Registration
internal import Synchronization

/// What this regd has seen of the database's history, to notice a database that has gone back to an earlier state. Kept in memory
/// only, so a regd that starts accepts the database that it finds.
///
/// Two marks show the history. A *timeline* that is lower than an earlier one of the same cluster is a branch that a promotion has
/// ended. And numbers of audit entries are given once, in the order of commits, so a database that has not given the number of
/// the latest known entry, or has given it to another entry, lacks a change that was acknowledged. Entries that are only
/// missing from the table do not count, and neither do entries of other programs, with numbers that were not given yet.
final class KnownPast: Sendable {
  /// An audit entry, as far as two databases that have both given its number certainly differ in it.
  fileprivate struct Entry {
    let number: Int
    let time: String
    let account: String?
  }

  fileprivate struct Known {
    /// The server's identifier of the cluster, whose timelines can be compared. A `pg_upgrade` makes another cluster.
    var cluster: String
    /// 0 if the server has not shown it.
    var timeline: Int
    var entry: Entry?
  }

  private struct State {
    var known: Known?
    var setback: StoreSetback?
    /// How often an operator has accepted a database. A comparison with what was known before proves nothing.
    var accepted = 0

    mutating func note(_ found: Known) {
      let before = known
      known = found
      guard let before else { return }
      if before.cluster == found.cluster { known?.timeline = max(before.timeline, found.timeline) }
      if let entry = before.entry { note(entry) }
    }

    /// A no-op before the first session, and for an entry that is not later than the known one.
    mutating func note(_ entry: Entry) {
      guard let known, known.entry.map({ $0.number < entry.number }) ?? true else { return }
      self.known?.entry = entry
    }
  }

  /// The question whether the database has gone back, about what is known when it is asked.
  struct Comparison {
    fileprivate let known: Known?
    fileprivate let accepted: Int

    var statement: Statement {
      let entry = known?.entry
      return Statement(
        """
        SELECT (SELECT system_identifier FROM pg_control_system()),
          CASE WHEN NOT pg_is_in_recovery() THEN \(KnownPast.timeline) END, last, newest.number, newest.at, newest.account_id,
          EXISTS (SELECT FROM audit
            WHERE number = $1::bigint AND (at, account_id) IS DISTINCT FROM ($2::timestamptz, $3::uuid))
        FROM numbering LEFT JOIN LATERAL (
          SELECT number, at, account_id FROM audit WHERE number <= last ORDER BY number DESC LIMIT 1) AS newest ON TRUE
        """, [.init(entry.map { String($0.number) }), .init(entry?.time), .init(entry?.account)])
    }
  }

  /// SQL for the timeline, which is the first part of the name of each file of the server's log.
  private static let timeline = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint"

  private let state = Mutex(State())

  /// How the database that was offered last differs from what is known. Nil if it has not gone back.
  var setback: StoreSetback? { state.withLock(\.setback) }

  var comparison: Comparison { state.withLock { Comparison(known: $0.known, accepted: $0.accepted) } }

  /// Compares the database with what is known, and notes its latest entry and its timeline.
  ///
  /// - Parameter answer: The answer to the comparison's statement.
  /// - Returns: The timeline, or nil if the server has not shown it.
  /// - Throws: `wentBack`.
  func check(_ answer: Answer, _ comparison: Comparison) throws(ServerFailure) -> Int? {
    guard let row = answer.first else { throw .unfit("the table numbering has no row") }
    let found = Known(
      cluster: row.text(0), timeline: row.integer(1),
      entry: row.isNull(3) ? nil : Entry(number: row.integer(3), time: row.text(4), account: row.optional(5)))
    let (last, hasOther) = (row.integer(2), row.text(6) == "t")
    let setback = state.withLock { state -> StoreSetback? in
      let isCurrent = state.accepted == comparison.accepted
      if isCurrent, let known = state.known {
        let isEarlier = found.timeline != 0 && found.cluster == known.cluster && found.timeline < known.timeline
        let isShorter = comparison.known?.entry.map { last < $0.number || hasOther } ?? false
        if isEarlier || isShorter {
          return StoreSetback(
            offered: .init(timeline: found.timeline, entry: last),
            seen: .init(timeline: known.timeline, entry: known.entry?.number ?? 0))
        }
      }
      state.setback = nil
      state.note(found)
      return nil
    }
    if let setback { throw .wentBack(setback) }
    return row.isNull(1) ? nil : found.timeline
  }

  /// Notes the entry of a change that is acknowledged.
  func note(_ entry: AuditEntry) {
    let entry = Entry(number: entry.number, time: entry.time.rfc3339, account: entry.account?.description)
    state.withLock { $0.note(entry) }
  }

  /// Records that only databases that have gone back were offered.
  func note(_ setback: StoreSetback) { state.withLock { $0.setback = setback } }

  /// Forgets what is known if the database has gone back.
  ///
  /// - Returns: How the accepted database differs, or nil if it has not gone back.
  func accept() -> StoreSetback? {
    state.withLock { state in
      guard let setback = state.setback else { return nil }
      (state.known, state.setback) = (nil, nil)
      state.accepted += 1
      return setback
    }
  }
}
