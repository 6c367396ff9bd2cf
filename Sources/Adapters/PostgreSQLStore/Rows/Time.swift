internal import Registration

/// Points in time as the server has them: `timestamptz`, to the microsecond.
enum TimeColumn {
  /// The column as RFC 3339 text, whatever the session's settings; "" for what is no such time, as infinity.
  static func text(_ column: String) -> String {
    "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
  }
}
