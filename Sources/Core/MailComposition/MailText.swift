package import Registration

/// A mail as mail systems take it: envelope, headers and text (RFC 5322, RFC 2045).
///
/// Of what a caller has sent, the address alone is in a header. No line is longer than 998 bytes, and no byte is beyond ASCII but
/// those of an address that has no other form (RFC 6532): every mail server takes the text as it is.
package struct MailText: Equatable, Sendable {
  /// The envelope's sender, to which a mail that cannot be delivered is returned.
  package let sender: String
  /// The envelope's recipient.
  package let recipient: String
  /// Whether the recipient's server has to know internationalised addresses (SMTPUTF8, RFC 6531).
  package let needsUTF8: Bool
  /// Headers, an empty line, and the text; without line ends.
  package let lines: [String]

  /// - Throws: `refused` for an address that no header can have.
  package init(_ mail: Mail) throws(MailFailure) {
    guard let from = MailboxAddress(mail.from) else { throw .refused("mail.from is no address of a mailbox") }
    guard let to = MailboxAddress(mail.to) else { throw .refused("the recipient is no address of a mailbox") }
    let body = EncodedBody(mail.body)
    sender = from.text
    recipient = to.text
    needsUTF8 = !to.isASCII || !from.isASCII
    lines =
      [
        "Date: \(MailDate.text(mail.date))",
        "From: \(from.text)",
        "To: \(to.text)",
        // the same for each repeat of this mail
        "Message-ID: <\(mail.id)@\(from.domain)>",
      ] + EncodedWords.header("Subject", mail.subject) + [
        // RFC 3834 section 5: programs that answer mails of absent persons leave it alone
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: \(body.encoding)",
      ] + Self.contentLanguage(mail.language) + [""] + body.lines
  }

  /// RFC 3282; nothing for what is no language tag.
  private static func contentLanguage(_ tag: String) -> [String] {
    let isTag =
      !tag.isEmpty && tag.utf8.count <= 64
      && tag.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
      }
    return isTag ? ["Content-Language: \(tag)"] : []
  }

  package enum LineEnd: String, Sendable {
    /// As on the wire (RFC 5322 section 2.3).
    case wire = "\r\n"
    /// As programs and files of this system have it.
    case system = "\n"
  }

  /// The text, each line with its end.
  package func bytes(_ end: LineEnd) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes += end.rawValue.utf8
    }
    return bytes
  }
}
