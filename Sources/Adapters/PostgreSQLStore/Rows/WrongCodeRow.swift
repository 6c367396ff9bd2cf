internal import Registration

/// Wrong codes, which are counted for the address that they were tried at.
enum WrongCodeRow {
  /// How many there are at a claim's address within the span.
  struct Count {
    let all: Int
    /// Those for claims of the same share.
    let own: Int
    /// The earliest of these.
    let first: Timestamp?

    init(_ row: Row?) {
      (all, own) = (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
      first = row.flatMap { Timestamp(rfc3339: $0.text(2)) }
    }
  }

  static func counting(at claim: ClaimID, _ now: Timestamp) -> Statement {
    let own = "FILTER (WHERE w.uid IS NOT DISTINCT FROM c.uid AND w.origin IS NOT DISTINCT FROM c.origin)"
    return Statement(
      """
      SELECT count(*), count(*) \(own), \(TimeColumn.text("min(w.at) \(own)"))
      FROM claim AS c JOIN wrong_code AS w ON w.email_key = c.email_key WHERE c.id = $1 AND w.at > $2
      """, [.text(claim.description), .init(now.advanced(by: .zero - CodeGuess.span))])
  }

  static func insertion(_ key: EmailKey, _ share: Share, _ now: Timestamp) -> Statement {
    Statement(
      "INSERT INTO wrong_code (email_key, uid, origin, at) VALUES ($1, $2::bigint, $3::bytea, $4::timestamptz)",
      [.text(key.value), .init(share.uid.map { "\($0)" }), .init(share.origin), .init(now)])
  }

  static func forgetting(_ key: EmailKey) -> Statement {
    Statement("DELETE FROM wrong_code WHERE email_key = $1", [.text(key.value)])
  }
}
