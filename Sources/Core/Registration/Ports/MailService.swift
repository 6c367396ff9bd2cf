/// The mail system behind a mail backend.
///
/// Rules for every mail service:
/// - A call ends with an answer or a failure within the backend's own deadlines.
/// - A mail that is sent twice has the same `Message-ID` both times (RFC 5322 section 3.6.4), by which a reader's program
///   recognizes the copy.
/// - The service keeps nothing of a mail, and writes the mail's text to the mail system only.
///
/// Cancellation ends a call at once with a failure.
package protocol MailService: Sendable {
  /// Hands over one mail.
  ///
  /// - Throws: Any `MailFailure`. If `isTemporary`, the caller may send the same mail again.
  func send(_ mail: Mail) async throws(MailFailure)
}

/// A mail as a mail system receives it. The backends' common composer makes its headers (RFC 5322, RFC 3834, RFC 2047). The
/// address is the only header with text from a caller.
package struct Mail: Equatable, Sendable {
  package let id: MailID
  package let kind: MailKind
  package let to: EmailAddress
  /// The sender: the value of the configuration key `mail.from`.
  package let from: String
  /// The name beside the sender, one line: the value of the configuration key `mail.fromName`, or "" for none.
  package let fromName: String
  /// When the mail was first requested. All repeats have this `Date`.
  package let date: Timestamp
  /// The language tag (BCP 47) for `Content-Language`.
  package let language: String
  package let subject: String
  /// Plain text, whose lines end with "\n".
  package let body: String

  package init(
    id: MailID, kind: MailKind, to: EmailAddress, from: String, fromName: String = "", date: Timestamp,
    language: String, subject: String, body: String
  ) {
    self.id = id
    self.kind = kind
    self.to = to
    self.from = from
    self.fromName = fromName
    self.date = date
    self.language = language
    self.subject = subject
    self.body = body
  }
}

/// Why the mail system did not accept a mail.
package enum MailFailure: Error, Equatable, Sendable {
  /// No route, no such host, connection refused, not established in time, or lost before any part of the mail was sent.
  case offline
  /// The mail system asks for a later repeat (4xx of RFC 5321 section 4.2.1, or EX_TEMPFAIL of sysexits.h), in these
  /// words.
  case deferred(String)
  /// The mail was handed over, but no answer came, so the mail may be on its way.
  case lost
  case timeout
  /// TLS: the server could not prove its identity, or offers no TLS.
  case untrusted
  /// No mail can be sent until an operator changes something, as these words explain: there is no program, no directory, or no
  /// authentication that regd knows.
  case unusable(String)
  /// The mail system refuses this mail for good (5xx, or another exit status), in these words.
  case refused(String)
  /// The task was cancelled.
  case cancelled

  /// Whether a repeat may succeed, with the same configuration or after an operator has fixed something.
  package var isTemporary: Bool {
    switch self {
    case .offline, .deferred, .lost, .timeout, .untrusted, .unusable, .cancelled: true
    case .refused: false
    }
  }
}

extension MailFailure {
  /// The words of a refusal by a backend whose mail system takes no address beyond ASCII.
  package static let noUTF8 = "the mail server takes no addresses beyond ASCII (SMTPUTF8)"

  /// Whether, by the words of a refusal, only this recipient's mail is refused. A server reports this with an enhanced
  /// status code (RFC 3463 sections 3.2 and 3.3, and RFC 7505): the recipient's mailbox or domain does not exist, or
  /// accepts no mail. False for 5.2.0 and unregistered codes such as 5.2.252, with which Microsoft 365 also refuses a
  /// sender.
  static func isAboutRecipient(_ words: String) -> Bool {
    guard words != noUTF8 else { return true }
    let codes = words.split { !"0123456789.".contains($0) }.map { $0.split(separator: ".") }
    guard let code = codes.first(where: { $0.count == 3 && $0[0] == "5" }) else { return false }
    switch code[1] {
    case "1": return ["1", "2", "3", "4", "6", "10"].contains(code[2])
    case "2": return ["1", "2", "3", "4"].contains(code[2])
    default: return false
    }
  }

  /// Whether, by the words of a refusal, the server accepts no mail from regd, because user and password are missing or
  /// wrong (RFC 4954 sections 4 and 6), or because the server requires TLS.
  static func isAboutUser(_ words: String) -> Bool {
    ["530", "534", "535", "538"].contains(words.prefix { $0 != " " })
  }
}

/// Descriptions for operators: in the log, `mail.list` and events.
extension MailFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .offline: "offline"
    case .deferred(let words): "deferred: \(words)"
    case .lost: "connection lost after DATA"
    case .timeout: "timeout"
    case .untrusted: "untrusted"
    case .unusable(let words): "unusable: \(words)"
    case .refused(let words): "refused: \(words)"
    case .cancelled: "cancelled"
    }
  }
}

// MARK: - Backends

/// A backend of `MailService`.
package protocol MailBackend: Backend {
  /// Opens the mail service without sending anything.
  func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail
}

extension MailBackend {
  /// The default time limit for sending a mail. It must be less than `limits.requestSeconds`, because the sender's
  /// lease of the mail lasts only a little longer than that.
  package static var usualTime: Duration { .seconds(20) }

  /// Reports `key` if its time limit for sending a mail is not less than `requestSeconds`, even if the limit is the
  /// default.
  package static func refuse(
    _ time: Duration, of key: String, _ keys: inout some ConfigurationKeys, ifNotBelow requestSeconds: Int
  ) {
    guard time >= .seconds(requestSeconds) else { return }
    let usual = time == usualTime ? "; it is \(usualTime.components.seconds) where nothing is written" : ""
    keys.refuse(key, "must be less than limits.requestSeconds, which is \(requestSeconds)\(usual)")
  }
}

/// The services that a mail service gets in addition to its configuration.
package struct MailContext: Sendable {
  /// Asks the subscribed administrators to send a mail. Returns when one of them has reported that the mail was sent.
  /// Throws `offline` if no administrator is subscribed, and `lost` after the time limit.
  package let ask: @Sendable (_ mail: Mail, _ within: Duration) async throws(MailFailure) -> Void
  /// Logs a line that an operator must see. The line contains no secret and no person's address.
  package let warn: @Sendable (_ message: String) -> Void

  package init(
    ask: @escaping @Sendable (Mail, Duration) async throws(MailFailure) -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.ask = ask
    self.warn = warn
  }
}
