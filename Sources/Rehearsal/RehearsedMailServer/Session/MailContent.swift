/// A mail as it arrives after DATA (RFC 5321 section 4.5.2), line by line.
struct MailContent {
  enum Part { case header, body }

  /// The mail without stuffed dots. Its lines end with CRLF.
  private(set) var bytes: [UInt8] = []
  private(set) var complaints: [String] = []
  private var part = Part.header
  private var partsBeyondASCII: Set<Part> = []

  func hasEightBits(in part: Part) -> Bool { partsBeyondASCII.contains(part) }

  /// - Parameter line: A line with its line end.
  /// - Returns: Whether the line ends the mail. Any other line is added to the mail.
  mutating func takes(_ line: [UInt8]) -> Bool {
    if line == Array(".\r\n".utf8) { return true }
    let text = line.dropLast(line.hasSuffix("\r\n") ? 2 : 1)
    if !line.hasSuffix("\r\n") { complain("a line that ends without CR (RFC 5321 section 2.3.8)") }
    if text.contains(0x0D) { complain("a CR within a line (RFC 5321 section 2.3.8)") }
    if text.contains(0) { complain("a NUL (RFC 5321 section 4.5.3.1.6, RFC 5322 section 2.2)") }
    if text.count > 998 { complain("a line of \(text.count) octets; 998 are allowed (RFC 5322 section 2.1.1)") }
    if text.contains(where: { $0 >= 0x80 }) { partsBeyondASCII.insert(part) }
    if text.isEmpty { part = .body }
    bytes += text.first == 0x2E ? text.dropFirst() : text
    bytes += [0x0D, 0x0A]
    return false
  }

  private mutating func complain(_ words: String) {
    if !complaints.contains(words) { complaints.append(words) }
  }
}

extension [UInt8] {
  func hasSuffix(_ text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
