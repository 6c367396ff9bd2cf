internal import Reasons
package import Sentences
package import WireProtocols

/// Makes the errors of the wire protocol: those of JSON-RPC 2.0 §5.1, and regd's own in the reserved range.
extension RPCError {
  package static func parse(_ sentence: Sentence) -> RPCError { RPCError(.parse, sentence) }

  package static func invalidRequest(_ sentence: Sentence, limit: Int? = nil) -> RPCError {
    RPCError(.invalidRequest, sentence, limit: limit)
  }

  package static func methodNotFound(_ name: String) -> RPCError {
    RPCError(.methodNotFound, Sentence(RPCSentence.methodNotFound, ["method": .text(name)]))
  }

  package static func invalidParams(_ sentence: Sentence, field: String? = nil) -> RPCError {
    RPCError(.invalidParams, sentence, field: field)
  }

  /// An internal error of regd. The details are in the log, not in the reply.
  package static let `internal` = RPCError(.internal, Sentence(RPCSentence.internal))

  package static let draining = RPCError(.draining, Sentence(ServerSentence.draining), retryable: true)

  package static func requestTooLarge(limit: Int) -> RPCError {
    RPCError(.requestTooLarge, Sentence(RequestSentence.tooLarge, ["limit": .number(limit)]), limit: limit)
  }

  package static func requestTooDeep(limit: Int) -> RPCError {
    RPCError(.requestTooDeep, Sentence(RequestSentence.tooDeep, ["limit": .number(limit)]), limit: limit)
  }

  /// - Parameter retryAfter: Seconds after which a repeat may succeed.
  package static func busy(_ sentence: Sentence, retryAfter: Int, limit: Int? = nil) -> RPCError {
    RPCError(.busy, sentence, retryable: true, retryAfter: retryAfter, limit: limit)
  }

  /// The id belongs to another request of the same connection or batch that has no reply yet.
  package static let duplicateID = invalidRequest(Sentence(RPCSentence.duplicateID))

  package static func accessDenied(_ method: StaticString, needs access: Access, uid: UInt32) -> RPCError {
    RPCError(
      .accessDenied,
      Sentence(
        AccessSentence.denied,
        ["method": .text("\(method)"), "access": .text(access.rawValue), "uid": .number(Int(uid))]))
  }

  /// - Parameter limit: In seconds.
  package static func requestTimeout(limit: Int) -> RPCError {
    RPCError(
      .requestTimeout, Sentence(RequestSentence.timeout, ["seconds": .number(limit)]), retryable: true, limit: limit)
  }

  package static let cancelled = RPCError(.cancelled, Sentence(RequestSentence.cancelled), retryable: true)

  /// - Parameter limit: In bytes.
  static func tooMuchHeld(limit: Int) -> RPCError {
    busy(Sentence(ServerSentence.held, ["limit": .number(limit)]), retryAfter: 1, limit: limit)
  }

  static func tooManyInFlight(limit: Int) -> RPCError {
    busy(Sentence(ServerSentence.inFlight, ["limit": .number(limit)]), retryAfter: 1, limit: limit)
  }

  /// - Parameter limit: In bytes.
  static func idTooLarge(limit: Int) -> RPCError {
    invalidRequest(Sentence(RPCSentence.longID, ["limit": .number(limit)]), limit: limit)
  }

  package static func responseTooLarge(limit: Int) -> RPCError {
    RPCError(.responseTooLarge, Sentence(ResponseSentence.tooLarge, ["limit": .number(limit)]), limit: limit)
  }

  package static func batchTooLarge(limit: Int) -> RPCError {
    RPCError(.batchTooLarge, Sentence(BatchSentence.tooLarge, ["limit": .number(limit)]), limit: limit)
  }

  init(_ refusal: MessageFraming.Refusal) {
    self =
      switch refusal {
      case .notJSON(let offset, let expected): .parse(Self.sentence(offset, expected))
      case .tooLarge(let limit): .requestTooLarge(limit: limit)
      case .tooDeep(let limit): .requestTooDeep(limit: limit)
      case .header(let problem): .parse(Self.sentence(problem))
      }
  }

  private static func sentence(_ offset: Int, _ expected: JSONSentence) -> Sentence {
    Sentence(RPCSentence.parse, ["offset": .number(offset), "expected": .sentence(Sentence(expected))])
  }

  private static func sentence(_ problem: HeaderBlock.Problem) -> Sentence {
    switch problem {
    case .lengthMissing: Sentence(RPCSentence.headerWithoutLength)
    case .lengthTwice: Sentence(RPCSentence.headerWithTwoLengths)
    case .lengthInvalid: Sentence(RPCSentence.headerLength)
    case .lineInvalid: Sentence(RPCSentence.headerLine)
    case .tooLarge(let limit): Sentence(RPCSentence.headerTooLarge, ["limit": .number(limit)])
    case .unfinished: Sentence(RPCSentence.headerUnfinished)
    }
  }

  package init(_ failure: JSONReadError) {
    self =
      switch failure.reason {
      case .syntax(let expected): .parse(Self.sentence(failure.offset, expected))
      case .tooDeep(let limit): .requestTooDeep(limit: limit)
      }
  }
}
