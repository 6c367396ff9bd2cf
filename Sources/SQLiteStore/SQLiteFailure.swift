internal import CSQLite
internal import Registration

/// What SQLite says went wrong (its extended result codes).
struct SQLiteFailure: Error, Equatable {
  let code: Int32
  let message: String
  /// Where it is one row that cannot be read.
  var row: DamagedRow?

  /// What is in the database cannot be.
  static func damaged(_ message: String) -> SQLiteFailure { SQLiteFailure(code: SQLITE_CORRUPT, message: message) }

  static func damaged(row: DamagedRow) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: "the row \(row.name) is damaged: \(row.problem)", row: row)
  }

  /// The file is a database, and none for this regd.
  static func notOurs(_ message: String) -> SQLiteFailure { SQLiteFailure(code: SQLITE_NOTADB, message: message) }

  /// Whether somebody else's lock is in the way.
  var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

  /// The only table from SQLite's codes to ours.
  var storeFailure: StoreFailure {
    switch code & 0xFF {
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: .unavailable(detail: "the database is locked by another program (\(message))")
    default: .unavailable(detail: "\(message) (SQLite code \(code))")
    }
  }
}
