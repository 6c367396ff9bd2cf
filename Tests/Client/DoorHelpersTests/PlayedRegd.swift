import Linux
import RegdClient
import RegdProcesses
import Synchronization

/// A regd whose replies to each request are decided by the test.
final class PlayedRegd: Sendable {
  enum Turn: Equatable {
    /// Replies by the numbers of their requests: `"result":…` or `"error":…`.
    case replies([(number: Int, body: String)])
    /// Text that is sent unchanged.
    case text(String)
    case nothing
    case close

    static func == (one: Turn, other: Turn) -> Bool { "\(one)" == "\(other)" }

    static func right(_ number: Int) -> Turn { .replies([(number, PlayedRegd.account)]) }
    static func refusal(_ number: Int, _ reason: String) -> Turn { .replies([(number, PlayedRegd.refusal(reason))]) }
  }

  static let account = #""result":{"account":{"email":"Ann@x.org"}}"#
  static func refusal(_ reason: String) -> String {
    "\"error\":{\"code\":1,\"message\":\"No.\",\"data\":{\"reason\":\"\(reason)\",\"retryable\":false}}"
  }

  private let seen = Mutex<[String]>([])
  /// The requests so far: the number of the connection, and the method.
  var methods: [String] { seen.withLock { $0 } }

  /// - Parameters:
  ///   - turns: For each connection, the reactions to its requests in order. Then the connection is closed.
  ///   - body: Gets the path of the socket, and this regd.
  static func with(_ turns: [[Turn]], _ body: (_ socket: String, _ regd: PlayedRegd) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/s"))
      try listener.listen(backlog: 8)
      let (number, regd) = (listener.number, PlayedRegd())
      let thread = try StartedThread(name: "played regd", niceness: 0) { regd.serve(number, turns) }
      defer {
        listener.shutdown(.both)
        thread.join()
      }
      try body("\(directory)/s", regd)
    }
  }

  private func serve(_ listener: Int32, _ connections: [[Turn]]) {
    for (place, turns) in connections.enumerated() {
      guard let caller = try? Descriptor(borrowing: listener).accept() else { return }
      var received: [UInt8] = []
      for turn in turns {
        while !received.contains(10) {
          guard let more = try? caller.receive(atMost: 65_536), !more.isEmpty else { break }
          received += more
        }
        guard let end = received.firstIndex(of: 10) else { break }
        let method = JSONValue(received[..<end])?["method"]?.string ?? "?"
        seen.withLock { $0.append("\(place) \(method)") }
        received.removeFirst(end + 1)
        guard Self.send(turn, caller) else { break }
      }
    }
  }

  private static func send(_ turn: Turn, _ caller: borrowing Descriptor) -> Bool {
    switch turn {
    case .replies(let replies):
      let text = replies.map { "{\"jsonrpc\":\"2.0\",\"id\":\($0.number),\($0.body)}\n" }.joined()
      try? caller.sendAll(Array(text.utf8))
    case .text(let text): try? caller.sendAll(Array(text.utf8))
    case .nothing: break
    case .close: return false
    }
    return true
  }
}
