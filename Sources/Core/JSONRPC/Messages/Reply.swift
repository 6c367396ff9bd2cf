package import Localization

/// A method's answer: a result as a JSON text, or an error.
package enum Reply: Equatable, Sendable {
  case result([UInt8])
  /// The result of an action that was done. It is sent whatever its size, because an error would mean that nothing was
  /// done. The method must therefore keep it small.
  case done([UInt8])
  case error(RPCError)

  var isDone: Bool { if case .done = self { true } else { false } }

  /// A result that `body` writes.
  package static func result(_ body: (inout JSONWriter) -> Void) -> Reply {
    var writer = JSONWriter()
    body(&writer)
    return .result(writer.bytes)
  }

  /// The result of an action that was done: an object with the members that `body` writes.
  package static func done(_ body: (inout JSONWriter) -> Void) -> Reply {
    var writer = JSONWriter()
    writer.object(body)
    return .done(writer.bytes)
  }

  package static func object(_ body: (inout JSONWriter) -> Void) -> Reply {
    .result { writer in writer.object(body) }
  }

  /// Writes the response object of JSON-RPC 2.0 §5.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of a result. A larger result becomes `response.tooLarge`.
  ///   - language: Returns the language of an error, given `RPCError.ranges`. Called only for an error.
  func write(id: RequestID, limit: Int, in language: (String?) -> Language, to writer: inout JSONWriter) {
    switch self {
    case .result(let text) where text.count > limit:
      Response.write(.responseTooLarge(limit: limit), id: id.source, in: language(nil), to: &writer)
    case .result(let text), .done(let text):
      Response.begin(id: id.source, to: &writer)
      writer.raw(text)
      Response.end(&writer)
    case .error(let error):
      Response.write(error, id: id.source, in: language(error.ranges), to: &writer)
    }
  }
}

/// The response object of JSON-RPC 2.0 §5. A result is written between `begin` and `end`.
enum Response {
  /// Writes everything before the result.
  @inline(__always)
  static func begin(id: some Sequence<UInt8>, to writer: inout JSONWriter) {
    writer.append("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    writer.beginText()
    writer.raw(id)
    writer.append(",\"result\":" as StaticString)
    writer.beginText()
  }

  /// Writes everything after the result.
  @inline(__always)
  static func end(_ writer: inout JSONWriter) { writer.append(UInt8(ascii: "}")) }

  static func write(_ error: RPCError, id: some Sequence<UInt8>, in language: Language, to writer: inout JSONWriter) {
    writer.append("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    writer.beginText()
    writer.raw(id)
    writer.append(",\"error\":" as StaticString)
    writer.beginText()
    error.write(in: language, to: &writer)
    end(&writer)
  }
}

extension RPCError {
  /// The error as a response with the id null, followed by a line feed.
  package func line(in language: Language) -> [UInt8] {
    var writer = JSONWriter()
    Response.write(self, id: RequestID.null.source, in: language, to: &writer)
    writer.append(UInt8(ascii: "\n"))
    return writer.bytes
  }
}
