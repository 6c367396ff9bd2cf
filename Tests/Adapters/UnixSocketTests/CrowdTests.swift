import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing
import UnixSocket

/// More callers than regd takes at once: connections and descriptors.
@Suite("Crowds of callers", .blocking, .timeLimit(.minutes(10)))
struct CrowdTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  @Test("as many callers as ever may wait to be accepted while regd is busy elsewhere", .descriptors(2000))
  func backlog() throws {
    try withRegd { regd in
      kill(regd.process.pid, SIGSTOP)
      defer { kill(regd.process.pid, SIGCONT) }
      let waiting = (0..<1000).compactMap { _ in try? RawCaller(regd.socket, waits: false) }
      #expect(waiting.count == 1000)
    }
  }

  @Test("every one of a refused crowd is told why, and leaves no descriptor behind", .descriptors(1500))
  func refusedCrowd() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS_PER_UID": "1"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try first.receiveLine() == Array(Self.pong.utf8))
      let before = try regd.descriptors()
      let crowd = try (0..<600).map { _ in try regd.connect() }
      for caller in crowd {
        #expect(String(decoding: try caller.receiveLine() ?? [], as: UTF8.self).contains("-32009"))
        #expect(try caller.receiveLine() == nil)
      }
      // a caller is told and sees the end before regd closes its descriptor
      while try regd.descriptors() > before {}
      #expect(try regd.descriptors() <= before)
    }
  }

  @Test(
    "without descriptors regd tries to accept once a second, and serves the callers that wait when there are some again"
  )
  func descriptors() throws {
    try withRegd(["REGD_LIMITS_IDLE_SECONDS": "4"]) { regd in
      let start = ContinuousClock.now
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try first.receiveLine() == Array(Self.pong.utf8))
      func limit(_ count: Int) throws {
        let words = ["--pid", "\(regd.process.pid)", "--nofile=\(count):"]
        let status = try RegdProcess.run(program: "/usr/bin/prlimit", arguments: words, directory: regd.directory)
          .status
        #expect(status == 0)
      }
      // taken away from a regd that runs, as by another part of it that needs many
      try limit(3)
      // connect(2) succeeds without accept(2); a caller that is not accepted gets no answer yet
      let waiting = try regd.connect()
      try waiting.send(Self.ping)
      // no caller asks for anything now, until the first is told that it is idle
      let reason = try first.receiveLine() ?? []
      #expect(String(decoding: reason, as: UTF8.self).contains("-32002"))
      // each complaint is one accept(2) that failed, and a second lies between two: a loop that spins has thousands
      let complaints = regd.process.output.split(separator: "cannot be accepted").count - 1
      let seconds = (ContinuousClock.now - start).components.seconds
      #expect((1...seconds + 1).contains(Int64(complaints)), "\(complaints) in \(seconds) s")
      try limit(1024)
      #expect(try waiting.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test(
    "with fewer descriptors than limits.connections, who is one too many is told so, and served when there is room")
  func fewDescriptors() throws {
    // what does not grow with the machine's cores, and room for some twenty connections
    let descriptors = Server.descriptors(loops: 1) + 42
    try withRegd(
      ["REGD_HASHING_WORKERS": "1", "REGD_SOCKET_LOOPS": "1"],
      startedBy: ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"]
    ) { regd in
      #expect(regd.process.output.contains("limits.connections is more than there are descriptors for"))
      var crowd = try (0..<80).map { _ in try regd.connect() }
      for caller in crowd { try? caller.send(Self.ping) }
      let replies = crowd.map { String(decoding: (try? $0.receiveLine()) ?? [], as: UTF8.self) }
      #expect((4..<42).contains(replies.count { $0 == Self.pong }), "\(replies)")
      #expect(replies.allSatisfy { $0 == Self.pong || $0.contains("server.busy") }, "\(replies)")
      #expect(!regd.process.output.contains("cannot be accepted"))
      crowd = []
      func isServed() throws -> Bool {
        let caller = try regd.connect()
        try? caller.send(Self.ping)
        return try caller.receiveLine() == Array(Self.pong.utf8)
      }
      while try !isServed() {}
    }
  }

  @Test("five thousand idle connections", .descriptors(6000))
  func idle() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS": "6000", "REGD_LIMITS_CONNECTIONS_PER_UID": "6000"]) { regd in
      let connections = try (0..<5000).map { _ in try regd.connect() }
      for connection in connections {
        try connection.send(Self.ping)
        #expect(try connection.receiveLine() == Array(Self.pong.utf8))
      }
      let status = try regd.client().call("daemon.status", nil).get()
      #expect(status["connections"]?.integer == 5001)
    }
  }
}
