internal import LoginVerdicts

/// The header fields that regd uses.
struct HTTPFields {
  enum Expectation { case none, `continue`, unknown }

  private(set) var hasHost = false
  /// The value of `Authorization`. Not copied, because it is secret.
  private(set) var authorization: Octets?
  private(set) var length: Int?
  private(set) var expectation = Expectation.none
  private(set) var closes = false
  private(set) var keepsAlive = false
  private var realAddress: Octets?
  private var lastForwarded: Octets?

  /// The address that the caller names for its client, in canonical form. Empty if it names no address. Uses the last
  /// of several lines, and the last entry of a list, because a proxy appends its value to those that its client sent.
  /// If the last entry is empty, there is no address, because earlier entries may be forged.
  var origin: [UInt8] {
    if let realAddress, !realAddress.isEmpty { return ClientAddress.last(of: realAddress) }
    return lastForwarded.map { ClientAddress.last(of: $0) } ?? []
  }

  /// Takes one header line. Refuses a line that does not begin with a name and a colon directly after it: programs
  /// disagree about white space before a colon, and about folded lines.
  mutating func take(_ line: Octets) throws(HTTPRefusal) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPSyntax.isToken(line[..<colon]) else {
      throw .malformed
    }
    let name = line[..<colon]
    let value = HTTPSyntax.trimmed(line[(colon + 1)...])
    switch Known.allCases.first(where: { HTTPSyntax.isSame(name, $0.rawValue) }) {
    case .host:
      guard !hasHost, HTTPSyntax.isHost(value) else { throw .malformed }
      hasHost = true
    case .authorization:
      guard authorization == nil else { throw .malformed }
      authorization = value
    case .contentLength: try takeLength(value)
    // regd supports no transfer coding. Together with a length it could smuggle a request.
    case .transferEncoding: throw .malformed
    case .connection: takeOptions(value)
    case .expect:
      let isKnown = HTTPSyntax.isSame(value, "100-continue") && expectation != .unknown
      expectation = isKnown ? .continue : .unknown
    case .realAddress: realAddress = value
    case .forwardedFor: lastForwarded = value
    case nil: break
    }
  }

  private enum Known: String, CaseIterable {
    case host, authorization, connection, expect
    case contentLength = "content-length"
    case transferEncoding = "transfer-encoding"
    case realAddress = "x-real-ip"
    case forwardedFor = "x-forwarded-for"
  }

  private mutating func takeLength(_ value: Octets) throws(HTTPRefusal) {
    guard !value.isEmpty else { throw .malformed }
    var number = 0
    for byte in value {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { throw .malformed }
      // Caps the number, so that it cannot overflow. Any length beyond the limit is refused anyway.
      number = min(number * 10 + Int(digit), 10 * HTTPRequest.longestBody)
    }
    guard length == nil || length == number else { throw .malformed }
    length = number
  }

  private mutating func takeOptions(_ value: Octets) {
    for option in Self.entries(value) {
      if HTTPSyntax.isSame(option, "close") { closes = true }
      if HTTPSyntax.isSame(option, "keep-alive") { keepsAlive = true }
    }
  }

  private static func entries(_ value: Octets) -> [Octets] {
    value.split(separator: HTTPSyntax.comma, omittingEmptySubsequences: false).map { HTTPSyntax.trimmed($0) }
  }
}
