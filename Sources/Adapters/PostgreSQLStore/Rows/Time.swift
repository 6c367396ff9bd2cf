internal import Registration

/// Points in time as the server has them: `timestamptz`, to the microsecond.
enum TimeColumn {
  /// The column as RFC 3339 text, whatever the session's settings. "" for a value that is not such a time, such as
  /// infinity, and NULL for NULL.
  static func text(_ column: String) -> String {
    """
    CASE WHEN \(column) IS NOT NULL
      THEN coalesce(to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), '') END
    """
  }

  /// A record's columns for a SELECT, with times as RFC 3339 text.
  static func list(_ columns: [String], of table: String) -> String {
    columns.map { name in
      let column = "\(table).\(name)"
      return name == "at" || name.hasSuffix("_at") || name.hasSuffix("_until") ? text(column) : column
    }.joined(separator: ", ")
  }
}

/// regd's clock and the server's, at one moment. Several regd processes share the database, and one of them may have a
/// wrong clock. So a thing has ended only if it has ended by both clocks (`earlier`), and lies in the future only if it
/// does so by both clocks (`later`). Otherwise a regd whose clock is ahead would remove rows that the other regd
/// processes still need.
struct Clocks: Sendable {
  fileprivate let regd: Timestamp
  /// SQL for the server's clock.
  private let server: String

  /// - Parameter server: The time to use instead of the server's clock, for tests. Nil means the clock.
  init(_ regd: Timestamp, server: Timestamp? = nil) {
    self.regd = regd
    self.server = server.map { "'\($0.rfc3339)'::timestamptz" } ?? "CURRENT_TIMESTAMP"
  }

  /// SQL for the time of the clock that is behind. The SQL is the same at any time, so that the server prepares it once.
  ///
  /// - Parameters:
  ///   - parameter: The place of regd's time among the statement's parameters, such as "$2".
  ///   - age: How long before that time.
  func earlier(_ parameter: String, by age: Duration = .zero) -> String {
    before("least(\(parameter)::timestamptz, \(server))", age)
  }

  /// SQL for regd's own time. The bounds on mails and wrong codes use this time. They span hours, and by the other
  /// clock a mail could count for longer than its hour.
  func own(_ parameter: String, by age: Duration = .zero) -> String { before("\(parameter)::timestamptz", age) }

  /// SQL for the time of the clock that is ahead.
  func later(_ parameter: String) -> String { "greatest(\(parameter)::timestamptz, \(server))" }

  private func before(_ time: String, _ age: Duration) -> String {
    age == .zero ? time : "(\(time) - interval '\(Int(age / .microseconds(1))) microseconds')"
  }
}

extension Statement.Parameter {
  /// regd's time, for `Clocks.earlier` and `Clocks.later`.
  init(_ clocks: Clocks) { self.init(clocks.regd) }
}
