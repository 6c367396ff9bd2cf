internal import RehearsedPorts

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
