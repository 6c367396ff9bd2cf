/// An error's stable name, which programs switch on, and its code.
///
/// This type declares the reasons of the protocol and of the server's own refusals. An application declares its own as
/// further static members. An `RPCError` adds the sentence for a person, and whether a repeat may succeed.
package struct ErrorReason: Hashable, Sendable {
  /// The name, for example `rpc.parse`. Reasons with equal names are equal.
  package let name: String
  /// The code of the error object. Negative codes belong to JSON-RPC (2.0 §5.1, and -32000 to -32099 for servers) and to the
  /// Language Server Protocol.
  package let code: Int

  package init(_ name: String, _ code: Int) {
    self.name = name
    self.code = code
  }

  package static func == (one: ErrorReason, other: ErrorReason) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ErrorReason {
  // JSON-RPC 2.0 §5.1
  package static let parse = ErrorReason("rpc.parse", -32700)
  package static let invalidRequest = ErrorReason("rpc.invalidRequest", -32600)
  package static let methodNotFound = ErrorReason("rpc.methodNotFound", -32601)
  package static let invalidParams = ErrorReason("rpc.invalidParams", -32602)
  package static let `internal` = ErrorReason("rpc.internal", -32603)
  // codes of the server, in the range that JSON-RPC leaves to servers
  package static let draining = ErrorReason("server.draining", -32000)
  package static let accessDenied = ErrorReason("access.denied", -32001)
  package static let requestTimeout = ErrorReason("request.timeout", -32002)
  package static let rateLimited = ErrorReason("rate.limited", -32003)
  package static let requestTooLarge = ErrorReason("request.tooLarge", -32007)
  package static let requestTooDeep = ErrorReason("request.tooDeep", -32007)
  package static let responseTooLarge = ErrorReason("response.tooLarge", -32008)
  package static let busy = ErrorReason("server.busy", -32009)
  package static let batchTooLarge = ErrorReason("batch.tooLarge", -32010)
  // RequestCancelled of the Language Server Protocol
  package static let cancelled = ErrorReason("request.cancelled", -32800)

  /// The reasons for which any method may refuse a call.
  package static let ofProtocol = [
    parse, invalidRequest, methodNotFound, invalidParams, `internal`, draining, accessDenied, requestTimeout,
    rateLimited, requestTooLarge, requestTooDeep, responseTooLarge, busy, batchTooLarge, cancelled,
  ]
}
