internal import LoginVerdicts

/// Squid's helper for basic authentication: lines `user password`, URL-escaped. If each line begins with a channel's
/// number, many lines may be in flight, and answers repeat that number. Otherwise lines are answered in order.
package struct SquidProtocol: HelperProtocol {
  private var received = ReceivedBytes()
  private var output: [UInt8] = []
  /// The numbers of channels as Squid wrote them, by ticket, or nil for a line without a channel's number.
  private var asked: [Int: String?] = [:]
  private var lastTicket = 0
  private var isAskingInOrder = false
  /// Whether bytes up to the next line feed belong to a line that was too long.
  private var isSkipping = false
  private let domain: String?
  private let groups: [String]

  /// The most bytes of a line: those of the longest password, each escaped, and of a name. Squid's own lines are shorter, and
  /// no account's name and password make a longer one.
  package static let longestLine = 3 * Credentials.longest + 8192
  /// The most questions in flight, as many as regd allows on a connection.
  package static let mostInFlight = 64

  /// - Parameters:
  ///   - domain: Completes a name without an @.
  ///   - groups: The account must be in one of these groups, if there are any.
  package init(domain: String?, groups: [String] = []) { (self.domain, self.groups) = (domain, groups) }

  package mutating func receive(_ bytes: [UInt8]) { received.append(bytes) }

  package mutating func nextQuestion() -> (ticket: Int, question: HelperQuestion)? {
    let domain = domain
    while asked.count < Self.mostInFlight, !isAskingInOrder {
      let line: SquidLine
      if let end = received.lineEnd() {
        let isRest = isSkipping
        isSkipping = false
        line = received.take(end + 1) { bytes in SquidLine(bytes.dropLast(), domain, isRest: isRest) }
      } else if received.count > Self.longestLine {
        let isRest = isSkipping
        isSkipping = true
        line = received.take(received.count) { bytes in SquidLine(bytes, domain, isRest: isRest) }
      } else {
        return nil
      }
      switch line.content {
      case .credentials(let credentials):
        lastTicket += 1
        asked[lastTicket] = .some(line.channel)
        isAskingInOrder = line.channel == nil
        return (lastTicket, .signIn(credentials, groups: groups))
      case .wrong: write(line.channel, "ERR")
      case .unreadable(let reason): write(line.channel, "BH \(Self.message(reason))")
      case .nothing: break
      }
    }
    return nil
  }

  package mutating func answer(_ ticket: Int, _ answer: HelperAnswer) {
    guard let channel = asked.removeValue(forKey: ticket) else { return }
    if channel == nil { isAskingInOrder = false }
    let message = Self.message(answer.reason ?? "")
    switch answer.verdict {
    case .right: write(channel, "OK")
    case .wrong: write(channel, "ERR")
    case .refused: write(channel, "ERR \(message)")
    case .away: write(channel, "BH \(message)")
    }
  }

  package mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  package var wantsMore: Bool { received.count <= Self.longestLine }

  private mutating func write(_ channel: String?, _ answer: String) {
    output += "\(channel.map { "\($0) " } ?? "")\(answer)\n".utf8
  }

  /// A reason without the characters that would end Squid's quoted value. regd's reasons contain letters and dots only.
  private static func message(_ reason: String) -> String {
    let name = reason.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == ".") }
    return "message=\"\(String(String.UnicodeScalarView(name)))\""
  }
}

/// A parsed line from Squid.
private struct SquidLine {
  enum Content {
    case credentials(Credentials)
    /// A name and a password that no account can have.
    case wrong
    /// Not a line as Squid writes it. Holds the reason for Squid's log.
    case unreadable(String)
    /// The rest of a line that was already answered.
    case nothing
  }

  var channel: String?
  var content = Content.nothing

  /// - Parameter isRest: Whether the line's beginning was answered already.
  init(_ line: ArraySlice<UInt8>, _ domain: String?, isRest: Bool) {
    guard !isRest else { return }
    // examines a fixed part of a too long line, so that the answer does not depend on how much of it has arrived
    let isTooLong = line.count > SquidProtocol.longestLine
    let line = line.prefix(SquidProtocol.longestLine + 1)
    var fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    if fields.count > 2, let first = fields.first, (1...20).contains(first.count), first.allSatisfy(Self.isDigit) {
      channel = String(decoding: first, as: UTF8.self)
      fields.removeFirst()
    }
    guard !isTooLong else {
      content = .wrong
      return
    }
    guard fields.count == 2 else {
      content = .unreadable("rpc.invalidRequest")
      return
    }
    let (login, password) = (URLEscapes.removed(from: fields[0]), URLEscapes.removed(from: fields[1]))
    content = Credentials(login: login, password: password, realm: domain).map { .credentials($0) } ?? .wrong
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Escapes of URLs (RFC 1738 §2.2): a percent sign and two hexadecimal digits encode a byte.
enum URLEscapes {
  /// The bytes that a text encodes. A percent sign without digits after it is kept, as Squid reads it.
  static func removed(from text: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escaped(rest.prefix(2)) {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func escaped(_ text: some Collection<UInt8>) -> UInt8? {
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return digits.count == 2 ? UInt8(16 * digits[0] + digits[1]) : nil
  }
}
