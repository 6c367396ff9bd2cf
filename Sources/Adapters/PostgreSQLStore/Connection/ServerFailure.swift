package import Registration

/// A failure of a statement or of the connection.
package struct ServerFailure: DatabaseFailure, Equatable {
  enum Kind: Equatable {
    /// The server refused a statement with an SQLSTATE. The transaction is undone.
    case refused
    /// The server or libpq ended the connection, or none could be made.
    case disconnected
    /// The host's name has no address, or DNS did not answer in time. This shows nothing about the server: existing
    /// sessions may continue.
    case unresolved
    /// The server did not answer in time. regd drops the connection, but the server may still carry the statement out.
    case deadline
    /// The request has reached its time limit, or its caller has given up, and the server has not answered yet. regd
    /// drops the connection, as after `deadline`.
    case cancelled
    /// The database's content is impossible, or is not regd's.
    case unfit
    /// No standby follows the server, although commits have to wait for one. Another server may have taken its place.
    case unfollowed
    /// The database is an earlier state of the one that regd has used (`KnownPast`).
    case wentBack
  }

  let kind: Kind
  /// Five characters (SQL standard, PostgreSQL's appendix A), or "" if the server did not send the failure.
  let sqlState: String
  /// The constraint that a row would violate, or "" for any other failure.
  var constraint = ""
  let message: String
  /// Whether the failure followed a COMMIT that was sent.
  var isOfCommit = false
  /// The row whose content cannot be read, or nil for any other failure.
  var row: DamagedRow?
  /// How the database has gone back, or nil for any other failure.
  var setback: StoreSetback?
  /// Whether no server can cure the failure: libpq refuses an option of the URL, or the URL lacks a password that the server
  /// requires.
  var isOfSettings = false

  static func disconnected(_ message: String, sqlState: String = "") -> ServerFailure {
    ServerFailure(kind: .disconnected, sqlState: sqlState, message: message)
  }

  /// No connection, or one that has ended.
  ///
  /// - Parameter report: libpq's message. The verbose form (`PQERRORS_VERBOSE`) of a refusal by the server also contains the
  ///   SQLSTATE, which libpq returns nowhere else, and a line about the server's source code:
  ///
  ///       connection to server … failed: FATAL:  28P01: password authentication failed for user "regd"
  ///       LOCATION:  auth_failed, auth.c:334
  static func unconnected(_ report: String) -> ServerFailure {
    var (words, state) = ([Substring](), "")
    for line in report.split(separator: "\n") where !line.hasPrefix("LOCATION:") {
      for word in line.split(whereSeparator: \.isWhitespace) {
        // the severity before the SQLSTATE may be in any language
        if words.last?.last == ":", word.last == ":", SQLState.isCode(word.dropLast()) {
          if state.isEmpty { state = String(word.dropLast()) }
        } else {
          words.append(word)
        }
      }
    }
    return .disconnected(words.isEmpty ? "the connection has ended" : words.joined(separator: " "), sqlState: state)
  }

  static func unresolved(_ host: String, _ reason: String) -> ServerFailure {
    ServerFailure(
      kind: .unresolved, sqlState: "", message: "could not translate host name \"\(host)\" to address: \(reason)")
  }

  static func deadline(_ limit: Duration) -> ServerFailure {
    ServerFailure(kind: .deadline, sqlState: "", message: "the server has not answered within \(limit)")
  }

  static let cancelled = ServerFailure(
    kind: .cancelled, sqlState: "", message: "the server has not answered before the request was given up")

  /// Another transaction changed a value after this one had read it and before this one locked it. A retry sees the change.
  static let overtaken = ServerFailure(
    kind: .refused, sqlState: "40001", message: "another change came first")

  /// An account's latest audit entries still have no number after several tries. So the account and its entries cannot
  /// be read as of one moment.
  static let numbersAreHeld = ServerFailure(
    kind: .refused, sqlState: SQLState.lockNotAvailable, message: "another regd keeps the row of numbering locked")

  static func unfit(_ message: String) -> ServerFailure { ServerFailure(kind: .unfit, sqlState: "", message: message) }

  static let unfollowed = ServerFailure(
    kind: .unfollowed, sqlState: "",
    message: "no standby follows the server, so it can acknowledge no change; another server may have replaced it")

  static func wentBack(_ setback: StoreSetback) -> ServerFailure {
    ServerFailure(kind: .wentBack, sqlState: "", message: "\(setback)", setback: setback)
  }

  static func damaged(row: DamagedRow) -> ServerFailure {
    ServerFailure(
      kind: .unfit, sqlState: "", message: "the row \(row.name) is damaged: \(row.problem)", row: row)
  }

  /// Whether the transaction may be committed, now or later, despite the failure. It is not if no COMMIT was sent, or
  /// if the server refused it.
  var leavesDoubt: Bool { isOfCommit && kind != .refused }

  /// Whether the session can no longer be used.
  var endsSession: Bool {
    switch kind {
    case .disconnected, .unresolved, .deadline, .cancelled, .unfollowed, .wentBack: true
    case .refused: SQLState.meaning(sqlState) == .reconnect
    case .unfit: false
    }
  }

  /// Whether an attempt to open the store may succeed later, although neither the configuration nor the database changes.
  var mayPass: Bool {
    guard !isOfSettings else { return false }
    return switch kind {
    case .unresolved, .deadline, .cancelled, .unfollowed, .wentBack: true
    case .unfit: false
    // without an SQLSTATE, no server has answered, or the server has not given its reason
    case .disconnected, .refused: sqlState.isEmpty || SQLState.mayPass(sqlState)
    }
  }

  /// Whether the same transaction may succeed on a retry.
  var isWorthRepeating: Bool {
    switch SQLState.meaning(sqlState) {
    case .repeat: kind == .refused
    // another transaction has just inserted the row: a retry finds it
    case .conflict: kind == .refused && SQLState.ownConstraints.contains(constraint)
    case .full, .reconnect, .unavailable: false
    }
  }

  /// The message for the log.
  var detail: String { sqlState.isEmpty ? message : "\(message) (SQLSTATE \(sqlState))" }

  package var storeFailure: StoreFailure {
    if leavesDoubt { return .unknown(detail: detail) }
    if kind == .cancelled { return .cancelled }
    return kind == .refused && SQLState.meaning(sqlState) == .full ? .full : .unavailable(detail: detail)
  }
}

