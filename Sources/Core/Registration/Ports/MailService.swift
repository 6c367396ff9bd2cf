/// The mail system behind a mail backend.
///
/// What holds for every mail service:
/// - A call ends with an answer or a failure within the backend's own deadlines.
/// - A mail that was sent twice has the same `Message-ID` both times (RFC 5322 section 3.6.4), by which a reader's program knows
///   it as one.
/// - It keeps nothing of a mail, and writes nothing of its text anywhere but to the mail system.
///
/// Cancellation ends a call at once with a failure.
package protocol MailService: Sendable {
  /// Hands one mail over.
  ///
  /// - Throws: Any `MailFailure`. If `isTemporary`, the same mail may be given again.
  func send(_ mail: Mail) async throws(MailFailure)
}

/// A mail as a mail system gets it. Its headers are made by the backends' common composer (RFC 5322, RFC 3834, RFC 2047); a caller's words
/// are in none of them but the address.
package struct Mail: Equatable, Sendable {
  package let id: MailID
  package let kind: MailKind
  package let to: EmailAddress
  /// Of the configuration, `mail.from`.
  package let from: String
  /// When it was first wanted: the `Date` of every repeat.
  package let date: Timestamp
  /// BCP 47, for `Content-Language`.
  package let language: String
  package let subject: String
  /// Plain text; lines end with "\n".
  package let body: String

  package init(
    id: MailID, kind: MailKind, to: EmailAddress, from: String, date: Timestamp, language: String, subject: String,
    body: String
  ) {
    self.id = id
    self.kind = kind
    self.to = to
    self.from = from
    self.date = date
    self.language = language
    self.subject = subject
    self.body = body
  }
}

/// Why a mail was not taken.
package enum MailFailure: Error, Equatable, Sendable {
  /// No route, no such host, refused, not established in time, or lost before anything of the mail was sent.
  case offline
  /// The mail system says to come again (4xx of RFC 5321 section 4.2.1; EX_TEMPFAIL of sysexits.h): its words.
  case deferred(String)
  /// The mail was handed over, and there was no answer: it may be on its way.
  case lost
  case timeout
  /// TLS: the server could not prove its identity, or has none to offer.
  case untrusted
  /// The mail system refuses this mail for good (5xx; another exit status): its words.
  case refused(String)
  /// The task was cancelled.
  case cancelled

  /// Whether a repeat may succeed, with the same configuration or after an operator has mended something.
  package var isTemporary: Bool {
    switch self {
    case .offline, .deferred, .lost, .timeout, .untrusted, .cancelled: true
    case .refused: false
    }
  }

  /// Whether it speaks of the mail system, and not of one mail or its address.
  package var isOfMailSystem: Bool {
    switch self {
    case .offline, .timeout, .untrusted: true
    case .deferred, .lost, .refused, .cancelled: false
    }
  }
}

/// For an operator: the log, `mail.list`, events.
extension MailFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .offline: "offline"
    case .deferred(let words): "deferred: \(words)"
    case .lost: "connection lost behind DATA"
    case .timeout: "timeout"
    case .untrusted: "untrusted"
    case .refused(let words): "refused: \(words)"
    case .cancelled: "cancelled"
    }
  }
}

// MARK: - Backends

/// A backend of `MailService`.
package protocol MailBackend: Backend {
  /// Whether it plays a mail system, and hands mails to none.
  static var isRehearsed: Bool { get }

  /// Opens it. It sends nothing yet.
  func open(_ surroundings: MailSurroundings) throws(NetworkOpeningFailure) -> OpenMail
}

extension MailBackend {
  /// What a mail may take unless an operator says more, which must be less than a request may take: leases of mails last as long.
  package static var usualTime: Duration { .seconds(20) }

  /// Refuses a time for a mail that is not less than a request may take, also where nobody has written it.
  package static func refuse(
    _ time: Duration, of key: String, _ keys: inout some ConfigurationKeys, ifNotBelow requestSeconds: Int
  ) {
    guard time >= .seconds(requestSeconds) else { return }
    let usual = time == usualTime ? "; it is \(usualTime.components.seconds) where nothing is written" : ""
    keys.refuse(key, "must be less than limits.requestSeconds, which is \(requestSeconds)\(usual)")
  }
}

/// What a mail service is given besides its keys.
package struct MailSurroundings: Sendable {
  package let time: any TimeSource
  /// Tells administrators who subscribe that a mail is wanted; returns when one of them has said that it was sent, or throws when
  /// the time for that is over.
  package let ask: @Sendable (_ mail: Mail, _ within: Duration) async throws(MailFailure) -> Void
  /// Writes a line of the log that an operator must see. No secret, and no person's address.
  package let warn: @Sendable (_ message: String) -> Void

  package init(
    time: any TimeSource, ask: @escaping @Sendable (Mail, Duration) async throws(MailFailure) -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.time = time
    self.ask = ask
    self.warn = warn
  }
}

/// A mail service, and how it is stopped.
package struct OpenMail: Sendable {
  package let service: any MailService
  /// Ends what is under way with a failure, and returns when nothing runs any more.
  package let stop: @Sendable () -> Void

  package init(_ service: any MailService, stop: @escaping @Sendable () -> Void = {}) {
    self.service = service
    self.stop = stop
  }
}
