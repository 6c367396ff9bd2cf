internal import Registration

/// The settings on which statements and their results depend. Each session sets them, because the role, the database,
/// the server and the URL may have others. Two settings are left as they are: `search_path`, which defines where regd's
/// tables are, and `default_transaction_read_only`, with which an operator protects a database from changes.
enum SessionSettings {
  /// - Parameters:
  ///   - limit: The time limit for one answer.
  ///   - plansByIndex: Whether statements are planned for single rows.
  static func statements(_ limit: Duration, plansByIndex: Bool) -> [Statement] {
    let milliseconds = max(1, Int(limit / .milliseconds(1)))
    let limits = [
      // shorter than regd's own limit, so that the server itself ends a statement that waits too long for a lock
      ("lock_timeout", "\(max(1, milliseconds * 9 / 10))ms"),
      // a regd that is stopped within a transaction must not keep its locks of accounts and of the audit's numbers
      ("idle_in_transaction_session_timeout", "\(max(milliseconds, 5000))ms"),
    ]
    return [
      // regd has its own limits, and this one could end the next statement
      Statement("SET statement_timeout = 0"),
      setting(limits + forms + commits + plans + (plansByIndex ? byIndex : [])),
    ]
  }

  /// Runs `body`, a part of a transaction that plans its statements for whole tables, with plans for single rows.
  static func planningByIndex(
    _ connection: Connection, _ body: () throws(ServerFailure) -> Void
  ) throws(ServerFailure) {
    let names = byIndex.map { "current_setting('\($0.0)')" }.joined(separator: ", ")
    let usual = try connection.run("SELECT \(names)").first
    _ = try connection.answer(setting(byIndex, inTransaction: true))
    try body()
    guard let usual else { return }
    let before = byIndex.enumerated().map { ($1.0, usual.text(Int32($0))) }
    _ = try connection.answer(setting(before, inTransaction: true))
  }

  /// - Parameter isLocal: Whether the values end with the transaction.
  private static func setting(_ values: [(String, String)], inTransaction isLocal: Bool = false) -> Statement {
    let rows = values.map { "('\($0.0)', '\($0.1)')" }.joined(separator: ", ")
    // older servers do not have all of them
    return Statement(
      """
      SELECT set_config(name, setting, \(isLocal ? "TRUE" : "FALSE")) FROM (VALUES \(rows)) AS wanted (name, setting)
      WHERE current_setting(name, TRUE) IS NOT NULL
      """)
  }

  /// How values are written and read.
  private static let forms = [
    ("bytea_output", "hex"), ("array_nulls", "on"), ("standard_conforming_strings", "on"),
    ("transform_null_equals", "off"), ("DateStyle", "ISO, YMD"), ("IntervalStyle", "postgres"), ("TimeZone", "UTC"),
  ]

  private static let commits = [
    ("synchronous_commit", "on"), ("default_transaction_isolation", "read committed"),
    // a commit that the server warns of counts as failed, so regd must get the warning
    ("client_min_messages", "warning"),
    ("idle_session_timeout", "0"), ("transaction_timeout", "0"),
  ]

  private static let plans = [
    // just-in-time compilation takes longer than any of regd's statements
    ("jit", "off"), ("plan_cache_mode", "auto"), ("enable_indexscan", "on"), ("enable_indexonlyscan", "on"),
    ("enable_bitmapscan", "on"), ("enable_nestloop", "on"),
  ]

  /// Every statement of the store finds its rows by an index. Until the server has analysed a table, and in plans that it made
  /// while the table was small, it would take reading the whole table for cheaper.
  private static let byIndex = [
    ("enable_seqscan", "off"), ("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
    ("max_parallel_workers_per_gather", "0"),
  ]
}
