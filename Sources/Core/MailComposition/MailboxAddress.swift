internal import Registration

/// An address in the form of headers and envelopes: a dot-atom, with UTF-8 if it has no ASCII form (RFC 6532 section 3.2), and
/// a domain in ASCII.
///
/// `EmailRules` has already accepted the address. It is checked again here, because a line break in it would inject
/// headers.
struct MailboxAddress {
  let text: String
  let domain: String
  let isASCII: Bool

  /// Keeps the part before the @ as its owner typed it, because only the recipient's server knows whether its case
  /// matters. The domain becomes A-labels.
  init?(_ address: EmailAddress) {
    guard let typed = Self.split(address.typed), let key = Self.split(address.key.value) else { return nil }
    self.init(local: typed.local, domain: key.domain)
  }

  /// - Parameter text: An address whose domain has A-labels.
  init?(_ text: String) {
    guard let (local, domain) = Self.split(text) else { return nil }
    self.init(local: local, domain: domain)
  }

  private init?(local: Substring, domain: Substring) {
    let atoms = local.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
    guard atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isText) }), !domain.isEmpty,
      domain.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || Self.isText(Unicode.Scalar($0)) && $0 < 0x80 }),
      local.utf8.count + domain.utf8.count < 900
    else { return nil }
    text = "\(local)@\(domain)"
    self.domain = String(domain)
    isASCII = local.utf8.allSatisfy { $0 < 0x80 }
  }

  private static func split(_ text: String) -> (local: Substring, domain: Substring)? {
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    return (text[..<at], text[text.utf8.index(after: at)...])
  }

  /// `atext` (RFC 5322 section 3.2.3, RFC 6532 section 3.2), without characters that would change how the surrounding text is
  /// shown.
  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else {
      return scalar.properties.isAlphabetic || "0123456789!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      false
    default: true
    }
  }
}
