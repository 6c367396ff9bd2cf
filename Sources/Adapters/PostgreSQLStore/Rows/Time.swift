internal import Registration

/// Points in time as the server has them: `timestamptz`, to the microsecond.
enum TimeColumn {
  /// The column as RFC 3339 text, whatever the session's settings; "" for a value that is not such a time, such as
  /// infinity; NULL for NULL.
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
