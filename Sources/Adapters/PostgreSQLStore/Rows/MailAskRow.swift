internal import Registration

/// Counts mails for `MailBounds`: one row per admitted mail, with a hash instead of the address. Written only under the
/// lock of the address.
enum MailAskRow {
  /// Sets future times of counts back to now. A clock that was ahead wrote them.
  static func bringingBack(_ counter: MailCounter, _ now: Clocks) -> Statement {
    let time = now.own("$2")
    return Statement(
      "UPDATE mail_ask SET at = \(time) WHERE \(isLater("$1", time))", ["\(counter.address)", .init(now)])
  }

  /// An SQL condition: of this address, and later than this time. Written so that only the index by address serves it: by the index
  /// of times the server would read the mails of all addresses.
  private static func isLater(_ address: String, _ time: String) -> String {
    "(address, at) > (\(address)::bigint, \(time)) AND address <= \(address)::bigint"
  }

  /// Counts a new mail if the bounds of its address admit it. Parameters: those of the mail's own insertion, of which
  /// `$10` is regd's time, then $14 and $15, the hashes of its address and share.
  static func insertion(_ now: Clocks) -> String {
    "INSERT INTO mail_ask (address, share, part, at) \(selection(now)) RETURNING number"
  }

  /// Selects the row that would count the mail, or no row if the bounds do not admit the mail. The offset keeps the
  /// server from computing the bound twice.
  static func selection(_ now: Clocks) -> String {
    """
    SELECT $14::bigint, $15::bigint, part, $10::timestamptz
    FROM (SELECT \(MailBounds.SQL.part(isKnown: "$12::bigint = 1 OR \(isRegistered)")) AS part
      FROM (SELECT \(MailBounds.SQL.counts(of: "$15::bigint"))
        FROM mail_ask WHERE \(isLater("$14", now.own("$10", by: MailBounds.span)))) AS counts OFFSET 0) AS bounds
    WHERE part IS NOT NULL AND NOT EXISTS (SELECT 1 FROM mail WHERE id = $1::uuid)
    """
  }

  /// SQL for the bound against which the last mail to this address was counted. Under the address's lock that is the mail
  /// that this transaction has added, because it has the highest number.
  static func lastPart(_ address: String) -> String {
    "(SELECT max(number * 2 + part) % 2 FROM mail_ask WHERE address = \(address)::bigint)"
  }

  /// SQL for whether the account of the address was registered from this share (user and origin). An entry without its
  /// address proves nothing, because its origin was erased as well.
  private static let isRegistered = """
    EXISTS (SELECT 1 FROM account CROSS JOIN LATERAL \(AuditRow.one(.first, of: "account.id")) AS entry
      WHERE account.email_key = $4 AND change IN (\(changes)) AND uid = $8::bigint AND origin IS NOT DISTINCT FROM $9::bytea
        AND (turn > 0 OR EXISTS (
          SELECT 1 FROM audit_address WHERE audit_address.number = entry.number AND email IS NOT NULL)))
    """

  private static let changes = AuditEntry.Change.registrations.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
