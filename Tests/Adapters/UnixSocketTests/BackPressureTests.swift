import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing
import UnixSocket

/// Bad clients that harm nobody else.
@Suite("Back-pressure", .timeLimit(.minutes(5)))
struct BackPressureTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#
  private static let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#

  /// What bad callers send, over and over.
  static let floods: [(name: String, text: String)] = [
    ("discover", discover),
    (
      "batches of discover",
      "[" + (0..<100).map { discover.replacing(":1,", with: ":\($0),") }.joined(separator: ",") + "]"
    ),
    (
      "validate",
      #"{"jsonrpc":"2.0","id":1,"method":"registration.validate","params":["name@example.com","short",null]}"#
    ),
    ("texts that are none, and pings", "[1,}\n" + ping),
    // each holds back what the others of its batch are answered
    (
      "batches that wait",
      "[" + #"{"jsonrpc":"2.0","id":"s","method":"registration.checkEmail","params":["a@b.cc"]}"#
        + (0..<99).map { "," + discover.replacing(":1,", with: ":\($0),") }.joined() + "]"
    ),
  ]

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

  @Test(
    "a hundred callers that pipeline and never read take less than 64 MB, and another's replies keep coming",
    arguments: floods.indices)
  func neverRead(_ index: Int) throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
      "REGD_STORE_BACKEND": "memory",
    ]) { regd in
      let other = try regd.connect()
      let callers = try (0..<100).map { _ in try RawCaller(regd.socket) }
      try fill(callers, Self.floods[index].text, beside: other)
      // another's turn comes between: what was sent is answered as far as somebody may have waiting
      let client = try regd.client()
      var user: JSONValue?
      repeat {
        user = try client.call("daemon.status").get()["users"]?.array?.first
      } while user?["queuedBytes"]?.integer ?? 0 <= 1 << 16
      try fill(callers, Self.floods[index].text, beside: other)
      #expect(try regd.residentKiB() < 64 * 1024, "\(Self.floods[index].name)")
      #expect(user?["connections"]?.integer == 102)
      try other.send(Self.ping)
      #expect(try other.receiveLine() == Array(Self.pong.utf8))
    }
  }

  @Test("a hundred texts of a megabyte that do not end, or that are no JSON at their end, keep no memory")
  func longTexts() throws {
    try withRegd { regd in
      let other = try regd.connect()
      for text in ["[\"\(String(repeating: "x", count: 900_000))", "[\(String(repeating: "1,", count: 450_000))01]"] {
        let callers = try (0..<100).map { _ in try regd.connect() }
        for caller in callers { try caller.send(text) }
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
        #expect(try regd.residentKiB() < 80 * 1024)
      }
    }
  }

  @Test("however little the kernel leaves of a reply, nothing overtakes it", arguments: [0, 1, 2, 1000])
  func smallRests(_ excess: Int) throws {
    try withRegd { regd in
      let other = try regd.connect()
      func meanwhile() throws {
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
      // how much the kernel takes of replies that nobody reads
      let probe = try RawCaller(regd.socket)
      for _ in 0..<3 { try probe.send(Self.batch(answered: 100_000)) }
      let capacity = try probe.settledReadable(meanwhile)
      let caller = try RawCaller(regd.socket)
      let lengths = [100_000, 100_000, capacity - 200_000 + excess]
      try #require(lengths[2] > 6000 && lengths[2] < 104_000, "another kernel: it takes \(capacity) bytes")
      for length in lengths { try caller.send(Self.batch(answered: length)) }
      #expect(try caller.settledReadable(meanwhile) == capacity)
      // room for a little more, too little for the kernel to tell regd
      var text = try caller.read(40_000)
      try caller.send(Array(Self.ping.utf8))
      caller.finishSending()
      text += try caller.readAll()
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(lines.map(\.count) == lengths.map { $0 - 1 } + [Self.pong.utf8.count, 0])
    }
  }

  /// A batch whose reply has exactly so many bytes, its line feed included.
  private static func batch(answered length: Int) -> [UInt8] {
    let empty = #"{"jsonrpc":"2.0","id":"000","result":"pong"},"#.utf8.count
    let count = length / 1000
    var left = length - 2 - count * empty  // brackets, line feed, no last comma
    let items = (0..<count).map { number in
      let padding = left / (count - number)
      left -= padding
      let digits = "\(number + 1000)".dropFirst()
      return
        "{\"jsonrpc\":\"2.0\",\"id\":\"\(digits)\(String(repeating: "x", count: padding))\",\"method\":\"rpc.ping\"}"
    }
    return Array("[\(items.joined(separator: ","))]".utf8)
  }

  @Test("what waited for callers who have gone is counted no more, and they leave nothing behind")
  func vanished() throws {
    try withRegd { regd in
      let client = try regd.client()
      let before = try regd.residentKiB()
      let batch =
        "[" + #"{"jsonrpc":"2.0","id":"s","method":"session.signIn","params":["a@b.cc","x"]}"#
        + (0..<90).map { "," + Self.discover.replacing(":1,", with: ":\($0),") }.joined() + "]\n" + Self.ping + "\n"
      for _ in 0..<20 { try RawCaller(regd.socket).send(Array(batch.utf8)) }
      let check = #"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@b.cc"]}"#
      for _ in 0..<1000 {
        try RawCaller(regd.socket).send(Array((check + String(repeating: " ", count: 30_000)).utf8))
      }
      var user: JSONValue?
      // what is under way ends at once or with its hash
      repeat {
        user = try client.call("daemon.status").get()["users"]?.array?.first
      } while user?["connections"]?.integer != 1 || user?["inFlight"]?.integer != 0
      #expect(user?["queuedBytes"]?.integer == 0)
      // it was some 50 MiB; a part of what is measured is the program's own code, which the start gave back
      let left = try regd.residentKiB() - before
      #expect(left < 36 * 1024)
    }
  }

  @Test("as many callers as ever may wait to be accepted while regd is busy elsewhere")
  func backlog() throws {
    try withRegd { regd in
      kill(regd.process.pid, SIGSTOP)
      defer { kill(regd.process.pid, SIGCONT) }
      let waiting = (0..<1000).compactMap { _ in try? RawCaller(regd.socket, waits: false) }
      #expect(waiting.count == 1000)
    }
  }

  @Test("refused callers that say nothing do not take all descriptors")
  func refusedCrowd() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS_PER_UID": "1"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try first.receiveLine() == Array(Self.pong.utf8))
      var most = 0
      var crowd: [RegdConnection] = []
      for _ in 0..<600 {
        crowd.append(try regd.connect())
        most = max(most, try regd.descriptors())
      }
      // those that the crowd found open were read after it was complete, too
      for connection in crowd { #expect(try connection.receiveLine()?.isEmpty == false) }
      // 64 linger; on a busy machine there are some more whose closing waits for its turn, and never all of them
      #expect(most < 400)
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
      while !regd.process.output.contains("Closed a connection that took nothing more of") {
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
      #expect(caller.flood(Array(Self.ping.utf8), at: 1) == 0)
    }
  }

  @Test("without descriptors nobody is lost and nothing spins: who waits is served when there are some again")
  func descriptors() throws {
    // what does not grow with the machine's cores, and room for some twenty connections
    let descriptors = Server.descriptors + 42
    try withRegd(
      ["REGD_LIMITS_IDLE_SECONDS": "4", "REGD_HASHING_WORKERS": "1"],
      startedBy: ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"]
    ) { regd in
      #expect(regd.process.output.contains("descriptors are missing"))
      // connect(2) succeeds without accept(2); who is not accepted gets no answer yet
      var crowd = try (0..<80).map { _ in try regd.connect() }
      let waiting = crowd.removeLast()
      try waiting.send(Self.ping)
      try crowd[0].send(Self.ping)
      #expect(try crowd[0].receiveLine() == Array(Self.pong.utf8))
      let before = try regd.processorTicks()
      // nobody asks for anything now, until the first is told that it is idle
      let reason = try crowd[0].receiveLine() ?? []
      #expect(String(decoding: reason, as: UTF8.self).contains("-32002"))
      // of some 400 ticks, a hundred a second: one that spins takes them all
      #expect(try regd.processorTicks() - before < 100)
      // tried again now and then, and not once a turn of the loop
      let complaints = regd.process.output.split(separator: "cannot be accepted").count - 1
      #expect((2...8).contains(complaints))
      crowd = []
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