extension ServerFailure {
  package init(_ failure: StoreFailure) { self = .unfit("\(failure)") }
}

/// The one mapping of the server's SQLSTATEs to regd's failures (PostgreSQL's documentation, appendix A).
enum SQLState {
  enum Meaning: Equatable, CaseIterable {
    /// Another transaction interfered. A retry, with jitter, may succeed.
    case `repeat`
    /// A row would violate a constraint. A retry helps if the constraint is one of `ownConstraints`.
    case conflict
    case full
    /// The server does not accept writes, or will soon stop. Another connection may help.
    case reconnect
    case unavailable
  }

  /// A violation of one of these constraints means that another transaction was faster. An entry of the audit conflicts only with
  /// one that another program has added.
  static let ownConstraints: Set = [
    "account_pkey", "account_email_key_key", "request_pkey", "released_uid_id_account_id_key", "audit_pkey",
  ]

  /// Whether the text has the form of an SQLSTATE. Every SQLSTATE of PostgreSQL contains a digit.
  static func isCode(_ text: Substring) -> Bool {
    let bytes = text.utf8
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return bytes.count == 5 && bytes.allSatisfy { digits ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      && bytes.contains { digits ~= $0 }
  }

  /// Whether the failure may pass without a change of the database: the server starts, stops or is a standby, it lacks a
  /// connection or memory, or another transaction interferes.
  static func mayPass(_ state: String) -> Bool {
    switch meaning(state) {
    case .repeat, .reconnect: true
    case .conflict, .full: false
    case .unavailable: state == lockNotAvailable || state.hasPrefix("53")  // insufficient resources
    }
  }

  /// The SQLSTATE for a lock that was not free within `lock_timeout`.
  static let lockNotAvailable = "55P03"

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
    default:  // 53200, 53300, 55P03, 58030, XX001 and any other code
      .unavailable
    }
  }
}
