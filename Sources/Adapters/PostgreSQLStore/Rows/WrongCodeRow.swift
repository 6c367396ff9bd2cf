internal import Registration

/// Counts wrong codes, by the address at which they were tried.
enum WrongCodeRow {
  /// Counts wrong codes at one address and at all addresses. Reads no more rows than the bounds need.
  /// Only the index by address serves the first count. By the index of times, the server would read those of all addresses.
  /// The order keeps the server from collecting all rows before it counts some.
  static func counting(at address: GuessedAddress, limit: Int, _ now: Clocks) -> Statement {
    Statement(
      """
      SELECT
        (SELECT count(*) FROM (SELECT 1 FROM wrong_code
          WHERE (address, at) > ($1::bigint, \(now.own("$2", by: CodeBounds.span))) AND address <= $1::bigint
          ORDER BY address DESC, at DESC LIMIT $3::bigint) AS here),
        (\(everywhere(now, "$2")))
      """, ["\(address.number)", .init(now), "\(limit)"])
  }

  /// Counts wrong codes at all addresses, like the second column of `counting`.
  static func countingAll(_ now: Clocks) -> Statement {
    Statement(everywhere(now, "$1"), [.init(now)])
  }

  /// Takes the latest rows first, and then those of them that count. With the condition on the time inside, and statistics of
  /// a table that was nearly empty, the server would collect all rows that count, by a bitmap, and then sort them. Without the
  /// condition, only the index of times gives the order. `number` is not in that index, so a bitmap is not possible.
  private static func everywhere(_ now: Clocks, _ parameter: String) -> String {
    """
    SELECT count(number) FROM (SELECT number, at FROM wrong_code ORDER BY at DESC LIMIT \(CodeBounds.all)) AS latest
      WHERE at > \(now.own(parameter, by: CodeBounds.spanOfAll))
    """
  }

  static func insertion(at address: GuessedAddress, _ now: Timestamp) -> Statement {
    Statement(
      "INSERT INTO wrong_code (address, at) VALUES ($1::bigint, $2::timestamptz)",
      ["\(address.number)", .init(now)])
  }

  /// Removes the oldest rows if there are too many, except those that another change is removing. Removes more than one
  /// wrong code adds, so that the surplus shrinks. The array keeps the server from reading all rows.
  static let forgetting = Statement(
    """
    DELETE FROM wrong_code WHERE number = ANY (ARRAY(
      SELECT number FROM wrong_code
      WHERE number <= (SELECT max(number) FROM wrong_code) - \(CodeBounds.kept)
      ORDER BY number LIMIT 16 FOR UPDATE SKIP LOCKED))
    """)
}
