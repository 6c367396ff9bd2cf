/// What a method answers: a result as a JSON text, or an error.
package enum Reply: Equatable, Sendable {
  case result([UInt8])
  case error(RPCError)

  /// A result that `body` writes.
  package static func result(_ body: (inout JSONWriter) -> Void) -> Reply {
    var writer = JSONWriter()
    body(&writer)
    return .result(writer.bytes)
  }

  package static func object(_ body: (inout JSONWriter) -> Void) -> Reply {
    .result { writer in writer.object(body) }
  }

  /// Writes the response object of JSON-RPC 2.0 §5.
  func write(id: RequestID, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.name("id")
      writer.raw(id.source)
      switch self {
      case .result(let text):
        writer.name("result")
        writer.raw(text)
      case .error(let error):
        writer.name("error")
        error.write(to: &writer)
      }
    }
  }
}
