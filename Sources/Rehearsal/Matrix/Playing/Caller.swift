internal import Linux
internal import RegdClient
internal import WireFormats

/// One connection to a regd. Checks that each request gets exactly one reply.
final class Caller {
  private let conversation: RegdConversation
  private var unanswered: Set<Int> = []
  private var notifications: [(method: String, params: JSONValue?)] = []
  /// Everything that regd has sent, including earlier connections. The invariants use it.
  private(set) var received: [String]
  /// regd's news of mails, on earlier connections too, in order.
  private(set) var mailNews: [MailNews]

  /// - Parameter earlier: The caller whose connection this one replaces.
  init(_ path: String, after earlier: Caller? = nil) throws {
    received = earlier?.received ?? []
    mailNews = earlier?.mailNews ?? []
    conversation = try RegdConversation(path: path, timeoutSeconds: 60)
  }

  func call(_ method: String, _ params: JSONValue? = nil) throws -> Result<JSONValue, RegdError> {
    let id = try conversation.send(method, params)
    unanswered.insert(id)
    while true {
      if let (answered, result) = try receive(), answered == id { return result }
    }
  }

  /// Waits for a notification that satisfies `isIt`, and drops the notifications before it.
  func waitFor(
    _ what: String, _ isIt: (_ method: String, _ params: JSONValue?) -> Bool
  ) throws -> JSONValue {
    while true {
      while !notifications.isEmpty {
        let next = notifications.removeFirst()
        if isIt(next.method, next.params) { return next.params ?? .null }
      }
      guard try receive() == nil else {
        throw Mismatch(description: "waiting for \(what): an unexpected reply")
      }
    }
  }

  /// Waits until regd's news of mails satisfies `holds`.
  func waitUntil(_ what: String, _ holds: ([MailNews]) -> Bool) throws {
    while !holds(mailNews) {
      do {
        guard try receive() == nil else { throw Mismatch(description: "an unexpected reply") }
      } catch {
        throw Mismatch(description: "waiting for \(what): \(error)")
      }
    }
  }

  /// Returns and removes the notifications that no `waitFor` has consumed.
  func takeNotifications() -> [(method: String, params: JSONValue?)] {
    defer { notifications = [] }
    return notifications
  }

  /// Sends a ping. Fails if regd sends an unexpected reply before the ping's, or if a request has no reply.
  func checkNothingMore() throws {
    _ = try call("rpc.ping")
    guard unanswered.isEmpty else { throw Mismatch(description: "requests \(unanswered.sorted()) have no reply") }
  }

  /// Takes the next reply or notification. Returns nil for a notification.
  private func receive() throws -> (Int, Result<JSONValue, RegdError>)? {
    switch try conversation.receive() {
    case .notification(let method, let params):
      received.append(params?.text ?? "")
      notifications.append((method, params))
      if let news = MailNews(method, params) { mailNews.append(news) }
      return nil
    case .reply(let id, let result):
      switch result {
      case .success(let value): received.append(value.text)
      case .failure(let error): received.append(error.message + error.data.text)
      }
      guard let id, unanswered.remove(id) != nil else {
        throw Mismatch(description: "a reply to \(id.map { "request \($0)" } ?? "no request"), which was not expected")
      }
      return (id, result)
    }
  }
}

/// A program that signs end users in at a cell's `http` door, as a proxy does.
struct DoorCaller {
  private let path: String

  /// - Parameter directory: The cell's directory.
  init(in directory: String) { path = Self.path(in: directory) }

  /// The path of the door's socket.
  static func path(in directory: String) -> String { "\(directory)/door" }

  /// Signs in over a new connection.
  ///
  /// - Returns: `signed in`, or regd's reason. The door does not tell the reason of an incorrect password.
  func signIn(_ email: String, _ password: String) throws -> Observation {
    let credentials = Base64.encoded("\(email):\(password)".utf8)
    let request = "GET / HTTP/1.1\r\nHost: regd\r\nAuthorization: Basic \(credentials)\r\nConnection: close\r\n\r\n"
    let lines = try answer(to: request).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first ?? ""
    let reason = lines.first { $0.hasPrefix("X-Regd-Reason: ") }?.dropFirst("X-Regd-Reason: ".count)
    let word = status == "200" ? "signed in" : status == "401" ? "credentials.rejected" : String(reason ?? status)
    return Observation(word, .string(lines.joined(separator: ", ")))
  }

  private func answer(to request: String) throws -> String {
    let socket = try Descriptor.socket(.localStream)
    try socket.connect(to: SocketAddress(path: path))
    try socket.sendAll(Array(request.utf8))
    var bytes: [UInt8] = []
    while Polling.isReady(.readable(socket.number), atMost: .seconds(60)) {
      let part = try socket.receive(atMost: 4096)
      guard !part.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
      bytes += part
    }
    throw Mismatch(description: "the door does not answer")
  }
}
