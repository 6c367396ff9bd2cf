package import Localization
internal import Reasons
package import WireProtocols

/// Makes the errors of the wire protocol: those of JSON-RPC 2.0 §5.1, and regd's own in the reserved range.
extension RPCError {
  package static func parse(_ sentence: LocalizedMessage) -> RPCError { RPCError(.parse, sentence) }

  package static func invalidRequest(_ sentence: LocalizedMessage, limit: Int? = nil) -> RPCError {
    RPCError(.invalidRequest, sentence, limit: limit)
  }

  package static func methodNotFound(_ name: String) -> RPCError {
    RPCError(.methodNotFound, LocalizedMessage(RPCMessageKey.methodNotFound, ["method": .text(name)]))
  }

  package static func invalidParams(_ sentence: LocalizedMessage, field: String? = nil) -> RPCError {
    RPCError(.invalidParams, sentence, field: field)
  }

  /// An internal error of regd. The details are in the log, not in the reply.
  package static let `internal` = RPCError(.internal, LocalizedMessage(RPCMessageKey.internal))

  package static let draining = RPCError(.draining, LocalizedMessage(ServerMessageKey.draining), retryable: true)

  package static func requestTooLarge(limit: Int) -> RPCError {
    RPCError(.requestTooLarge, LocalizedMessage(RequestMessageKey.tooLarge, ["limit": .number(limit)]), limit: limit)
  }

  package static func requestTooDeep(limit: Int) -> RPCError {
    RPCError(.requestTooDeep, LocalizedMessage(RequestMessageKey.tooDeep, ["limit": .number(limit)]), limit: limit)
  }

  /// - Parameter retryAfter: Seconds after which a repeat may succeed.
  package static func busy(_ sentence: LocalizedMessage, retryAfter: Int, limit: Int? = nil) -> RPCError {
    RPCError(.busy, sentence, retryable: true, retryAfter: retryAfter, limit: limit)
  }

  /// The id belongs to another request of the same connection or batch that has no reply yet.
  package static let duplicateID = invalidRequest(LocalizedMessage(RPCMessageKey.duplicateID))

  package static func accessDenied(_ method: StaticString, needs access: Access, uid: UInt32) -> RPCError {
    RPCError(
      .accessDenied,
      LocalizedMessage(
        AccessMessageKey.denied,
        ["method": .text("\(method)"), "access": .text(access.rawValue), "uid": .number(Int(uid))]))
  }

  /// - Parameter limit: In seconds.
  package static func requestTimeout(limit: Int) -> RPCError {
    RPCError(
      .requestTimeout, LocalizedMessage(RequestMessageKey.timeout, ["seconds": .number(limit)]), retryable: true,
      limit: limit)
  }

  package static let cancelled = RPCError(.cancelled, LocalizedMessage(RequestMessageKey.cancelled), retryable: true)

  /// - Parameter limit: In bytes.
  static func tooMuchHeld(limit: Int) -> RPCError {
    busy(LocalizedMessage(ServerMessageKey.held, ["limit": .number(limit)]), retryAfter: 1, limit: limit)
  }

  static func tooManyInFlight(limit: Int) -> RPCError {
    busy(LocalizedMessage(ServerMessageKey.inFlight, ["limit": .number(limit)]), retryAfter: 1, limit: limit)
  }

  /// - Parameter limit: In bytes.
  static func idTooLarge(limit: Int) -> RPCError {
    invalidRequest(LocalizedMessage(RPCMessageKey.longID, ["limit": .number(limit)]), limit: limit)
  }

  package static func responseTooLarge(limit: Int) -> RPCError {
    RPCError(.responseTooLarge, LocalizedMessage(ResponseMessageKey.tooLarge, ["limit": .number(limit)]), limit: limit)
  }

  package static func batchTooLarge(limit: Int) -> RPCError {
    RPCError(.batchTooLarge, LocalizedMessage(BatchMessageKey.tooLarge, ["limit": .number(limit)]), limit: limit)
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

  private static func sentence(_ offset: Int, _ expected: JSONMessageKey) -> LocalizedMessage {
    LocalizedMessage(
      RPCMessageKey.parse, ["offset": .number(offset), "expected": .sentence(LocalizedMessage(expected))])
  }

  private static func sentence(_ problem: HeaderBlock.Problem) -> LocalizedMessage {
    switch problem {
    case .lengthMissing: LocalizedMessage(RPCMessageKey.headerWithoutLength)
    case .lengthTwice: LocalizedMessage(RPCMessageKey.headerWithTwoLengths)
    case .lengthInvalid: LocalizedMessage(RPCMessageKey.headerLength)
    case .lineInvalid: LocalizedMessage(RPCMessageKey.headerLine)
    case .tooLarge(let limit): LocalizedMessage(RPCMessageKey.headerTooLarge, ["limit": .number(limit)])
    case .unfinished: LocalizedMessage(RPCMessageKey.headerUnfinished)
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
