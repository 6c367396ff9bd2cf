/// A client of regd: one call at a time over one connection. It blocks, and may be used by one thread at a time.
public final class RegdClient {
  private let path: String
  private let timeoutSeconds: Int
  private let language: String?
  private let patience: Patience?
  private var conversation: RegdConversation

  /// - Parameters:
  ///   - path: The path of the Unix socket.
  ///   - timeoutSeconds: How long a reply may take. regd answers every request within its own deadlines.
  ///   - language: The preferred language of regd's messages, as in `RegdConversation`, or nil for regd's own choice.
  /// - Throws: `.cannotConnect`.
  public convenience init(
    path: String = "/run/regd/regd.sock", timeoutSeconds: Int = 60, language: String? = nil
  ) throws(RegdClientFailure) {
    try self.init(path: path, timeoutSeconds: timeoutSeconds, language: language, patience: nil)
  }

  package init(path: String, timeoutSeconds: Int, language: String?, patience: Patience?) throws(RegdClientFailure) {
    (self.path, self.timeoutSeconds, self.language, self.patience) = (path, timeoutSeconds, language, patience)
    conversation = try RegdConversation(
      path: path, timeoutSeconds: timeoutSeconds, language: language, patience: patience)
  }

  /// Calls a method and waits for its reply. Notifications that come before the reply are discarded. If regd stops
  /// before it has accepted the request, the call connects again and goes to the next regd, if one listens at the path.
  ///
  /// - Parameter params: An object or an array, or nil for none.
  /// - Returns: The result, or the error that regd answered.
  /// - Throws: `.timedOut`, `.disconnected` or `.notAReply`. regd may have carried out the request.
  public func call(
    _ method: String, _ params: JSONValue? = nil
  ) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    try end(begin(method, params))
  }

  /// A request that was sent, or the failure of sending it.
  package struct BegunCall {
    fileprivate let method: String
    fileprivate let params: JSONValue?
    fileprivate let failure: RegdClientFailure?
  }

  /// Sends a request, whose reply `end` waits for. Make no other call between the two.
  package func begin(_ method: String, _ params: JSONValue? = nil) -> BegunCall {
    var failure: RegdClientFailure?
    do throws(RegdClientFailure) { try conversation.send(method, params) } catch { failure = error }
    return BegunCall(method: method, params: params, failure: failure)
  }

  /// Waits for the reply to the request of `begin`, like `call`.
  package func end(_ call: BegunCall) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    var call = call
    for _ in 1..<Self.attempts {
      let reply: Result<Result<JSONValue, RegdError>, RegdClientFailure>
      do { reply = .success(try answer(to: call)) } catch { reply = .failure(error) }
      guard isUntaken(reply),
        let next = try? RegdConversation(
          path: path, timeoutSeconds: timeoutSeconds, language: language, patience: patience)
      else {
        return try reply.get()
      }
      conversation = next
      call = begin(call.method, call.params)
    }
    return try answer(to: call)
  }

  /// The most daemons to try in a row, if each stops before it accepts the request.
  private static let attempts = 5

  /// Whether regd certainly did not accept the request. A stopping regd still reads and answers everything that was
  /// sent before. Later sends fail on the caller's side.
  private func isUntaken(_ reply: Result<Result<JSONValue, RegdError>, RegdClientFailure>) -> Bool {
    switch reply {
    case .success(.failure(let error)): error.reason == "server.draining"
    case .failure(.disconnected): !conversation.mayHaveSent
    case .success(.success), .failure: false
    }
  }

  private func answer(to call: BegunCall) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    // after a failed send, looks for a reply, because regd may have sent the reason before it closed the connection
    if let failure = call.failure, failure != .disconnected { throw failure }
    while true {
      guard case .reply(let id, let result) = try conversation.receive() else { continue }
      // an error without an id concerns the connection or an unreadable request, and so answers this call too
      guard id == nil || id == conversation.lastID else { throw .notAReply("the answer to another request") }
      return result
    }
  }
}

extension RegdClient {
  /// The params of `registration.validate` and `registration.register`.
  public static func entry(email: String?, password: String?, confirmation: String?) -> JSONValue {
    .object([
      .init("email", email.map(JSONValue.string) ?? .null),
      .init("password", password.map(JSONValue.string) ?? .null),
      .init("passwordConfirmation", confirmation.map(JSONValue.string) ?? .null),
    ])
  }
}

/// Checks during the wait for a silent regd whether waiting is pointless: perhaps regd cannot start, while systemd
/// keeps its socket open.
package struct Patience: Sendable {
  /// The durations of silence after which to check, in order.
  let looks: [Duration]
  /// Called at each check with its number, from 0, and the listening process.
  ///
  /// - Returns: Why further waiting is pointless, or nil to keep waiting.
  let look: @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?

  package init(
    looks: [Duration], look: @escaping @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?
  ) {
    (self.looks, self.look) = (looks, look)
  }
}
