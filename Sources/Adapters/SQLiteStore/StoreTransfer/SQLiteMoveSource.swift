internal import Linux
package import Registration

/// A database that is moved away while a regd may still use it.
package final class SQLiteMoveSource: MoveSource {
  package let path: String
  package let move: String
  package let keys: StoreKeys
  private let connection: Connection

  /// A database's state with regard to moves.
  package enum State: Equatable, Sendable {
    /// No move is in progress.
    case settled
    case moving(String)
    /// The database was moved away to `target`. `move` is nil if unknown.
    case left(move: String?, target: String)
  }

  /// Begins a move out of the database, or continues the one in progress.
  ///
  /// - Parameter move: The name of the move if it begins now.
  package init(_ path: String, beginning move: String, at time: Timestamp) throws(MoveFailure) {
    self.path = path
    do throws(SQLiteFailure) {
      connection = try Self.connection(path)
      try Schema.check(connection)
      guard try connection.integer("PRAGMA user_version") >= Schema.rewritten else {
        throw SQLiteFailure.notOurs(
          "its schema has an earlier version: start this regd with it once, or run regctl migrate")
      }
      try Installation.makeStampKey(connection, in: FileStatus.birth(of: path))
      keys = try Installation.keys(connection)
      self.move = try ChangeCapture.begin(connection, move, at: time)
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// The state of an existing database. Writes nothing.
  package static func state(of path: String) throws(MoveFailure) -> State {
    do throws(SQLiteFailure) {
      let connection = try connection(path)
      let version = try connection.integer("PRAGMA user_version")
      guard version >= MoveMark.left, version < MoveMark.filling else {
        try Schema.check(connection)
        return try ChangeCapture.move(connection).map { .moving($0) } ?? .settled
      }
      let target = try connection.query("SELECT target FROM moved_away") { (row) throws(SQLiteFailure) in row.text(0) }
      return .left(move: try ChangeCapture.move(connection), target: target.first ?? "?")
    } catch {
      throw failure(path, error)
    }
  }

  package func look(
    changesAfter position: Int, _ page: MovePage, limit: Int
  ) throws(MoveFailure) -> MoveView {
    do throws(SQLiteFailure) {
      // one transaction, so that all reads see the same moment
      try connection.execute("BEGIN")
      defer { try? connection.execute("ROLLBACK") }
      let changes = try ChangeCapture.changes(connection, after: position, limit: limit + 1)
      let taken = changes.prefix(limit)
      let keys = taken.map(\.key)
      return MoveView(
        position: taken.last?.position ?? position, changed: keys, units: try MovedRows.units(connection, keys),
        page: changes.count > limit ? nil : try MovedRows.page(connection, page, limit: limit))
    } catch {
      throw Self.failure(path, error)
    }
  }

  package func count(_ page: MovePage) throws(MoveFailure) -> Int {
    do throws(SQLiteFailure) { return try MovedRows.count(connection, page) } catch { throw Self.failure(path, error) }
  }

  /// Ends a move out of the database, and removes its traces.
  package static func abandon(_ path: String) throws(MoveFailure) {
    do throws(SQLiteFailure) {
      let connection = try connection(path)
      try Schema.check(connection)
      try ChangeCapture.end(connection)
    } catch {
      throw failure(path, error)
    }
  }

  /// Opens an existing database.
  private static func connection(_ path: String) throws(SQLiteFailure) -> Connection {
    guard DatabasePlace(path, endings: [""]) != nil else {
      throw SQLiteFailure.notOurs("the file does not exist or cannot be read")
    }
    return try Connection(path: path, busyMilliseconds: 5000)
  }

  static func failure(_ path: String, _ failure: SQLiteFailure) -> MoveFailure {
    failure.isRefusal ? .refused("\(path): \(failure.message)") : .unavailable("\(path): \(failure.storeDetail)")
  }
}

extension SQLiteFailure {
  /// Whether the failure describes the database itself, and not a passing lack of access.
  fileprivate var isRefusal: Bool { self == .notOurs(message) }
}
