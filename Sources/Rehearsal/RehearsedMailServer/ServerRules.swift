/// What a server offers, for as long as it runs.
struct ServerRules: Sendable {
  let extensions: Set<MailServer.Extension>
  let credentials: MailServer.Credentials?
}

extension MailServer {
  package enum Extension: String, CaseIterable, Sendable {
    /// RFC 6531.
    case smtpUTF8 = "SMTPUTF8"
    /// RFC 6152.
    case eightBitMIME = "8BITMIME"

    /// Of MAIL.
    var parameter: String {
      switch self {
      case .smtpUTF8: "SMTPUTF8"
      case .eightBitMIME: "BODY=8BITMIME"
      }
    }
  }

  /// What AUTH PLAIN has to give. Mails are refused before.
  package struct Credentials: Sendable {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// How TLS begins.
  package enum Security: Sendable {
    case none
    /// By a command (RFC 3207); mails are accepted without it too.
    case startTLS
    /// With the first byte (RFC 8314).
    case tls
  }
}
