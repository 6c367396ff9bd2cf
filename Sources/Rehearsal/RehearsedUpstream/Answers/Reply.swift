internal import WireFormats

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
    var fields: [(name: String, value: String)] = body.isEmpty ? [] : [("Content-Type", "application/json")]
    fields.append(("Content-Length", "\(length ?? body.count)"))
    fields += headers
    if isLast { fields.append(("Connection", "close")) }
    bytes = Array(HTTPStatus(status).head(fields).utf8) + body
    self.ending = ending ?? (isLast ? .finish : .keep)
  }
}
