package import Registration

/// A mail in the form that mail systems accept: envelope, headers and text (RFC 5322, RFC 2045).
///
/// The recipient's address is the only text in the headers that a caller chooses. Every mail server accepts the lines
/// unchanged: none is longer than 998 bytes, and all are ASCII, except for an address that has no ASCII form (RFC
/// 6532).
package struct MailText: Equatable, Sendable {
  /// The envelope's sender. Undeliverable mails return to it.
  package let sender: String
  /// The envelope's recipient.
  package let recipient: String
  /// Whether the recipient's server must support internationalised addresses (SMTPUTF8, RFC 6531).
  package let needsUTF8: Bool
  /// The headers, an empty line, and the text, all without line ends.
  package let lines: [String]

  /// - Throws: `refused` for an address that cannot occur in a header.
  package init(_ mail: Mail) throws(MailFailure) {
    guard let from = MailboxAddress(mail.from) else { throw .refused("mail.from is no address of a mailbox") }
    guard let to = MailboxAddress(mail.to) else { throw .refused("the recipient is no address of a mailbox") }
    let body = EncodedBody(mail.body)
    sender = from.text
    recipient = to.text
    needsUTF8 = !to.isASCII || !from.isASCII
    var lines = ["Date: \(MailDate.text(mail.date))"]
    lines += EncodedWords.header("From", mail.fromName, at: from.text)
    lines += [
      "To: \(to.text)",
      // derived from the mail's id, so each attempt to send the mail has the same Message-ID
      "Message-ID: <\(mail.id)@\(from.domain)>",
    ]
    lines += EncodedWords.header("Subject", mail.subject)
    lines += [
      // RFC 3834 section 5: tells autoresponders not to answer this mail
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: \(body.encoding)",
    ]
    self.lines = lines + Self.contentLanguage(mail.language) + [""] + body.lines
  }

  /// The header Content-Language (RFC 3282). Empty if `tag` is not a language tag.
  private static func contentLanguage(_ tag: String) -> [String] {
    let isTag =
      !tag.isEmpty && tag.utf8.count <= 64
      && tag.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
      }
    return isTag ? ["Content-Language: \(tag)"] : []
  }

  package enum LineEnd: String, Sendable {
    /// The line end on the wire (RFC 5322 section 2.3).
    case wire = "\r\n"
    /// The line end of programs and files on this system.
    case system = "\n"
  }

  /// The mail, with a line end after each line.
  package func bytes(_ end: LineEnd) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes += end.rawValue.utf8
    }
    return bytes
  }
}

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

/// The format of dates in mails (RFC 5322 section 3.3), in UTC.
enum MailDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let day: Int64 = 86_400_000_000

  /// Formats a time, for example `Sun, 22 Nov 2026 15:33:13 +0000`.
  static func text(_ time: Timestamp) -> String {
    let text = time.rfc3339
    let clock = text.dropFirst(11).prefix(8)
    let fields = text.prefix(10).split(separator: "-")
    // 1970-01-01 was a Thursday. The remainder is made positive for earlier days.
    let day =
      Int((time.microseconds >= 0 ? time.microseconds : time.microseconds - Self.day + 1) / Self.day % 7 + 7) % 7
    let month = months[(Int(fields[1]) ?? 1) - 1]
    return "\(days[day]), \(fields[2]) \(month) \(fields[0]) \(clock) +0000"
  }
}
