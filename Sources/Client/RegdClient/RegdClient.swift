/// A client of regd: one call at a time over one connection. Blocks; one thread at a time.
public final class RegdClient {
  private let path: String
  private let timeoutSeconds: Int
  private let language: String?
  private var conversation: RegdConversation
  /// The request that `begin` has sent.
  private var begun: (method: String, params: JSONValue?, failure: RegdClientFailure?)?

  /// - Parameters:
  ///   - path: Of the Unix socket.
  ///   - timeoutSeconds: How long a reply may take. regd answers every request within its own deadlines.
  ///   - language: That regd's messages are wished for in, as `RegdConversation` takes it; nil for regd's own.
  /// - Throws: `.cannotConnect`.
  public init(
    path: String = "/run/regd/regd.sock", timeoutSeconds: Int = 60, language: String? = nil
  ) throws(RegdClientFailure) {
    (self.path, self.timeoutSeconds, self.language) = (path, timeoutSeconds, language)
    conversation = try RegdConversation(path: path, timeoutSeconds: timeoutSeconds, language: language)
  }

  /// Calls a method and waits for its reply. Notifications that come before the reply are discarded. A regd that stops and
  /// has not taken the request is left for the one that comes after it, if the socket is passed on.
  ///
  /// - Parameter params: An object or an array; nil for none.
  /// - Returns: The result, or the error that regd answered.
  /// - Throws: `.timedOut`, `.disconnected` or `.notAReply`; regd may have done what was asked.
  public func call(
    _ method: String, _ params: JSONValue? = nil
  ) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    begin(method, params)
    return try end()
  }

  /// Sends a request; `end` has its reply. What it fails with is kept until then. Between the two no other call is made.
  package func begin(_ method: String, _ params: JSONValue? = nil) {
    var failure: RegdClientFailure?
    do throws(RegdClientFailure) { try conversation.send(method, params) } catch { failure = error }
    begun = (method, params, failure)
  }

  /// Waits for the reply to what `begin` has sent, as `call` does; to be called once behind each `begin`.
  package func end() throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    guard let (method, params, _) = begun else { preconditionFailure() }
    defer { begun = nil }
    for _ in 1..<Self.attempts {
      let reply: Result<Result<JSONValue, RegdError>, RegdClientFailure>
      do { reply = .success(try answer()) } catch { reply = .failure(error) }
      guard isUntaken(reply),
        let next = try? RegdConversation(path: path, timeoutSeconds: timeoutSeconds, language: language)
      else {
        return try reply.get()
      }
      conversation = next
      begin(method, params)
    }
    return try answer()
  }

  /// Bounds a row of daemons that stop at once.
  private static let attempts = 5

  /// A stopping regd reads what was sent before, and answers it; what is sent later fails on the caller's side.
  private func isUntaken(_ reply: Result<Result<JSONValue, RegdError>, RegdClientFailure>) -> Bool {
    switch reply {
    case .success(.failure(let error)): error.reason == "server.draining"
    case .failure(.disconnected): !conversation.mayHaveSent
    case .success(.success), .failure: false
    }
  }

  private func answer() throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    // regd may have said why before it closed the connection
    if let failure = begun?.failure, failure != .disconnected { throw failure }
    while true {
      guard case .reply(let id, let result) = try conversation.receive() else { continue }
      // an error without an id is about the connection or an unreadable request: an answer to this call too
      guard id == nil || id == conversation.lastID else { throw .notAReply("the answer to another request") }
      return result
    }
  }
}

extension RegdClient {
  /// The params that `registration.validate` and `registration.register` take.
  public static func entry(email: String?, password: String?, confirmation: String?) -> JSONValue {
    .object([
      .init("email", email.map(JSONValue.string) ?? .null),
      .init("password", password.map(JSONValue.string) ?? .null),
      .init("passwordConfirmation", confirmation.map(JSONValue.string) ?? .null),
    ])
  }
}
