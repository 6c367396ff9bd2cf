internal import CurlTransfers

/// Why a text cannot be the base URL of an upstream. The description continues a sentence that begins with "the base
/// URL".
package enum BaseURLProblem: Equatable, Sendable, CustomStringConvertible {
  case empty
  /// Spaces, control characters, backslashes, anything beyond ASCII.
  case unusableCharacter
  case scheme
  case host
  case port
  case userInformation
  case query
  case fragment
  case plaintext
  /// libcurl does not accept the text as a URL. Holds libcurl's message.
  case unreadable(String)
  /// libcurl failed for a reason other than the text's form, such as lack of memory. Holds libcurl's message.
  case unread(String)

  package var description: String {
    switch self {
    case .empty: "is empty"
    case .unusableCharacter:
      "contains a character that is not allowed in a URL (write a non-ASCII name in its xn-- form, and percent-encode everything else)"
    case .scheme: "must begin with https:// (or with http://, for an upstream on this machine)"
    case .host: "has no host"
    case .port: "has an invalid port (1 to 65535)"
    case .userInformation: "must not contain a user or a password; a bearer token has a separate key"
    case .query: "must not have a query (after a question mark)"
    case .fragment: "must not have a fragment (after a number sign)"
    case .plaintext:
      "would send passwords in plain text: http:// is for an upstream on this machine (127.0.0.0/8, [::1], localhost)"
    case .unreadable(let words): "is not a URL (\(words))"
    case .unread(let reason): "cannot be read: \(reason)"
    }
  }

  /// - Parameter allowsPlaintext: Whether `http://` may lead to another machine.
  /// - Returns: Nil if the text is usable: `https://host[:port][/path]`, with or without a slash at the end.
  package static func of(_ text: String, allowsPlaintext: Bool = false) -> BaseURLProblem? {
    guard !text.isEmpty else { return .empty }
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !#"\"<>^`{|}"#.utf8.contains($0) }) else {
      return .unusableCharacter
    }
    // libcurl forgives much: a single slash, a port without digits, an empty query. So regd checks the text first.
    let lowercased = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return .scheme }
    let rest = text.dropFirst(scheme.count)
    guard !rest.contains("#") else { return .fragment }
    guard !rest.contains("?") else { return .query }
    let authority = rest.prefix { $0 != "/" }
    guard !authority.contains("@") else { return .userInformation }
    guard !authority.isEmpty, !authority.hasPrefix(":") else { return .host }
    guard !authority.hasSuffix(":") else { return .port }

    do {
      let parts = try URLParts(text)
      return scheme == "https://" || allowsPlaintext || parts.isLoopback ? nil : .plaintext
    } catch {
      switch error {
      case .host: return .host
      case .port: return .port
      case .unreadable(let words): return .unreadable(words)
      case .unread(let reason): return .unread(reason)
      }
    }
  }
}
