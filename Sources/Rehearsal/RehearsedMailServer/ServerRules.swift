/// A server's constant properties.
struct ServerRules: Sendable {
  let extensions: Set<MailServer.Extension>
  let credentials: MailServer.Credentials?
}

extension MailServer {
  package enum Extension: String, CaseIterable, Sendable {
    /// Addresses beyond ASCII (RFC 6531).
    case smtpUTF8 = "SMTPUTF8"
    /// Texts with 8-bit bytes (RFC 6152).
    case eightBitMIME = "8BITMIME"

    /// The parameter of MAIL by which a client uses the extension.
    var parameter: String {
      switch self {
      case .smtpUTF8: "SMTPUTF8"
      case .eightBitMIME: "BODY=8BITMIME"
      }
    }
  }

  /// The credentials for AUTH. A client that has not authenticated gets 530 for MAIL.
  package struct Credentials: Sendable {
    package let user: String
    package let password: String
    /// The offered mechanisms. PLAIN and LOGIN compare the credentials. Any other one ends with 535, as at a server that
    /// offers it without the data that it needs.
    package let mechanisms: [String]
    /// Whether PLAIN is accepted only with an initial response.
    package let needsInitialResponse: Bool

    package init(user: String, password: String, mechanisms: [String] = ["PLAIN"], needsInitialResponse: Bool = false) {
      self.user = user
      self.password = password
      self.mechanisms = mechanisms
      self.needsInitialResponse = needsInitialResponse
    }
  }

  /// When TLS begins.
  package enum Security: Sendable {
    case none
    /// After STARTTLS (RFC 3207). Mails are also accepted without it.
    case startTLS
    /// From the first byte (RFC 8314).
    case tls
  }
}
