/// A client's command (RFC 5321 section 4.1), parsed from its line without the line's end.
enum Command: Equatable {
  case hello(String, isExtended: Bool)
  case startTLS
  /// AUTH. The response is nil if it follows on a separate line (RFC 4954 section 4).
  case authenticate(mechanism: String, response: String?)
  case mail(from: String, parameters: [String])
  case recipient(String)
  case data, reset, noOperation, quit
  /// An unknown or malformed command. Holds its verb.
  case unknown(String)

  init(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let verb = words[0].uppercased()
    let isAlone = words.count == 1
    switch verb {
    case "EHLO" where words.count == 2: self = .hello(words[1], isExtended: true)
    case "HELO" where words.count == 2: self = .hello(words[1], isExtended: false)
    case "STARTTLS" where isAlone: self = .startTLS
    case "AUTH" where 2...3 ~= words.count:
      self = .authenticate(mechanism: words[1].uppercased(), response: words.dropFirst(2).first)
    case "MAIL":
      let path = Self.path(in: line, behind: "MAIL FROM:")
      self = path.map { .mail(from: $0.address, parameters: $0.parameters) } ?? .unknown(verb)
    case "RCPT":
      let path = Self.path(in: line, behind: "RCPT TO:")
      self = path.map { $0.address.isEmpty ? .unknown(verb) : .recipient($0.address) } ?? .unknown(verb)
    case "DATA" where isAlone: self = .data
    case "RSET" where isAlone: self = .reset
    case "NOOP": self = .noOperation
    case "QUIT" where isAlone: self = .quit
    default: self = .unknown(verb)
    }
  }

  /// Parses a path in angle brackets, and the parameters after it (section 4.1.2).
  private static func path(in line: String, behind prefix: String) -> (address: String, parameters: [String])? {
    guard line.uppercased().hasPrefix(prefix + "<"), let end = line.lastIndex(of: ">") else { return nil }
    let start = line.index(line.startIndex, offsetBy: prefix.count + 1)
    guard start <= end else { return nil }
    let rest = line[line.index(after: end)...]
    guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
    return (String(line[start..<end]), rest.split(separator: " ").map { $0.uppercased() })
  }
}
