/// Why there is no reply.
public enum RegdClientFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody listens at the path, or it may not be used.
  case cannotConnect(path: String, reason: String)
  /// No reply within the client's time.
  case timedOut(seconds: Int)
  /// The connection ended before the reply.
  case disconnected
  /// What came is no reply to what was asked.
  case notAReply(String)

  public var description: String {
    switch self {
    case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
    case .timedOut(let seconds): "no answer within \(seconds) seconds"
    case .disconnected: "regd closed the connection"
    case .notAReply(let text): "this is no reply: \(text)"
    }
  }
}

/// An error that regd answered.
public struct RegdError: Error, Equatable, Sendable {
  public let code: Int
  /// The stable name to switch on, as `email.taken`.
  public let reason: String
  /// One sentence for a person.
  public let message: String
  /// `data` as it came.
  public let data: JSONValue
  /// The whole error as it came.
  public let source: JSONValue

  init?(_ error: JSONValue) {
    guard let code = error["code"]?.integer, let message = error["message"]?.string, let data = error["data"],
      let reason = data["reason"]?.string
    else { return nil }
    self.code = code
    self.message = message
    self.data = data
    self.reason = reason
    source = error
  }
}
