internal import WireFormats
internal import WireProtocols

/// The parts of a request that matter for a login.
struct HTTPRequest {
  /// The most bytes of a body.
  static let longestBody = 65_536

  /// The credentials, or nil if they cannot be correct because they are missing, broken, or of another scheme.
  let login: Login?
  let bodyLength: Int
  /// Whether the client waits for a `100 Continue` before it sends the body.
  let awaitsContinue: Bool
  let persistence: HTTPPersistence

  /// Reads a head. Refuses a head that a proxy could read differently, because regd could then take a part of a body
  /// for a request, or the reverse (request smuggling).
  ///
  /// - Parameters:
  ///   - head: The lines, including the empty one.
  ///   - isTrusted: Whether the caller may name the client for which it asks.
  init(_ head: Octets, isTrusted: Bool) throws(HTTPRefusal) {
    var lines = HTTPLines(rest: head)
    guard let first = try lines.next() else { throw .malformed }
    let start = try HTTPRequestLine(first)
    var fields = HTTPFields()
    while let line = try lines.next() { try fields.take(line) }
    guard fields.hasHost || start.isOld else { throw .malformed }
    // ignores the field from an HTTP/1.0 client (RFC 9110 §10.1.1)
    if fields.expectation == .unknown, !start.isOld { throw .unknownExpectation }
    bodyLength = fields.length ?? 0
    guard bodyLength <= Self.longestBody else { throw .bodyTooLong }
    awaitsContinue = fields.expectation == .continue && !start.isOld
    login = fields.authorization.flatMap { BasicCredentials.login($0, origin: isTrusted ? fields.origin : []) }
    // closes after a CONNECT: a proxy takes a 2xx for the start of a tunnel, and would then pass its client's bytes to
    // regd as if they were the proxy's own requests
    if start.isConnect || fields.closes {
      persistence = .closes
    } else if start.isOld {
      persistence = fields.keepsAlive ? .staysByRequest : .closes
    } else {
      persistence = .stays
    }
  }
}

/// Why a request is refused. Every refusal ends the connection.
enum HTTPRefusal: Error {
  case malformed, bodyTooLong, unknownExpectation, otherVersion

  var status: HTTPStatus {
    switch self {
    case .malformed: .badRequest
    case .bodyTooLong: .bodyTooLong
    case .unknownExpectation: .unknownExpectation
    case .otherVersion: .otherVersion
    }
  }
}

/// Credentials of the scheme Basic (RFC 7617): a name, a colon and a password, in base64.
enum BasicCredentials {
  private static let scheme = "basic"

  /// - Parameters:
  ///   - value: The value of `Authorization`.
  ///   - origin: The origin that the caller names. It becomes part of the login.
  /// - Returns: Nil for another scheme, for text that is not base64 (RFC 4648 §4, with all its padding and without
  ///   stray bits), and for credentials without a colon.
  static func login(_ value: Octets, origin: [UInt8]) -> Login? {
    guard let end = value.firstIndex(of: HTTPSyntax.space), HTTPSyntax.isSame(value[..<end], scheme) else { return nil }
    guard let credentials = EncodedSecret.decoded(value[end...].drop { $0 == HTTPSyntax.space }) else { return nil }
    let bytes = credentials.bytes
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return Login(name: Array(bytes[..<colon]), password: Array(bytes[(colon + 1)...]), origin: origin)
  }
}

/// The lines of a head, without their ends.
private struct HTTPLines {
  var rest: Octets

  /// Returns the next line, or nil at the empty line.
  mutating func next() throws(HTTPRefusal) -> Octets? {
    guard let end = rest.firstIndex(of: HTTPSyntax.lineFeed) else { return nil }
    var line = rest[..<end]
    rest = rest[(end + 1)...]
    // RFC 9112 §2.2 permits a line that ends with a line feed alone. But a proxy that does not permit this would see
    // one field where regd sees two
    guard line.popLast() == HTTPSyntax.carriageReturn else { throw .malformed }
    guard line.allSatisfy(HTTPSyntax.isOfText) else { throw .malformed }
    return line.isEmpty ? nil : line
  }
}

/// Method, target and version, separated by one space each.
private struct HTTPRequestLine {
  /// Whether it is HTTP/1.0.
  let isOld: Bool
  let isConnect: Bool

  init(_ line: Octets) throws(HTTPRefusal) {
    let words = line.split(separator: HTTPSyntax.space, omittingEmptySubsequences: false)
    guard words.count == 3, HTTPSyntax.isToken(words[0]), !words[1].isEmpty,
      words[1].allSatisfy(HTTPSyntax.isOfTarget)
    else { throw .malformed }
    let version = Array(words[2])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == UInt8(ascii: "."),
      version[5] &- UInt8(ascii: "0") < 10, version[7] &- UInt8(ascii: "0") < 10
    else { throw .malformed }
    guard version[5] == UInt8(ascii: "1") else { throw .otherVersion }
    // a later 1.x is read as 1.1 (RFC 9110 §2.5)
    isOld = version[7] == UInt8(ascii: "0")
    // ignores case, although methods are case-sensitive, because a proxy may ignore it too
    isConnect = HTTPSyntax.isSame(words[0], "connect")
  }
}
