import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing

/// The wire protocol on a real socket of a real regd.
@Suite("Wire", .blocking, .timeLimit(.minutes(10)))
struct WireTests {
  private let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  @Test("any bad input gets one error, and regd answers the next request on the connection", arguments: [1, 2])
  func badInput(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connection = try regd.connect()
      let big = String(repeating: "x", count: 2 << 20)
      for (bad, code) in [
        ("garbage\n", -32700), ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"", -32700),
        ("[\"\(big)\"]\n", -32007), (big + "\n", -32007), (String(repeating: "[", count: 100_000) + "\n", -32007),
        (#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"# + "\n", -32700), ("\u{0}\n", -32700), ("[1,]\n", -32700),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"rpc.ping"}"# + "\n", -32700), ("[]\n", -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"rpc.ping"}"# + "\n", -32600),
        ("[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]\n", -32010),
      ] {
        try connection.send(bad)
        // a message without its end is detected at the bracket of the next line
        try connection.send("\n" + ping + "\n")
        let error = try line(connection)
        #expect(
          error.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":\(code),"),
          "\(bad.prefix(60)): \(error.prefix(300))")
        #expect(try line(connection) == pong)
      }
      // bytes that are not UTF-8
      try connection.send(Array("{\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8) + Array(ping.utf8))
      #expect(try line(connection).contains("-32700"))
      #expect(try line(connection) == pong)
    }
  }

  @Test("messages need no newline and may be pretty-printed", arguments: [1, 2])
  func framing(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connection = try regd.connect()
      for text in [ping, ping + ping, "\n {\n\"jsonrpc\" :\r\n\t\"2.0\", \"id\": 7, \"method\":\n\"rpc.ping\"}\n\n"] {
        try connection.send(text)
        for _ in 0..<(text.count > 80 && !text.contains("\n") ? 2 : 1) { #expect(try line(connection) == pong) }
      }
      for byte in ping.utf8 { try connection.send([byte]) }
      #expect(try line(connection) == pong)
    }
  }

  @Test("a caller that half-closes gets every reply, also to a last message without a newline", arguments: [1, 2])
  func halfClose(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connection = try regd.connect()
      let slow = #"{"jsonrpc":"2.0","id":8,"method":"session.signIn","params":["a@test.com","x"]}"#
      try connection.send(slow + slow.replacing("8", with: "9") + ping)
      connection.finishSending()
      let replies = try (0..<3).map { _ in try line(connection) }
      #expect(Set(replies.map { JSONValue($0.utf8)?["id"]?.integer }) == [7, 8, 9])
      #expect(try line(connection) == "(end)")
      // a message that is cut short gets an error
      let other = try regd.connect()
      try other.send("{\"jsonrpc\"")
      other.finishSending()
      #expect(try line(other).contains("-32700"))
      #expect(try line(other) == "(end)")
    }
  }

  @Test("replies may overtake each other, except in a batch", arguments: [1, 2])
  func order(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connection = try regd.connect()
      let slow = #"{"jsonrpc":"2.0","id":8,"method":"session.signIn","params":["a@test.com","x"]}"#
      try connection.send(slow + ping)
      #expect(try line(connection) == pong)
      #expect(try line(connection).contains("\"id\":8"))
      try connection.send("[\(slow),\(ping)]")
      let batch = try line(connection)
      #expect(batch.hasPrefix("[{\"jsonrpc\":\"2.0\",\"id\":8"))
      #expect(batch.hasSuffix(",\(pong)]"))
    }
  }

  @Test("replies larger than the socket's buffer arrive once each", arguments: [5, 6, 7])
  func largeReplies(_ size: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(size == 7 ? 1 : 2)"]) { regd in
      let connection = try regd.connect()
      func batch(_ ids: Range<Int>) -> String {
        "[\(ids.map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"rpc.discover\"}" }.joined(separator: ","))]"
      }
      try connection.send(batch(0..<1))
      let one = try line(connection).dropFirst().dropLast()
      try connection.send(batch(0..<size) + ping)
      let replies = (0..<size).map { one.replacing("\"id\":0", with: "\"id\":\($0)", maxReplacements: 1) }
      #expect(try line(connection) == "[\(replies.joined(separator: ","))]")
      #expect(try line(connection) == pong)
      // and many small replies to requests in one write
      let count = 5000
      try connection.send((0..<count).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"rpc.ping\"}" }.joined())
      connection.finishSending()
      for number in 0..<count {
        #expect(try line(connection) == "{\"jsonrpc\":\"2.0\",\"id\":\(number),\"result\":\"pong\"}")
      }
      #expect(try line(connection) == "(end)")
    }
  }

  @Test("regd answers all requests even if more are sent at once than may be in flight", arguments: [1, 2])
  func inFlight(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)", "REGD_LIMITS_IN_FLIGHT_PER_CONNECTION": "2"]) { regd in
      let connection = try regd.connect()
      for id in 0..<20 {
        try connection.send(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"registration.checkEmail","params":["a\#(id)@test.com"]}"#)
      }
      connection.finishSending()
      var ids = Set<Int>()
      while let line = try connection.receiveLine() { ids.insert(JSONValue(line)?["id"]?.integer ?? -1) }
      #expect(ids == Set(0..<20))
    }
  }

  @Test(
    "regd refuses a connection past the limit with the reason, and has room again after a connection closes",
    arguments: [1, 2])
  func connections(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)", "REGD_LIMITS_CONNECTIONS": "2"]) { regd in
      var kept = [try regd.connect(), try regd.connect()]
      for connection in kept {
        try connection.send(ping)
        #expect(try line(connection) == pong)
      }
      let third = try regd.connect()
      let refusal = try line(third)
      #expect(refusal.contains("-32009"))
      #expect(refusal.contains("\"limit\":2"))
      #expect(try line(third) == "(end)")
      // regd has seen the end of a connection when it closes its side
      let first = kept.removeFirst()
      first.finishSending()
      #expect(try line(first) == "(end)")
      var answer = "(end)"
      for _ in 0..<1000 where answer != pong {
        let next = try regd.connect()
        try? next.send(ping)
        answer = try line(next)
      }
      #expect(answer == pong)
    }
  }

  @Test("regd serves 400 connections at once", arguments: [1, 2])
  func manyConnections(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connections = try (0..<400).map { _ in try regd.connect() }
      for _ in 0..<2 {
        for connection in connections { try connection.send(ping) }
        for connection in connections { #expect(try line(connection) == pong) }
      }
    }
  }
}
