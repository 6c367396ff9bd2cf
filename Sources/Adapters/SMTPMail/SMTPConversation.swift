/// What a server has said, line by line (RFC 5321 section 4.2): its last reply, and what it offers.
struct SMTPConversation {
  /// The last whole reply's.
  private(set) var code: Int?
  private(set) var words = ""
  private var lines: [String] = []
  private var replies = 0
  private var hasHeard = false
  private let needsStartTLS: Bool
  /// Whether the server takes addresses beyond ASCII; nil until it has said hello on the connection that the mail goes by.
  private(set) var offersUTF8: Bool?

  /// A line is 512 bytes (RFC 5321 section 4.5.3.1.5), and a server that says more than this says it to no one.
  private static let mostBytes = 65_536
  private var bytes = 0

  /// - Parameter needsStartTLS: Whether the server says hello twice.
  init(needsStartTLS: Bool) { self.needsStartTLS = needsStartTLS }

  /// Whether more has come than any server says.
  var isEndless: Bool { bytes > Self.mostBytes }

  /// - Returns: Whether a reply has ended with it.
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

  /// Replies are: the greeting; that to EHLO, or a refusal and that to HELO; and once more behind STARTTLS.
  private mutating func end(_ number: Int) {
    if offersUTF8 == nil, replies >= (needsStartTLS ? 3 : 1), number == 250 {
      offersUTF8 = lines.contains { $0.uppercased().split { $0.isWhitespace }.first == "SMTPUTF8" }
    }
    replies += 1
    (code, words) = (number, lines.joined(separator: " "))
    lines = []
  }
}
