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
