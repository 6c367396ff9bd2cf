import Registration
import Testing

@testable import SQLiteStore

/// A source database and a target for a move, in a separate directory.
struct MoveStage {
  let source: String
  let target: String

  init(_ directory: String) {
    source = "\(directory)/regd.db"
    target = "\(directory)/moved.db"
  }

  /// Begins the move, or continues it like a program that was started again.
  func mover(limit: Int = 3) throws -> Mover<SQLiteMoveSource, SQLiteMoveTarget> {
    let source = try SQLiteMoveSource(source, beginning: "this move", at: Timestamp(microseconds: 0))
    return try Mover(from: source, to: SQLiteMoveTarget(target, source: self.source), limit: limit)
  }

  /// Runs the move until it has caught up.
  @discardableResult
  func catchUp(limit: Int = 3) throws -> Mover<SQLiteMoveSource, SQLiteMoveTarget> {
    var mover = try mover(limit: limit)
    while !(try mover.step().isCaughtUp) {}
    return mover
  }

  /// Marks the source as moved to "postgresql", like a regd beside which others may have the source open.
  func leave(_ caughtUp: MoveArrival) throws -> Bool {
    try SQLiteLeaving.leave(
      source, for: "postgresql", at: Timestamp(microseconds: 0), caughtUp: caughtUp, busyMilliseconds: 5000)
  }

  func arrive() throws { try SQLiteMoveTarget(target, source: source).arrive("this move") }

  /// The rows of a database, table by table.
  static func rows(_ path: String) throws -> [[[String?]]] {
    let connection = try Connection(path: path, busyMilliseconds: 1000)
    return try MoveStrand.allCases.map { strand in
      try MovedRows.page(connection, MovePage(strand, after: strand.beginning), limit: 1000).flatMap(\.rows).map(
        \.values)
    }
  }

  func write(_ sql: String, to path: String) throws {
    try Connection(path: path, busyMilliseconds: 1000).execute(sql)
  }
}

/// The failure that `body` throws.
func moveFailure(_ body: () throws -> Void) -> MoveFailure? {
  do {
    try body()
    return nil
  } catch {
    return error as? MoveFailure
  }
}
