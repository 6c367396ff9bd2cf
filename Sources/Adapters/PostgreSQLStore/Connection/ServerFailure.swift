internal import Registration

/// What went wrong with a statement or with the connection.
package struct ServerFailure: Error, Equatable {
  enum Kind: Equatable {
    /// The server has refused a statement, with its SQLSTATE; the transaction is undone.
    case refused
    /// The server, or libpq, has ended the connection, or there is none.
    case disconnected
    /// The server has not answered in time. The connection is given up; the server may go on.
    case deadline
    /// What is in the database cannot be, or is not regd's.
    case unfit
  }

  let kind: Kind
  /// Five characters (SQL standard, PostgreSQL's appendix A); "" where the failure did not come of the server.
  let sqlState: String
  /// The constraint that a row would break; "" where it is not that.
  var constraint = ""
  let message: String
  /// Whether it came of a COMMIT that was sent.
  var isOfCommit = false
  /// The row, if it is one row that cannot be read.
  var row: DamagedRow?

  static func disconnected(_ message: String, sqlState: String = "") -> ServerFailure {
    ServerFailure(kind: .disconnected, sqlState: sqlState, message: message)
  }

  static func deadline(_ limit: Duration) -> ServerFailure {
    ServerFailure(kind: .deadline, sqlState: "", message: "the server has not answered within \(limit)")
  }

  /// Another transaction has changed what was read before the lock: the same again sees what it has made of it.
  static let overtaken = ServerFailure(
    kind: .refused, sqlState: "40001", message: "another change was quicker")

  /// Another program has kept the row that every change locks for as long as a statement waits (lock_not_available).
  static let rowIsHeld = ServerFailure(
    kind: .refused, sqlState: "55P03", message: "another regd keeps the row installation locked")

  static func unfit(_ message: String) -> ServerFailure { ServerFailure(kind: .unfit, sqlState: "", message: message) }

  static func damaged(row: DamagedRow) -> ServerFailure {
    ServerFailure(
      kind: .unfit, sqlState: "", message: "the row \(row.name) is damaged: \(row.problem)", row: row)
  }

  /// Whether the transaction that was to be committed may be, or may become, committed all the same: nothing but the
  /// server's own word that it has undone it says that it is not.
  var leavesDoubt: Bool { isOfCommit && kind != .refused }

  /// Whether the session is of no use any more.
  var endsSession: Bool {
    switch kind {
    case .disconnected, .deadline: true
    case .refused: SQLState.meaning(sqlState) == .reconnect
    case .unfit: false
    }
  }

  /// Whether the same transaction may succeed when it is done again.
  var isWorthRepeating: Bool {
    switch SQLState.meaning(sqlState) {
    case .repeat: kind == .refused
    // another transaction has just made the row: done again, this one finds it
    case .conflict: kind == .refused && SQLState.ownConstraints.contains(constraint)
    case .full, .reconnect, .unavailable: false
    }
  }

  /// For the log.
  var detail: String { sqlState.isEmpty ? message : "\(message) (SQLSTATE \(sqlState))" }

  var storeFailure: StoreFailure {
    if leavesDoubt { return .unknown(detail: detail) }
    return kind == .refused && SQLState.meaning(sqlState) == .full ? .full : .unavailable(detail: detail)
  }
}

/// The only table from the server's codes to ours (PostgreSQL's documentation, appendix A).
enum SQLState {
  enum Meaning: Equatable, CaseIterable {
    /// Another transaction was in the way: the same again, with jitter.
    case `repeat`
    /// A row would break a constraint: an answer where the constraint is regd's own.
    case conflict
    case full
    /// The server is not, or is no longer, the one to write to, or is about to go: another connection may be answered.
    case reconnect
    case unavailable
  }

  /// Constraints of which a conflict says that another transaction was quicker.
  static let ownConstraints: Set = [
    "account_pkey", "account_email_key_key", "request_pkey", "released_uid_id_account_id_key",
  ]

  static func meaning(_ state: String) -> Meaning {
    switch state {
    case "40001",  // serialization_failure
      "40P01":  // deadlock_detected
      .repeat
    case "23505":  // unique_violation
      .conflict
    case "53100":  // disk_full
      .full
    case "25006",  // read_only_sql_transaction: a primary that has been demoted
      "25P03",  // idle_in_transaction_session_timeout
      "57P01", "57P02", "57P03", "57P04", "57P05":  // the server stops, crashes, starts; the database is gone; idle
      .reconnect
    case let state where state.hasPrefix("08"):  // connection exceptions
      .reconnect
    default:  // 53200, 53300, 55P03, 58030, XX001 and whatever a server may say
      .unavailable
    }
  }
}
