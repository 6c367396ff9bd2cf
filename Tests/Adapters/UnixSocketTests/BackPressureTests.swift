import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing
import UnixSocket

/// Callers that send much and read nothing, or leave: regd bounds the data that it keeps for them, and serves other
/// callers. The tests compare regd's own counters with the bounds. `make bench` measures the cost in memory and
/// processor time.
@Suite("Back-pressure", .blocking, .timeLimit(.minutes(10)))
struct BackPressureTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#
  private static let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#

  /// The texts that bad callers send again and again.
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
    ("invalid texts and pings", "[1,}\n" + ping),
    // each item holds back the answers to the others of its batch
    (
      "batches that wait",
      "[" + #"{"jsonrpc":"2.0","id":"s","method":"registration.checkEmail","params":["a@b.cc"]}"#
        + (0..<99).map { "," + discover.replacing(":1,", with: ":\($0),") }.joined() + "]"
    ),
  ]

  /// Writes to all callers until none accepts more, and meanwhile checks that another caller gets answers.
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
    "the queued replies of 100 callers that never read stay within the limits, and regd answers another caller",
    arguments: floods.indices)
  func neverRead(_ index: Int) throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
      "REGD_STORE_BACKEND": "memory",
    ]) { regd in
      let other = try regd.connect()
      let callers = try (0..<100).map { _ in try RawCaller(regd.socket) }
      try fill(callers, Self.floods[index].text, beside: other)
      // wait until regd has answered as much as the queue may hold
      let client = try regd.client()
      var user: JSONValue?
      repeat {
        user = try client.call("daemon.status").get()["users"]?.array?.first
      } while user?["queuedBytes"]?.integer ?? 0 <= 1 << 16
      try fill(callers, Self.floods[index].text, beside: other)
      user = try client.call("daemon.status").get()["users"]?.array?.first
      let queued = try #require(user?["queuedBytes"]?.integer)
      #expect(queued < Self.mostQueued(callers.count), "\(Self.floods[index].name)")
      #expect(user?["connections"]?.integer == 102)
      try other.send(Self.ping)
      #expect(try other.receiveLine() == Array(Self.pong.utf8))
    }
  }

  /// The bound with the default limits: 8 MiB for one user, a reply of 1 MiB for each loop that exceeds the 8 MiB at
  /// the same moment, and for each connection 16 KiB and the one reply that exceeds them.
  private static func mostQueued(_ connections: Int) -> Int {
    let loops = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return 8 << 20 + loops << 20 + connections * (16_384 + 65_536)
  }

  @Test("25 messages of a megabyte that do not end, or end with invalid JSON, delay no other caller")
  func longTexts() throws {
    try withRegd { regd in
      let other = try regd.connect()
      for text in ["[\"\(String(repeating: "x", count: 900_000))", "[\(String(repeating: "1,", count: 450_000))01]"] {
        let callers = try (0..<25).map { _ in try regd.connect() }
        for caller in callers { try caller.send(text) }
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
    }
  }

  @Test("however little of a reply is left to send, no later reply overtakes it", arguments: [0, 1, 2, 1000])
  func smallRests(_ excess: Int) throws {
    try withRegd { regd in
      let other = try regd.connect()
      func meanwhile() throws {
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
      // how many bytes of unread replies the kernel buffers
      let probe = try RawCaller(regd.socket)
      for _ in 0..<3 { try probe.send(Self.batch(answered: 100_000)) }
      let capacity = try probe.settledReadable(meanwhile)
      let caller = try RawCaller(regd.socket)
      let lengths = [100_000, 100_000, capacity - 200_000 + excess]
      try #require(lengths[2] > 6000 && lengths[2] < 104_000, "another kernel: it takes \(capacity) bytes")
      for length in lengths { try caller.send(Self.batch(answered: length)) }
      #expect(try caller.settledReadable(meanwhile) == capacity)
      // room for a little more, but too little for the kernel to notify regd
      var text = try caller.read(40_000)
      try caller.send(Array(Self.ping.utf8))
      caller.finishSending()
      text += try caller.readAll()
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(lines.map(\.count) == lengths.map { $0 - 1 } + [Self.pong.utf8.count, 0])
    }
  }

  /// A batch whose reply has exactly `length` bytes, including its line feed.
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

  @Test("regd counts no connection, request or queued byte of callers that have left", arguments: [1, 2])
  func vanished(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let client = try regd.client()
      let batch =
        "[" + #"{"jsonrpc":"2.0","id":"s","method":"session.signIn","params":["a@b.cc","x"]}"#
        + (0..<90).map { "," + Self.discover.replacing(":1,", with: ":\($0),") }.joined() + "]\n" + Self.ping + "\n"
      for _ in 0..<20 { try RawCaller(regd.socket).send(Array(batch.utf8)) }
      let check = #"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@b.cc"]}"#
      for _ in 0..<1000 {
        try RawCaller(regd.socket).send(Array((check + String(repeating: " ", count: 30_000)).utf8))
      }
      var user: JSONValue?
      // work in progress ends at once or with its hash
      repeat {
        user = try client.call("daemon.status").get()["users"]?.array?.first
      } while user?["connections"]?.integer != 1 || user?["inFlight"]?.integer != 0
      #expect(user?["queuedBytes"]?.integer == 0)
    }
  }

  @Test("a slow reader gets all its replies once and in order when it finally reads", arguments: [1, 2])
  func readLate(_ loops: Int) throws {
    try withRegd(["REGD_LIMITS_QUEUED_BYTES_PER_CONNECTION": "65536", "REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let other = try regd.connect()
      let caller = try RawCaller(regd.socket)
      var sent = 0
      // complete requests only, until the socket accepts no more
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

  @Test("regd closes a connection that reads nothing for too long, and logs it", arguments: [1, 2])
  func stalled(_ loops: Int) throws {
    try withRegd(["REGD_LIMITS_STALLED_SECONDS": "1", "REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let other = try regd.connect()
      let caller = try RawCaller(regd.socket)
      try fill([caller], Self.discover, beside: other)
      // wait for the close, after which nothing can be written
      while !regd.process.output.contains("Closed a connection whose caller did not read") {
        try other.send(Self.ping)
        #expect(try other.receiveLine() == Array(Self.pong.utf8))
      }
      #expect(caller.flood(Array(Self.ping.utf8), at: 1) == 0)
    }
  }
}
