internal import WireFormats

/// A mail that a server has accepted, even if the client has not learned of it.
package struct ReceivedMail: Equatable, Sendable {
  /// The address in MAIL FROM.
  package let sender: String
  /// The addresses in RCPT TO, in order.
  package let recipients: [String]
  /// The mail with its header. Lines end with CRLF.
  package let bytes: [UInt8]
  /// Whether the mail came over TLS.
  package let isSecure: Bool
  /// The user name with which the client authenticated, or nil if it did not.
  package let user: String?
  /// The name in EHLO or HELO.
  package let hello: String

  /// Makes a mail without an envelope, such as a mail from a file.
  package init(bytes: [UInt8]) {
    self.init(sender: "", recipients: [], bytes: bytes, isSecure: false, user: nil, hello: "")
  }

  init(sender: String, recipients: [String], bytes: [UInt8], isSecure: Bool, user: String?, hello: String) {
    self.hello = hello
    self.sender = sender
    self.recipients = recipients
    self.bytes = bytes
    self.isSecure = isSecure
    self.user = user
  }

  /// The values of all fields with this name, in order, unfolded (RFC 5322 section 2.2.3).
  package func fields(_ name: String) -> [String] {
    var fields: [String] = []
    for line in lines.prefix(while: { !$0.isEmpty }) {
      if line.first == 0x20 || line.first == 0x09 {
        if let last = fields.indices.last { fields[last] += String(decoding: line, as: UTF8.self) }
      } else {
        fields.append(String(decoding: line, as: UTF8.self))
      }
    }
    let start = name.lowercased() + ":"
    return fields.filter { $0.lowercased().hasPrefix(start) }.map {
      String($0.dropFirst(start.count).drop { $0 == " " })
    }
  }

  package var messageID: String? { fields("Message-ID").first }

  /// The text as a reader sees it, decoded by its Content-Transfer-Encoding (RFC 2045 section 6), with "\n" at line ends. Nil
  /// if the encoding is wrong.
  package var text: String? {
    let body = lines.drop { !$0.isEmpty }.dropFirst()
    switch fields("Content-Transfer-Encoding").first?.lowercased() {
    case "base64":
      return Base64.decoded(Array(body.joined())).map { String(decoding: $0.filter { $0 != 0x0D }, as: UTF8.self) }
    case "quoted-printable": return QuotedPrintable.decoded(body).map { String(decoding: $0, as: UTF8.self) }
    case nil, .some: return String(decoding: Array(body.joined(separator: [0x0A])), as: UTF8.self)
    }
  }

  private var lines: [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
  }
}
