internal import CurlTransfers

/// A mail server's URL: `smtp://host[:port]`, or `smtps://host[:port]` for TLS from the first byte.
struct SMTPServer: Equatable, Sendable {
  let url: String
  /// The host of the URL, as libcurl reads it.
  let host: String
  /// Whether TLS begins with the first byte (RFC 8314).
  let isTLS: Bool
  /// Whether the server is on this machine, the only one to which mail may go in plain text.
  let isLoopback: Bool

  /// Why a text cannot be the URL of a mail server. The description continues a sentence that begins with the
  /// configuration key.
  enum Problem: Error, Equatable, CustomStringConvertible {
    case unusableCharacter
    case scheme
    case host
    case port
    case userInformation
    case path
    /// libcurl does not accept the text as a URL. Holds libcurl's message.
    case unreadable(String)
    /// libcurl failed for a reason other than the text's form, such as lack of memory. Holds libcurl's message.
    case unread(String)

    var description: String {
      switch self {
      case .unusableCharacter:
        "contains a character that is not allowed in a URL (write a non-ASCII name in its xn-- form)"
      case .scheme:
        "must begin with smtp:// (STARTTLS, or this machine) or smtps:// (TLS), as in smtp://mail.example.com:587"
      case .host: "has no host"
      case .port: "has an invalid port (1 to 65535)"
      case .userInformation: "must not contain a user or a password; use mail.smtp.user and mail.smtp.password"
      case .path: "must have nothing after the host and the port, as in smtp://mail.example.com:587"
      case .unreadable(let words): "is not a URL (\(words))"
      case .unread(let reason): "cannot be read: \(reason)"
      }
    }
  }

  static func read(_ text: String) -> Result<SMTPServer, Problem> {
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !#"\"<>^`{|}"#.utf8.contains($0) }) else {
      return .failure(.unusableCharacter)
    }
    // libcurl forgives much, and takes a path for the client's name in EHLO. So regd checks the text first.
    let lowercased = text.lowercased()
    guard let scheme = ["smtp://", "smtps://"].first(where: lowercased.hasPrefix) else { return .failure(.scheme) }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard !authority.contains("@") else { return .failure(.userInformation) }
    guard !authority.contains(where: { "/?#".contains($0) }) else { return .failure(.path) }
    guard !authority.isEmpty, !authority.hasPrefix(":") else { return .failure(.host) }
    guard !authority.hasSuffix(":") else { return .failure(.port) }
    do {
      let url = scheme + authority
      let parts = try URLParts(url)
      return .success(SMTPServer(url: url, host: parts.host, isTLS: scheme == "smtps://", isLoopback: parts.isLoopback))
    } catch {
      switch error {
      case .host: return .failure(.host)
      case .port: return .failure(.port)
      case .unreadable(let words): return .failure(.unreadable(words))
      case .unread(let reason): return .failure(.unread(reason))
      }
    }
  }
}
