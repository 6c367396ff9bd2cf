internal import Registration

/// Counts for the bounds of mails: a row for each that was admitted, with nothing of an address in it. Written behind
/// the lock of the address alone.
enum MailAskRow {
  /// A clock was ahead: what lies ahead counts as now.
  static func bringingBack(_ counter: MailCounter, _ now: Timestamp) -> Statement {
    Statement(
      "UPDATE mail_ask SET at = $2::timestamptz WHERE address = $1::bigint AND at > $2::timestamptz",
      ["\(counter.address)", .init(now)])
  }

  /// Counts a mail that is not there yet, if the bounds of its address admit it. To the parameters of the mail's own insertion come the
  /// hashes $14 of its address and $15 of its share, and $16, since when others count.
  static let insertion = "INSERT INTO mail_ask (address, share, part, at) \(selection) RETURNING number"

  /// The row that counts the mail; none where the bounds do not admit it.
  static let selection = """
    SELECT $14::bigint, $15::bigint, CASE WHEN shared THEN 0 ELSE 1 END, $10::timestamptz
    FROM (SELECT sent < \(MailBounds.perAddress) OR asked = 0 AND sent < \(MailBounds.perAddressAtMost) AS shared, own
      FROM (SELECT count(*) FILTER (WHERE part = 0) AS sent, count(*) FILTER (WHERE share = $15::bigint) AS asked,
          count(*) FILTER (WHERE share = $15::bigint AND part = 1) AS own
        FROM mail_ask WHERE address = $14::bigint AND at > $16::timestamptz) AS counts) AS bounds
    WHERE (shared OR own < \(MailBounds.perKnownShare) AND ($12::bigint = 1 OR \(isRegistered)))
      AND NOT EXISTS (SELECT 1 FROM mail WHERE id = $1::uuid)
    """

  /// Whether the share is one that the account of the address was registered from.
  private static let isRegistered = """
    EXISTS (SELECT 1 FROM (SELECT change, uid, origin FROM \(AuditRow.all)
        WHERE account_id = (SELECT id FROM account WHERE email_key = $4) ORDER BY turn, number LIMIT 1) AS entry
      WHERE change IN (\(changes)) AND uid = $8::bigint AND origin IS NOT DISTINCT FROM $9::bytea)
    """

  private static let changes = AuditEntry.Change.registrations.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
