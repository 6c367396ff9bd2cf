internal import CCurl
internal import CurlTransfers
internal import MailComposition

/// What came of a mail: all that the verdict is made of.
struct SMTPOutcome: Equatable, Sendable {
  var end: End
  /// The last reply's code (RFC 5321 section 4.2); nil if the server has said nothing.
  var code: Int?
  /// The last reply's text.
  var words = ""
  /// Whether the server has asked for the text (354): some of it is on its way, or all.
  var isHandedOver = false
  /// libcurl's words for the failure, for operators.
  var message = ""

  init(_ end: End, code: Int? = nil, words: String = "", isHandedOver: Bool = false, message: String = "") {
    self.end = end
    self.code = code
    self.words = words
    self.isHandedOver = isHandedOver
    self.message = message
  }

  /// How a transfer ended: libcurl's hundred codes, as far as a verdict tells them apart.
  enum End: Equatable, Sendable {
    /// The server has taken the mail.
    case whole
    /// The server's last reply was not the one that the conversation needs.
    case denied
    /// Its reply to user and password was not, or there is no way to say them that both know.
    case unauthorized
    /// The address needs SMTPUTF8, and the server does not offer it.
    case unsupported
    /// TLS came to no agreement: certificates, versions, or no TLS at the other end.
    case untrusted
    /// The deadline has passed.
    case outOfTime
    /// No connection was established within its time.
    case unconnected
    /// Anything else: not resolved, refused, reset, closed.
    case broken
    /// The caller was cancelled, or the loop has stopped.
    case cancelled

    /// - Parameters:
    ///   - message: What libcurl wrote into CURLOPT_ERRORBUFFER.
    ///   - code: The last reply's.
    init(_ result: CURLcode, _ message: String, code: Int?) {
      switch result {
      case CURLE_OK: self = .whole
      case CURLE_OPERATION_TIMEDOUT: self = .outOfTime
      case _ where TrustFailure.isMeant(by: result, message): self = .untrusted
      case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: self = .unauthorized
      // libcurl says the same of a reply that it has read and of a connection that takes no more
      case CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED:
        self = (code ?? 0) >= 400 && !message.hasPrefix("Send failure: ") ? .denied : .broken
      // a server that closes says so first (RFC 5321 section 3.8)
      default: self = code == 421 ? .denied : .broken
      }
    }
  }

  /// What an operator has to mend, without which no mail gets through; nil for nothing.
  var warning: String? {
    switch end {
    case .untrusted: "the server cannot prove its identity: \(HarmlessWords.of(message))"
    case .unauthorized where (code ?? 0) >= 400: "the server refuses the user and the password: \(reply)"
    case .unauthorized: "the server offers no authentication that regd knows, and mail.smtp.user is given"
    case .unsupported, .denied, .whole, .outOfTime, .unconnected, .broken, .cancelled: nil
    }
  }

  /// The last reply, as an operator may see it.
  var reply: String { HarmlessWords.of("\(code.map(String.init) ?? "") \(words)") }
}
