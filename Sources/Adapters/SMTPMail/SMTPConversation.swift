/// A server's replies, line by line (RFC 5321 section 4.2): the last one, and the offered extensions.
struct SMTPConversation {
  /// The code of the last complete reply.
  private(set) var code: Int?
  private(set) var words = ""
  private var lines: [String] = []
  private var replies = 0
  private let needsStartTLS: Bool
  /// Whether the server accepts addresses beyond ASCII, or nil until its EHLO reply, or with STARTTLS until the second
  /// one.
  private(set) var offersUTF8: Bool?

  /// The most bytes of all replies. No honest server sends more. A line has at most 512 bytes (RFC 5321 section 4.5.3.1.5).
  private static let mostBytes = 65_536
  private var bytes = 0

  /// - Parameter needsStartTLS: Whether libcurl sends EHLO a second time, after STARTTLS.
  init(needsStartTLS: Bool) { self.needsStartTLS = needsStartTLS }

  /// Whether the server has sent more than any honest server does.
  var isEndless: Bool { bytes > Self.mostBytes }

  /// Takes the server's next line.
  ///
  /// - Returns: Whether the line ended a reply.
  mutating func hear(_ line: String) -> Bool {
    bytes += line.utf8.count
    let digits = line.utf8.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(Substring(digits)) else {
      return false
    }
    let rest = line.utf8.dropFirst(3)
    lines.append(String(Substring(rest.dropFirst())))
    guard rest.first != UInt8(ascii: "-") else { return false }
    end(number)
    return true
  }

  /// Ends a reply. Replies are counted to find the reply to EHLO: 0 is the greeting, 1 answers EHLO, 2 STARTTLS, and 3
  /// the second EHLO after it. A refused EHLO is followed by HELO, whose reply offers nothing.
  private mutating func end(_ number: Int) {
    if offersUTF8 == nil, replies >= (needsStartTLS ? 3 : 1), number == 250 {
      offersUTF8 = lines.contains { $0.uppercased().split { $0.isWhitespace }.first == "SMTPUTF8" }
    }
    replies += 1
    (code, words) = (number, lines.joined(separator: " "))
    lines = []
  }
}
