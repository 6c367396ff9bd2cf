internal import WireFormats

/// A mail server's record of its mails, its connections, and its clients' violations of the protocol.
package struct MailLedger: Equatable, Sendable {
  /// The accepted mails, in order. A mail that arrived twice is in the list twice.
  package internal(set) var mails: [ReceivedMail] = []
  /// Connections served since the server's start.
  package internal(set) var connections = 0
  /// The number of RCPT commands for each recipient since the server's start, including refused ones.
  package internal(set) var tries: [String: Int] = [:]
  /// Violations of the protocol, in words and without secrets. A correct client causes none.
  package internal(set) var complaints: [String] = []

  init() {}

  /// The mails to an address, in order.
  package func mails(to address: String) -> [ReceivedMail] { mails.filter { $0.recipients.contains(address) } }
}

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

/// Quoted-printable (RFC 2045 section 6.7).
enum QuotedPrintable {
  /// - Parameter lines: Without their line ends.
  /// - Returns: The lines joined with "\n", or nil if a "=" precedes neither two hexadecimal digits nor a line's end.
  static func decoded(_ lines: some Sequence<ArraySlice<UInt8>>) -> [UInt8]? {
    var bytes: [UInt8] = []
    for line in lines {
      var rest = line
      var isSoft = false
      while let byte = rest.popFirst() {
        guard byte == 0x3D else {
          bytes.append(byte)
          continue
        }
        if rest.isEmpty {
          isSoft = true
        } else {
          guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
            return nil
          }
          bytes.append(value)
          rest = rest.dropFirst(2)
        }
      }
      if !isSoft { bytes.append(0x0A) }
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    return bytes
  }
}
