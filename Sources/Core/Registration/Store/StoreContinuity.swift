/// Reports whether the database of a store has gone back to an earlier state, so that acknowledged changes may be missing from it:
/// a failover was undone, or a server was restored from a snapshot. regd cannot prevent this, but it must not continue as if
/// nothing had happened.
///
/// Rules for every implementation:
/// - A database that has gone back is neither changed nor read: every operation fails with `unavailable`.
/// - The store continues by itself when the server offers a database that has everything that the store has seen.
/// - The store forgets what it has seen when it is closed.
package protocol StoreContinuity: Sendable {
  /// How the database that is offered differs from what the store has seen, or nil if it has not gone back, or if the store has
  /// not met it yet.
  var setback: StoreSetback? { get }

  /// Continues with the database that is offered, and forgets what the store has seen. Does nothing if the database has not
  /// gone back.
  ///
  /// - Returns: How the accepted database differs, or nil if it has not gone back.
  func accept() -> StoreSetback?
}

/// A database that has gone back to an earlier state, compared with the state that the store has seen.
package struct StoreSetback: Equatable, Sendable {
  /// A point in the history of a database.
  package struct Point: Equatable, Sendable {
    /// The number of the server's timeline, which grows with each promotion of a standby.
    package let timeline: Int
    /// The number of the last entry of the audit, or 0 for none.
    package let entry: Int

    package init(timeline: Int, entry: Int) { (self.timeline, self.entry) = (timeline, entry) }
  }

  /// The state that the server offers. Its last entry may have a higher number than the one that was seen, if another program has
  /// changed the database since it went back.
  package let offered: Point
  package let seen: Point

  package init(offered: Point, seen: Point) { (self.offered, self.seen) = (offered, seen) }
}

extension StoreSetback: CustomStringConvertible {
  /// The setback in words, for the log and for `STATUS=`.
  package var description: String {
    """
    the database has gone back to an earlier state: it is on timeline \(offered.timeline) with audit entries up to \
    \(offered.entry), but regd has seen timeline \(seen.timeline) and audit entry \(seen.entry)
    """
  }
}
