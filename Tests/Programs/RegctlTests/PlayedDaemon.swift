import Linux
import RegdProcesses

/// A daemon that sends the test's answers to any request.
enum PlayedDaemon {
  /// - Parameters:
  ///   - answers: For each connection, the members of its replies besides the id: `"result":…` or `"error":…`.
  ///   - body: Gets the socket, and the directory that contains the socket.
  static func with(_ answers: [[String]], _ body: (_ socket: String, _ directory: String) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/s"))
      try listener.listen(backlog: 8)
      let number = listener.number
      // a separate thread: a started program waits two seconds for an answer, and a pool may be busy for longer
      let thread = try StartedThread(name: "played daemon", niceness: 0) { serve(number, answers) }
      defer {
        listener.shutdown(.both)
        thread.join()
      }
      try body("\(directory)/s", directory)
    }
  }

  private static func serve(_ listener: Int32, _ answers: [[String]]) {
    for connection in answers {
      guard let caller = try? Descriptor(borrowing: listener).accept() else { return }
      for (index, answer) in connection.enumerated() {
        _ = try? caller.read(atMost: 65_536)
        try? caller.sendAll(Array("{\"jsonrpc\":\"2.0\",\"id\":\(index + 1),\(answer)}\n".utf8))
      }
    }
  }
}
