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
