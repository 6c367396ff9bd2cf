import Matrix
import RegdClient
import TestKit
import Testing

/// Bad clients that harm nobody else.
@Suite("Back-pressure")
struct BackPressureTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#
  private static let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#

  /// Writes to all of them until none takes anything more, and asks somebody else in between.
  private func fill(_ callers: [RawCaller], _ text: String, beside other: RegdConnection) throws {
    let bytes = Array(String(repeating: text, count: 1000).utf8)
    var quietRounds = 0
    while quietRounds < 3 {
      let taken = callers.reduce(0) { $0 + $1.flood(bytes) }
      quietRounds = taken == 0 ? quietRounds + 1 : 0
      try other.send(Self.ping)
      #expect(try other.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test("a hundred callers that pipeline and never read take less than 64 MB, and another's replies keep coming")
  func neverRead() throws {
    try withRegd { regd in
      let other = try regd.connect()
      let callers = try (0..<100).map { _ in try RawCaller(regd.socket) }
      try fill(callers, Self.discover, beside: other)
      #expect(try regd.residentKiB() < 64 * 1024)
      let status = try regd.client().call("daemon.status", nil).get()
      let user = status["users"]?.array?.first
      #expect(user?["connections"]?.integer == 102)
      #expect(user?["queuedBytes"]?.integer ?? 0 > 1 << 20)
      try other.send(Self.ping)
      #expect(try other.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test("what a slow reader was owed comes whole, once and in order, when it reads at last")
  func readLate() throws {
    try withRegd(["REGD_LIMITS_QUEUED_BYTES_PER_CONNECTION": "65536"]) { regd in
      let other = try regd.connect()
      let caller = try RawCaller(regd.socket)
      var sent = 0
      // whole requests only: as many as the socket takes
      while true {
        let request = Array(#"{"jsonrpc":"2.0","id":\#(sent),"method":"rpc.serverInfo"}"#.utf8)
        let took = caller.flood(request, at: 1)
        if took == request.count {
          sent += 1
        } else {
          #expect(took == 0)
          break
        }
      }
      try other.send(Self.ping)
      #expect(try other.receiveLine() == Array(Self.pong.utf8))
      caller.finishSending()
      let lines = String(decoding: try caller.readAll(), as: UTF8.self).split(separator: "\n")
      #expect(lines.count == sent)
      for (index, line) in lines.enumerated() {
        #expect(
          line.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(index),\"result\":{\"name\":\"regd\"") && line.hasSuffix("}}"))
      }
    }
  }

  @Test("who takes nothing for too long is closed, and the log says who")
  func stalled() throws {
    try withRegd(["REGD_LIMITS_STALLED_SECONDS": "1"]) { regd in
      let other = try regd.connect()
      let caller = try RawCaller(regd.socket)
      try fill([caller], Self.discover, beside: other)
      // the close is a fact to wait for: afterwards nothing can be written
      while !regd.process.output.contains("Closed a connection that took none of") {
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
      #expect(caller.flood(Array(Self.ping.utf8), at: 1) == 0)
    }
  }

  @Test("without descriptors nobody is lost and nothing spins: who waits is served when there are some again")
  func descriptors() throws {
    try withRegd(startedBy: ["/usr/bin/prlimit", "--nofile=48:48"]) { regd in
      var kept: [RegdConnection] = []
      var served = 0
      // connect(2) succeeds without accept(2); who is not accepted gets no answer yet
      for _ in 0..<80 { kept.append(try regd.connect()) }
      for connection in kept { try connection.send(Self.ping) }
      #expect(try kept[0].receiveLine() == Array(Self.pong.utf8))
      let start = ContinuousClock.now
      while !regd.process.output.contains("cannot be accepted") || served < 2000 {
        try kept[0].send(Self.ping)
        #expect(try kept[0].receiveLine() == Array(Self.pong.utf8))
        served += 1
      }
      // once a second, not once a turn of the loop
      let complaints = regd.process.output.split(separator: "cannot be accepted").count - 1
      #expect(complaints <= Int((ContinuousClock.now - start).components.seconds) + 3)
      let waiting = kept.removeLast()
      for connection in kept { connection.finishSending() }
      kept = []
      #expect(try waiting.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test("five thousand idle connections")
  func idle() throws {
    let descriptors = RawCaller.raiseDescriptorLimit()
    try #require(descriptors >= 6000, "this test needs 6000 descriptors (ulimit -Hn), and has \(descriptors)")
    try withRegd(["REGD_LIMITS_CONNECTIONS": "6000", "REGD_LIMITS_CONNECTIONS_PER_UID": "6000"]) { regd in
      let before = try regd.residentKiB()
      let connections = try (0..<5000).map { _ in try regd.connect() }
      for connection in connections {
        try connection.send(Self.ping)
        #expect(try connection.receiveLine() == Array(Self.pong.utf8))
      }
      let status = try regd.client().call("daemon.status", nil).get()
      #expect(status["connections"]?.integer == 5001)
      // 16 KiB each are plenty
      #expect(try regd.residentKiB() - before < 5000 * 16)
    }
  }
}
