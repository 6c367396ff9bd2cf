/// The errors that the wire itself has: JSON-RPC 2.0 §5.1 and regd's own in the reserved range.
extension RPCError {
  package static func parse(_ detail: String) -> RPCError {
    RPCError(.parse, "This is not JSON: \(detail).")
  }

  package static func invalidRequest(_ detail: String, limit: Int? = nil) -> RPCError {
    RPCError(.invalidRequest, "This is not a JSON-RPC 2.0 request: \(detail).", limit: limit)
  }

  package static func methodNotFound(_ name: String) -> RPCError {
    RPCError(.methodNotFound, "There is no method \"\(name)\".")
  }

  package static func invalidParams(_ detail: String, field: String? = nil) -> RPCError {
    RPCError(.invalidParams, detail, field: field)
  }

  /// A fault of regd's own; what happened is in the log, not here.
  package static let `internal` = RPCError(
    .internal, "regd could not do this because of a fault of its own.")

  package static let draining = RPCError(
    .draining, "regd is stopping and takes no new requests.", retryable: true)

  package static func requestTooLarge(limit: Int) -> RPCError {
    RPCError(.requestTooLarge, "A message may have at most \(limit) bytes.", limit: limit)
  }

  package static func requestTooDeep(limit: Int) -> RPCError {
    RPCError(.requestTooDeep, "Arrays and objects may nest at most \(limit) deep.", limit: limit)
  }

  /// - Parameter retryAfter: Seconds after which a repeat has a chance.
  package static func busy(_ what: String, retryAfter: Int, limit: Int? = nil) -> RPCError {
    RPCError(.busy, what, retryable: true, retryAfter: retryAfter, limit: limit)
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
    RPCError(
      .requestTimeout, "regd could not answer within \(limit) s, and has done nothing.", retryable: true, limit: limit)
  }

  package static func idleTimeout(limit: Int) -> RPCError {
    RPCError(
      .requestTimeout, "Nothing came for \(limit) s, so regd closes the connection.", retryable: true, limit: limit)
  }

  package static let cancelled = RPCError(
    .cancelled, "The request was cancelled before anything was done.", retryable: true)

  /// - Parameters:
  ///   - limit: Requests a second.
  ///   - retryAfter: Seconds.
  package static func rateLimited(limit: Int, retryAfter: Int) -> RPCError {
    RPCError(
      .rateLimited, "A user may ask \(limit) times a second.", retryable: true, retryAfter: retryAfter, limit: limit)
  }

  /// - Parameter limit: Bytes.
  static func tooMuchHeld(limit: Int) -> RPCError {
    busy(
      "The user has regd hold more than \(limit) bytes, of unfinished texts, forms and requests under way.",
      retryAfter: 1, limit: limit)
  }

  static func tooManyInFlight(limit: Int) -> RPCError {
    busy("The user has \(limit) requests that have no reply yet.", retryAfter: 1, limit: limit)
  }

  /// - Parameter limit: Bytes.
  static func idTooLarge(limit: Int) -> RPCError {
    invalidRequest("its \"id\" may have at most \(limit) bytes", limit: limit)
  }

  package static func responseTooLarge(limit: Int) -> RPCError {
    RPCError(
      .responseTooLarge, "The answer would have more than \(limit) bytes; ask for less at once.", limit: limit)
  }

  package static func batchTooLarge(limit: Int) -> RPCError {
    RPCError(.batchTooLarge, "A batch may have at most \(limit) items.", limit: limit)
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
