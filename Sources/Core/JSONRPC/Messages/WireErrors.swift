/// The errors that the wire itself has: JSON-RPC 2.0 §5.1 and regd's own in the reserved range.
extension RPCError {
  package static func parse(_ detail: String) -> RPCError {
    RPCError(.parse, "This is not JSON: \(detail).")
  }

  package static func invalidRequest(_ detail: String) -> RPCError {
    RPCError(.invalidRequest, "This is not a JSON-RPC 2.0 request: \(detail).")
  }

  package static func methodNotFound(_ name: String) -> RPCError {
    RPCError(.methodNotFound, "There is no method \"\(name)\".")
  }

  package static func invalidParams(_ detail: String, field: String? = nil) -> RPCError {
    var error = RPCError(.invalidParams, detail)
    error.field = field
    return error
  }

  /// A fault of regd's own; what happened is in the log, not here.
  package static let `internal` = RPCError(
    .internal, "regd could not do this because of a fault of its own.")

  package static let draining = RPCError(
    .draining, "regd is stopping and takes no new requests.", retryable: true)

  package static func requestTooLarge(limit: Int) -> RPCError {
    var error = RPCError(
      .requestTooLarge, "A message may have at most \(limit) bytes.")
    error.limit = limit
    return error
  }

  package static func requestTooDeep(limit: Int) -> RPCError {
    var error = RPCError(
      .requestTooDeep, "Arrays and objects may nest at most \(limit) deep.")
    error.limit = limit
    return error
  }

  /// - Parameter retryAfter: Seconds after which a repeat has a chance.
  package static func busy(_ what: String, retryAfter: Int) -> RPCError {
    var error = RPCError(.busy, what, retryable: true)
    error.retryAfter = retryAfter
    return error
  }

  /// The id is that of a request on the same connection which has no reply yet.
  package static let duplicateID = invalidRequest("its \"id\" is that of a request that has no reply yet")

  package static func accessDenied(_ method: StaticString, needs access: Access, uid: UInt32) -> RPCError {
    RPCError(
      .accessDenied,
      "\(method) needs the access class \"\(access.rawValue)\", which the caller, uid \(uid), does not have.")
  }

  /// - Parameter limit: Seconds.
  package static func requestTimeout(limit: Int) -> RPCError {
    var error = RPCError(
      .requestTimeout, "regd could not answer within \(limit) s, and has done nothing.", retryable: true)
    error.limit = limit
    return error
  }

  package static func idleTimeout(limit: Int) -> RPCError {
    var error = RPCError(
      .requestTimeout, "Nothing came for \(limit) s, so regd closes the connection.", retryable: true)
    error.limit = limit
    return error
  }

  package static let cancelled = RPCError(
    .cancelled, "The request was cancelled before anything was done.", retryable: true)

  /// - Parameters:
  ///   - limit: Requests a second.
  ///   - retryAfter: Seconds.
  package static func rateLimited(limit: Int, retryAfter: Int) -> RPCError {
    var error = RPCError(.rateLimited, "A user may ask \(limit) times a second.", retryable: true)
    error.limit = limit
    error.retryAfter = retryAfter
    return error
  }

  /// - Parameter limit: Bytes.
  static func tooMuchHeld(limit: Int) -> RPCError {
    var error = RPCError.busy(
      "The user has regd hold more than \(limit) bytes, of unfinished texts, forms and requests under way.",
      retryAfter: 1)
    error.limit = limit
    return error
  }

  static func tooManyInFlight(limit: Int) -> RPCError {
    var error = busy("The user has \(limit) requests that have no reply yet.", retryAfter: 1)
    error.limit = limit
    return error
  }

  /// - Parameter limit: Bytes.
  static func idTooLarge(limit: Int) -> RPCError {
    var error = invalidRequest("its \"id\" may have at most \(limit) bytes")
    error.limit = limit
    return error
  }

  package static func responseTooLarge(limit: Int) -> RPCError {
    var error = RPCError(.responseTooLarge, "The answer would have more than \(limit) bytes; ask for less at once.")
    error.limit = limit
    return error
  }

  package static func batchTooLarge(limit: Int) -> RPCError {
    var error = RPCError(
      .batchTooLarge, "A batch may have at most \(limit) items.")
    error.limit = limit
    return error
  }

  init(_ refusal: MessageFraming.Refusal) {
    self =
      switch refusal {
      case .notJSON: .parse("its structure is broken")
      case .tooLarge(let limit): .requestTooLarge(limit: limit)
      case .tooDeep(let limit): .requestTooDeep(limit: limit)
      case .header(let problem): .parse(Self.describe(problem))
      }
  }

  private static func describe(_ problem: HeaderBlock.Problem) -> String {
    switch problem {
    case .lengthMissing: "a header block without Content-Length; right is Content-Length: N, an empty line, N bytes"
    case .lengthTwice: "Content-Length stands in the header block twice"
    case .lengthInvalid: "Content-Length must be a whole number of bytes, written in digits"
    case .lineInvalid: "a line of the header block is not Name: value"
    case .tooLarge(let limit): "a header block may have at most \(limit) bytes"
    case .unfinished: "the header block has no end"
    }
  }

  init(_ failure: JSONReadError) {
    self =
      switch failure.reason {
      case .syntax(let expected): .parse("at byte \(failure.offset), expected \(expected)")
      case .tooDeep(let limit): .requestTooDeep(limit: limit)
      }
  }
}
