import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing
import UnixSocket

/// More callers at once than regd has connections or descriptors for.
@Suite("Many callers at once", .blocking, .timeLimit(.minutes(10)))
struct CrowdTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  @Test("1000 callers can wait to be accepted while regd is stopped", .descriptors(2000))
  func backlog() throws {
    try withRegd { regd in
      kill(regd.process.pid, SIGSTOP)
      defer { kill(regd.process.pid, SIGCONT) }
      let waiting = (0..<1000).compactMap { _ in try? RawCaller(regd.socket, waits: false) }
      #expect(waiting.count == 1000)
    }
  }

  @Test("each of 600 refused callers gets the reason, and regd keeps none of their descriptors", .descriptors(1500))
  func refusedCrowd() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS_PER_UID": "1"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try first.receiveLine() == Array(Self.pong.utf8))
      // The listening socket and the first caller's. regd may still be closing the connection by which the test checked
      // that regd is ready.
      let kept = 2
      let crowd = try (0..<600).map { _ in try regd.connect() }
      for caller in crowd {
        #expect(String(decoding: try caller.receiveLine() ?? [], as: UTF8.self).contains("-32009"))
        #expect(try caller.receiveLine() == nil)
      }
      // a caller sees the refusal and the end before regd closes its descriptor
      while try regd.sockets() > kept {}
      #expect(try regd.sockets() == kept)
    }
  }

  @Test(
    "without free descriptors regd tries to accept once a second, and serves waiting callers when there are some"
  )
  func descriptors() throws {
    // settings that do not depend on the number of cores, with descriptors for about twenty connections
    let descriptors = Server.descriptors(loops: 1) + 42
    try withRegd(
      ["REGD_LIMITS_IDLE_SECONDS": "4", "REGD_HASHING_WORKERS": "1", "REGD_SOCKET_LOOPS": "1"],
      startedBy: ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"]
    ) { regd in
      let start = ContinuousClock.now
      #expect(regd.process.output.contains("limits.connections exceeds the number of available descriptors"))
      // connect(2) succeeds without accept(2), but a caller that is not accepted gets no answer yet
      var crowd = try (0..<80).map { _ in try regd.connect() }
      let waiting = crowd.removeLast()
      try waiting.send(Self.ping)
      try crowd[0].send(Self.ping)
      #expect(try crowd[0].receiveLine() == Array(Self.pong.utf8))
      // no caller sends anything now, until the first gets the idle error
      let reason = try crowd[0].receiveLine() ?? []
      #expect(String(decoding: reason, as: UTF8.self).contains("-32002"))
      // Each log line is one failed accept(2), one second apart. A busy loop would log thousands.
      let complaints = regd.process.output.split(separator: "cannot be accepted").count - 1
      let seconds = (ContinuousClock.now - start).components.seconds
      #expect((1...seconds + 1).contains(Int64(complaints)), "\(complaints) in \(seconds) s")
      crowd = []
      #expect(try waiting.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test("regd answers on 5000 idle connections and counts them all", .descriptors(6000))
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
