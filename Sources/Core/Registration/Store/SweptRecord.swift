/// A kind of record that a sweep removes, and when. The raw value is the record's table in a database (`MovedTable`).
///
/// Each store has a switch without a default over the kinds, so that no store can forget one.
package enum SweptRecord: String, CaseIterable, Sendable {
  /// A claim that has expired, with its waiting mails, because their codes no longer work.
  case claim
  /// A mail that no longer waits.
  case mail
  /// A count of a mail, for `MailBounds`.
  case mailAsk = "mail_ask"
  /// A wrong code, for `CodeBounds`.
  case wrongCode = "wrong_code"
  /// A released registration (`ReleasedRegistration`).
  case released
  /// The address in an audit entry whose account was deleted or released, or got another address. Also the entry's
  /// origin, which may be an address as well.
  case auditAddress = "audit_address"
  /// The address and the note of an invitation that expired or was revoked, or whose last use was used. They remain
  /// while a registration may still be released, because a release gives the use back to the invited address.
  case invitation

  /// How long the record is kept after its time, which is the time when it ended, or was made if it does not end. Nil
  /// if the configuration says how long.
  package var span: Duration? {
    switch self {
    case .claim: .zero
    case .mail, .mailAsk: MailBounds.span
    case .wrongCode: CodeBounds.span
    case .released: ReleasedRegistration.lifetime
    case .auditAddress, .invitation: nil
    }
  }

  /// The time that is `span` before now. A record whose time is earlier is removed.
  package func end(at now: Timestamp, addressesBefore: Timestamp) -> Timestamp {
    span.map { now.advanced(by: .zero - $0) } ?? addressesBefore
  }

  /// Whether a record whose time is exactly `end` is removed.
  private var includesEnd: Bool {
    switch self {
    case .claim, .mail, .mailAsk, .wrongCode: true
    case .released, .auditAddress, .invitation: false
    }
  }

  package func isOver(_ time: Timestamp, by end: Timestamp) -> Bool { includesEnd ? time <= end : time < end }

  /// The records (with a column `at`) whose times in the future are set back to now. A clock that was ahead wrote such a
  /// time, and the record would count for too long.
  package static let setBack: [SweptRecord] = [.wrongCode, .mailAsk]

  /// The column that identifies a row.
  package var key: String {
    switch self {
    case .claim, .mail, .invitation: "id"
    case .mailAsk, .wrongCode, .released, .auditAddress: "number"
    }
  }

  /// An SQL condition: the record is removed. Nil for an invitation, because each database has its own index for it.
  package func isOver(by end: String) -> String? {
    let isUpToEnd = "\(includesEnd ? "<=" : "<") \(end)"
    return switch self {
    case .claim: "expires_at \(isUpToEnd)"
    case .mail: "state <> 'waiting' AND created_at \(isUpToEnd)"
    case .mailAsk: "at \(isUpToEnd) OR number <= (SELECT max(number) FROM mail_ask) - \(MailBounds.counted)"
    case .wrongCode: "at \(isUpToEnd)"
    case .released: "released_at \(isUpToEnd)"
    case .auditAddress: "ended_at \(isUpToEnd)"
    case .invitation: nil
    }
  }
}
