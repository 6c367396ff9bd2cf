internal import CCurl
internal import CurlTransfers
internal import MailComposition
internal import Registration

/// The result of a mail: everything that a verdict is based on.
struct SMTPOutcome: Equatable, Sendable {
  var end: End
  /// The last reply's code (RFC 5321 section 4.2), or nil if the server sent no reply.
  var code: Int?
  /// The last reply's text.
  var words = ""
  /// Whether the server asked for the text (354), so that some or all of it may have been sent.
  var isHandedOver = false
  /// libcurl's message for the failure, for operators.
  var message = ""

  init(_ end: End, code: Int? = nil, words: String = "", isHandedOver: Bool = false, message: String = "") {
    self.end = end
    self.code = code
    self.words = words
    self.isHandedOver = isHandedOver
    self.message = message
  }

  /// How a transfer ended: libcurl's hundred result codes in the few groups that `SMTPVerdict` distinguishes.
  enum End: Equatable, Sendable {
    /// The server accepted the mail.
    case whole
    /// The server's last reply was a refusal (4yz or 5yz).
    case denied
    /// The server refused user and password, or supports no authentication that libcurl knows.
    case unauthorized
    /// The address needs SMTPUTF8, and the server does not offer it.
    case unsupported
    /// The TLS handshake failed: certificates, versions, or no TLS at the other end.
    case untrusted
    /// The deadline has passed.
    case outOfTime
    /// No connection was established within the limit `connect`.
    case unconnected
    /// Any other failure: name not resolved, connection refused, reset or closed.
    case broken
    /// The caller was cancelled, or the loop has stopped.
    case cancelled

    /// - Parameters:
    ///   - tls: The messages of the TLS handshake.
    ///   - code: The last reply's code.
    ///   - isTransaction: Whether the last command was MAIL, RCPT or DATA.
    init(_ result: CURLcode, _ tls: TLSTrace, code: Int?, isTransaction: Bool) {
      let isRefusal = (code ?? 0) >= 400
      switch result {
      case CURLE_OK: self = .whole
      case CURLE_OPERATION_TIMEDOUT: self = .outOfTime
      case _ where TrustFailure.isMeant(by: result, tls): self = .untrusted
      case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: self = .unauthorized
      case CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED: self = isRefusal ? .denied : .broken
      // libcurl returns this code if the server refuses such a command, and if it cannot send any command. It sends
      // another command after a refusal only before the transaction
      case CURLE_SEND_ERROR where isTransaction: self = isRefusal ? .denied : .broken
      // a server that closes the connection says 421 first (RFC 5321 section 3.8)
      default: self = code == 421 ? .denied : .broken
      }
    }
  }

  /// Whether the server offers authentication, but none of the mechanisms that libcurl was allowed to use.
  var lacksMechanism: Bool { end == .unauthorized && (code ?? 0) < 400 }

  /// A problem that the operator must fix before any mail gets through, or nil if there is no such problem.
  var warning: String? {
    switch end {
    case .untrusted: "the identity of the server could not be verified: \(HarmlessWords.of(message))"
    case .unauthorized where (code ?? 0) >= 400: "the server refused the user and password: \(reply)"
    case .unauthorized: "the server offers no authentication that regd supports, but mail.smtp.user is set"
    case .unsupported, .denied, .whole, .outOfTime, .unconnected, .broken, .cancelled: nil
    }
  }

  /// The last reply, made safe for an operator's terminal.
  var reply: String { HarmlessWords.of("\(code.map(String.init) ?? "") \(words)") }
}

/// The one table from outcomes to failures. Nothing else in this module interprets an outcome.
///
/// If the server refused, its reply decides: after 4yz regd may repeat the mail, after 5yz not (RFC 5321 section
/// 4.2.1), in every phase. Without a reply, the mail may have been accepted (`lost`) if the text may have been sent.
enum SMTPVerdict {
  /// - Returns: The failure for the caller, or nil if the server accepted the mail.
  static func failure(_ outcome: SMTPOutcome) -> MailFailure? {
    switch outcome.end {
    case .whole: nil
    case .denied: refusal(outcome)
    case .unauthorized where (outcome.code ?? 0) >= 400: refusal(outcome)
    // no mail can be sent until an operator changes the user or the server
    case .unauthorized: .unusable("the mail server offers no authentication that regd supports")
    case .unsupported: .refused(MailFailure.noUTF8)
    case .untrusted: .untrusted
    case .cancelled: .cancelled
    case .outOfTime: outcome.isHandedOver ? .lost : .timeout
    case .unconnected: .offline
    case .broken: outcome.isHandedOver ? .lost : .offline
    }
  }

  private static func refusal(_ outcome: SMTPOutcome) -> MailFailure {
    (outcome.code ?? 0) >= 500 ? .refused(outcome.reply) : .deferred(outcome.reply)
  }
}
