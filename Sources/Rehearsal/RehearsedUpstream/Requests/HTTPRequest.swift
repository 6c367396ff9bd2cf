internal import RehearsedPorts

/// A request of HTTP/1.1 (RFC 9112), as far as this server needs it.
struct HTTPRequest {
  let method: String
  let target: String
  /// The headers in order, their names in ASCII lower case.
  let headers: [(name: String, value: String)]
  var body: [UInt8] = []

  /// Whether the client sends no further request on the connection.
  let isLast: Bool

  func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

  /// Why a request is not executed: the answer's status, and the ledger's complaint.
  struct Refusal: Error, Equatable {
    let status: Int
    let reason: String
  }

  /// - Parameter head: The head without the empty line at its end.
  init(head: ArraySlice<UInt8>) throws(Refusal) {
    guard let text = String(validating: head, as: UTF8.self) else {
      throw Refusal(status: 400, reason: "the request's head is not UTF-8")
    }
    var lines = Self.lines(text)[...]
    let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/") else {
      throw Refusal(status: 400, reason: "the request line is no \"METHOD /path HTTP/1.1\"")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw Refusal(status: 505, reason: "\"\(words[2])\" is not HTTP/1.1")
    }
    method = String(words[0])
    target = String(words[1])
    var headers: [(name: String, value: String)] = []
    for line in lines { headers.append(try Self.header(line)) }
    self.headers = headers
    let connection = headers.filter { $0.name == "connection" }.map { $0.value.lowercasedASCII }
    isLast = words[2] == "HTTP/1.0" || connection.contains("close")
    guard words[2] == "HTTP/1.0" || headers.count(where: { $0.name == "host" }) == 1 else {
      throw Refusal(status: 400, reason: "there is not one Host header")
    }
  }

  /// How many bytes of body follow the head.
  func bodyLength() throws(Refusal) -> Int {
    guard values(of: "transfer-encoding").isEmpty else {
      throw Refusal(status: 411, reason: "the body is sent in chunks, and has no Content-Length")
    }
    let lengths = values(of: "content-length")
    guard let first = lengths.first else {
      if method != "POST" { return 0 }
      throw Refusal(status: 411, reason: "a POST has no Content-Length")
    }
    guard lengths.count == 1, !first.isEmpty, first.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(first)
    else { throw Refusal(status: 400, reason: "the Content-Length is no number") }
    return length
  }

  private static func header(_ line: Substring) throws(Refusal) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
      line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Refusal(status: 400, reason: "a header is no \"Name: value\"") }
    var value = line[line.index(after: colon)...]
    while let first = value.first, first == " " || first == "\t" { value.removeFirst() }
    while let last = value.last, last == " " || last == "\t" { value.removeLast() }
    return (String(line[..<colon]).lowercasedASCII, String(value))
  }

  /// Splits by Unicode scalars, because "\r\n" is a single `Character`.
  private static func lines(_ text: String) -> [Substring] {
    let scalars = text.unicodeScalars
    return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Substring(line.last == "\r" ? line.dropLast() : line)
    }
  }
}

extension String {
  /// The text with its ASCII letters in lower case.
  var lowercasedASCII: String {
    String(decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// Reads requests from a connection, one after another. Keeps bytes of the next request that have already arrived.
struct RequestReader {
  private let socket: SharedSocket
  private var pending: [UInt8] = []

  static let maximumBytes = 1_048_576

  init(_ socket: SharedSocket) { self.socket = socket }

  /// The next request, or nil if the connection ends before it is complete.
  mutating func next() throws(HTTPRequest.Refusal) -> HTTPRequest? {
    guard let headEnd = try headEnd() else { return nil }
    var request = try HTTPRequest(head: pending[..<headEnd])
    let length = try request.bodyLength()
    let bodyStart = headEnd + 4
    guard length <= Self.maximumBytes - bodyStart else { throw Self.tooLarge(413) }
    // the client may wait for this answer before it sends the body (RFC 9110 §10.1.1)
    if length > 0, pending.count == bodyStart, request.values(of: "expect").contains("100-continue") {
      socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    while pending.count < bodyStart + length { guard more() else { return nil } }
    request.body = Array(pending[bodyStart..<bodyStart + length])
    pending.removeFirst(bodyStart + length)
    return request
  }

  /// The index of the empty line that ends the head.
  private mutating func headEnd() throws(HTTPRequest.Refusal) -> Int? {
    var searched = 0
    while true {
      if let end = pending[searched...].firstRange(of: Array("\r\n\r\n".utf8)) { return end.lowerBound }
      searched = max(0, pending.count - 3)
      guard pending.count <= Self.maximumBytes else { throw Self.tooLarge(431) }
      guard more() else { return nil }
    }
  }

  private mutating func more() -> Bool {
    let bytes = socket.receive()
    pending += bytes
    return !bytes.isEmpty
  }

  private static func tooLarge(_ status: Int) -> HTTPRequest.Refusal {
    HTTPRequest.Refusal(status: status, reason: "the request is larger than \(maximumBytes) bytes")
  }
}
