internal import CSQLite
package import Registration

/// A failure as SQLite reports it (its extended result codes).
package struct SQLiteFailure: DatabaseFailure, Equatable {
  /// SQLITE_READONLY_DBMOVED, a macro that Swift does not import.
  private static let moved = SQLITE_READONLY | 4 << 8

  let code: Int32
  let message: String
  /// Whether the failed statement is a COMMIT that nevertheless ended the transaction.
  var isOfCommit = false
  /// The row whose content cannot be read, or nil for any other failure.
  var row: DamagedRow?

  /// The database's content is impossible.
  static func damaged(_ message: String) -> SQLiteFailure { SQLiteFailure(code: SQLITE_CORRUPT, message: message) }

  static func damaged(row: DamagedRow) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: "the row \(row.name) is damaged: \(row.problem)", row: row)
  }

  /// The file is a database, but not one for this regd.
  static func notOurs(_ message: String) -> SQLiteFailure { SQLiteFailure(code: SQLITE_NOTADB, message: message) }

  /// Another file has replaced the database.
  static func replaced(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: moved, message: message)
  }

  /// The database is regd's, but the file system is unfit to keep it.
  static func unfit(_ message: String) -> SQLiteFailure { SQLiteFailure(code: SQLITE_ERROR, message: message) }

  /// Whether the change may be committed despite the failure.
  ///
  /// SQLite writes a commit's frames to its log, syncs the log, and counts the frames in the log's index. If it fails
  /// after the last frame (in the sync, or because memory for the index is short), it does not count the commit now,
  /// but a recovery after a kill counts it. Two codes exclude this. SQLITE_FULL means that a write did not fit
  /// (unixWrite). The last frame, which contains the commit's mark, is then missing, or its checksum is wrong.
  /// SQLITE_READONLY is returned before anything is written. A COMMIT that leaves the transaction open (SQLITE_BUSY, a
  /// constraint) wrote nothing either. `isOfCommit` is false then.
  var leavesDoubt: Bool {
    guard isOfCommit else { return false }
    return code == Self.moved || ![SQLITE_FULL, SQLITE_READONLY].contains(code & 0xFF)
  }

  /// The message for the log, with SQLite's code.
  var storeDetail: String { "\(message) (SQLite code \(code))" }

  /// Whether the file could not be opened or written, for a reason that SQLite does not report.
  var isOfFile: Bool {
    code != Self.moved && [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(code & 0xFF)
  }

  /// Whether another connection's lock is in the way.
  var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

  /// The one mapping of SQLite's codes to regd's failures.
  package var storeFailure: StoreFailure {
    if code == Self.moved { return .unavailable(detail: message) }
    return switch code & 0xFF {
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_INTERRUPT: .cancelled
    case SQLITE_BUSY, SQLITE_LOCKED: .unavailable(detail: "the database is locked by another program (\(message))")
    default: .unavailable(detail: storeDetail)
    }
  }
}

extension SQLiteFailure {
  package init(_ failure: StoreFailure) { self = .unfit("\(failure)") }
}
