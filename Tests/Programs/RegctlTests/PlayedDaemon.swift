import Linux
import RegdProcesses
import TestKit

/// A daemon that answers as a test has it, whatever it is asked.
enum PlayedDaemon {
  /// - Parameters:
  ///   - answers: For each connection the members of its replies besides the id, `"result":…` or `"error":…`, one after the other.
  ///   - body: Is given the socket, and the directory that it is in.
  static func with(_ answers: [[String]], _ body: (_ socket: String, _ directory: String) throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/s"))
      try listener.listen(backlog: 8)
      let number = listener.number
      async let served: Void = serve(number, answers)
      defer { listener.shutdown(.both) }
      try body("\(directory)/s", directory)
      // one that was to come and did not is an error, and not waited for
      listener.shutdown(.both)
      try await served
    }
  }

  private static func serve(_ listener: Int32, _ answers: [[String]]) throws {
    for connection in answers {
      let caller = try Descriptor(borrowing: listener).accept()
      for (index, answer) in connection.enumerated() {
        _ = try caller.read(atMost: 65_536)
        try caller.sendAll(Array("{\"jsonrpc\":\"2.0\",\"id\":\(index + 1),\(answer)}\n".utf8))
      }
    }
  }
}
