internal import Registration

/// Wrong codes, which are counted for the address that they were tried at.
enum WrongCodeRow {
  /// How many there are at a claim's address within the span.
  struct Count {
    let all: Int
    /// Those of the share that asks.
    let own: Int
    /// The earliest of these.
    let first: Timestamp?

    init(_ row: Row?) {
      (all, own) = (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
      first = row.flatMap { Timestamp(rfc3339: $0.text(2)) }
    }
  }

  static func counting(at claim: ClaimID, _ share: Share, _ now: Timestamp) -> Statement {
    let own = "FILTER (WHERE uid IS NOT DISTINCT FROM $2::bigint AND origin IS NOT DISTINCT FROM $3::bytea)"
    return Statement(
      """
      SELECT count(*), count(*) \(own), \(TimeColumn.text("min(at) \(own)"))
      FROM wrong_code WHERE email_key = (SELECT email_key FROM claim WHERE id = $1) AND at > $4
      """,
      [
        .text(claim.description), .init(share.uid.map { "\($0)" }), .init(share.origin),
        .init(now.advanced(by: .zero - CodeGuess.span)),
      ])
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
