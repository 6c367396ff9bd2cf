internal import Registration

/// How many living claims a user has. Counted before the lock, so that no other waits for a user's hundred thousand; and once
/// more behind it where the bound is near.
struct ClaimCount {
  private let ofUser: Int
  private let ofShare: Int
  private let firstOfUser: Timestamp?
  private let firstOfShare: Timestamp?

  static func counting(_ claim: AddressClaim, _ now: Timestamp) -> Statement {
    Statement(
      """
      SELECT count(*), count(*) FILTER (WHERE origin IS NOT DISTINCT FROM $2::bytea),
        \(TimeColumn.text("min(expires_at)")),
        \(TimeColumn.text("min(expires_at) FILTER (WHERE origin IS NOT DISTINCT FROM $2::bytea)"))
      FROM claim WHERE uid = $1 AND expires_at > $3
      """, ["\(claim.uid)", .init(claim.origin), .init(now)])
  }

  init(_ row: Row) {
    (ofUser, ofShare) = (row.integer(0), row.integer(1))
    (firstOfUser, firstOfShare) = (Timestamp(rfc3339: row.text(2)), Timestamp(rfc3339: row.text(3)))
  }

  /// Until when one more is refused; nil where it is not.
  func refusal(at now: Timestamp) -> Timestamp? {
    if ofShare >= ClaimBounds.perShare { return firstOfShare ?? now }
    return ofUser >= ClaimBounds.perUser ? firstOfUser ?? now : nil
  }

  /// For `ClaimRow.insertion`. No caller adds half a bound of claims while one of them waits for the lock.
  var bounds: String {
    ofShare * 2 >= ClaimBounds.perShare || ofUser * 2 >= ClaimBounds.perUser ? Self.nearBounds : ""
  }

  static var nearBounds: String {
    let living = "SELECT count(*) FROM claim WHERE uid = $8::bigint AND expires_at > $19::timestamptz"
    return """
      AND (\(living)) < \(ClaimBounds.perUser)
      AND (\(living) AND origin IS NOT DISTINCT FROM $9::bytea) < \(ClaimBounds.perShare)
      """
  }
}
