/// The bytes to send, and what the server then does with the connection.
struct Reply: Equatable {
  enum Ending: Equatable {
    /// Reads the next request.
    case keep
    /// Sends FIN.
    case finish
    /// Sends RST.
    case reset
    /// Waits until the peer closes or the server stops.
    case hold
  }

  var bytes: [UInt8]
  var ending: Ending

  /// Sends nothing.
  init(_ ending: Ending) {
    bytes = []
    self.ending = ending
  }

  /// - Parameters:
  ///   - length: The Content-Length, if it differs from the body's.
  ///   - isLast: Whether the head has `Connection: close`. The server then sends FIN, unless `ending` is given.
  init(
    _ status: Int, _ headers: [(name: String, value: String)] = [], body: some Collection<UInt8> = [],
    length: Int? = nil, isLast: Bool, ending: Ending? = nil
  ) {
    var head = "HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n"
    if !body.isEmpty { head += "Content-Type: application/json\r\n" }
    head += "Content-Length: \(length ?? body.count)\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if isLast { head += "Connection: close\r\n" }
    bytes = Array((head + "\r\n").utf8) + body
    self.ending = ending ?? (isLast ? .finish : .keep)
  }

  private static func phrase(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 302: "Found"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    case 423: "Locked"
    case 425: "Too Early"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
