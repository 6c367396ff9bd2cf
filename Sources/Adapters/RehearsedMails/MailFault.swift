package import Registration

/// A fault between regd and a mail server, one of a closed list. The raw value is its word in a script. The scripted
/// mail backend only reports the failure that the fault would lead to. The rehearsed mail server causes the fault.
package enum MailFault: String, CaseIterable, Equatable, Sendable {
  // MARK: Before anything of a mail

  /// The connection is refused.
  case offline
  /// Packets are dropped: the connection is neither established nor refused.
  case unroutable
  /// The host's name does not exist.
  case unresolvable
  /// The connection is lost before the server has greeted.
  case resetBefore = "reset-before"
  /// The server refuses all connections: 421 instead of a greeting.
  case closing
  /// The certificate is signed by an unknown authority.
  case untrusted
  /// The certificate is another host's.
  case wrongHost = "wrong-host"
  /// The certificate has expired.
  case expired
  /// The server offers no STARTTLS.
  case noTLS = "no-tls"
  /// The server answers 535 to user and password.
  case unauthorized

  // MARK: Answers to a mail

  /// The server answers 451 to MAIL.
  case unavailable
  /// The server answers 451 to RCPT, as greylisting does to a first attempt (RFC 6647).
  case greylisted
  /// The server answers 550 to RCPT.
  case reject
  /// The server answers 554 to the text (after DATA).
  case rejectText = "reject-text"

  // MARK: No answer

  /// The server does not answer MAIL.
  case timeout
  /// The connection is lost while the text is sent, and the server does not have the mail.
  case cut
  /// The server has the mail, but the connection is lost before its answer.
  case lost
  /// The server has the mail, but does not answer.
  case mute

  /// The failure that the mail backend reports.
  package var failure: MailFailure {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore: .offline
    case .untrusted, .wrongHost, .expired, .noTLS: .untrusted
    case .closing: .deferred("421 4.3.2 closing")
    case .unavailable: .deferred("451 4.3.0 local error")
    case .greylisted: .deferred("451 4.7.1 greylisted")
    case .unauthorized: .refused("535 5.7.8 authentication failed")
    case .reject: .refused("550 5.1.1 no such user")
    case .rejectText: .refused("554 5.6.0 text refused")
    case .timeout: .timeout
    case .cut, .lost, .mute: .lost
    }
  }

  /// Whether the fault happens before MAIL, for every recipient.
  package var isOfConnection: Bool {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore, .closing, .untrusted, .wrongHost, .expired, .noTLS,
      .unauthorized:
      true
    case .unavailable, .greylisted, .reject, .rejectText, .timeout, .cut, .lost, .mute: false
    }
  }

  /// Whether the server has accepted the mail despite the failure.
  package var hidesSuccess: Bool { self == .lost || self == .mute }
}
