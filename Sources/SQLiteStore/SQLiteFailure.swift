internal import CSQLite
internal import Registration

/// What SQLite says went wrong (its extended result codes).
struct SQLiteFailure: Error, Equatable {
  let code: Int32
  let message: String

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
