import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing

/// The wire as a caller meets it: a real regd on a real socket.
@Suite("Wire", .timeLimit(.minutes(5)))
struct WireTests {
  private let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  @Test("whatever comes gets one error, and the next request on the connection is answered")
  func badInput() throws {
    try withRegd { regd in
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
        // a text without its end is found out at the next line's bracket
        try connection.send("\n" + ping + "\n")
        let error = try line(connection)
        #expect(
          error.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":\(code),"),
          "\(bad.prefix(60)): \(error.prefix(300))")
        #expect(try line(connection) == pong)
      }
      // bytes that are no UTF-8
      try connection.send(Array("{\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8) + Array(ping.utf8))
      #expect(try line(connection).contains("-32700"))
      #expect(try line(connection) == pong)
    }
  }

  @Test("texts need no newline, and may be pretty")
  func framing() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      for text in [ping, ping + ping, "\n {\n\"jsonrpc\" :\r\n\t\"2.0\", \"id\": 7, \"method\":\n\"rpc.ping\"}\n\n"] {
        try connection.send(text)
        for _ in 0..<(text.count > 80 && !text.contains("\n") ? 2 : 1) { #expect(try line(connection) == pong) }
      }
      for byte in ping.utf8 { try connection.send([byte]) }
      #expect(try line(connection) == pong)
    }
  }

  @Test("a caller that half-closes gets every reply, and its last text without a newline too")
  func halfClose() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      let slow = #"{"jsonrpc":"2.0","id":8,"method":"session.signIn","params":["a@test.com","x"]}"#
      try connection.send(slow + slow.replacing("8", with: "9") + ping)
      connection.finishSending()
      let replies = try (0..<3).map { _ in try line(connection) }
      #expect(Set(replies.map { JSONValue($0.utf8)?["id"]?.integer }) == [7, 8, 9])
      #expect(try line(connection) == "(end)")
      // a text that is cut short is said to be
      let other = try regd.connect()
      try other.send("{\"jsonrpc\"")
      other.finishSending()
      #expect(try line(other).contains("-32700"))
      #expect(try line(other) == "(end)")
    }
  }

  @Test("replies overtake each other, except in a batch")
  func order() throws {
    try withRegd { regd in
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

  @Test("replies past the size of the channel's buffer come once each", arguments: [6, 8, 30])
  func largeReplies(_ size: Int) throws {
    try withRegd { regd in
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
      // and many small ones, asked for in one go
      let count = 5000
      try connection.send((0..<count).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"rpc.ping\"}" }.joined())
      connection.finishSending()
      for number in 0..<count {
        #expect(try line(connection) == "{\"jsonrpc\":\"2.0\",\"id\":\(number),\"result\":\"pong\"}")
      }
      #expect(try line(connection) == "(end)")
    }
  }

  @Test("a request cut short by the stop is told so, not called broken")
  func cutShort() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      try connection.send(ping + #"{"jsonrpc":"2.0","id":8,"method":"rpc.pi"#)
      #expect(try line(connection) == pong)
      regd.process.end()
      #expect(try line(connection).contains("\"code\":-32000"))
      #expect(try line(connection) == "(end)")
    }
  }

  @Test("more requests at once than may be in flight are all answered")
  func inFlight() throws {
    try withRegd(["REGD_LIMITS_IN_FLIGHT_PER_CONNECTION": "2"]) { regd in
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

  @Test("a connection past the limit is told so, and there is room again when one has gone")
  func connections() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS": "2"]) { regd in
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
      // the server has seen the end of one when it closes its side
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

  @Test("hundreds of connections at once are all served")
  func manyConnections() throws {
    try withRegd { regd in
      let connections = try (0..<400).map { _ in try regd.connect() }
      for _ in 0..<2 {
        for connection in connections { try connection.send(ping) }
        for connection in connections { #expect(try line(connection) == pong) }
      }
    }
  }

  @Test("SIGTERM: what is in flight is finished, then the end and exit status 0")
  func drain() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=400ms",
      "REGD_STORE_BACKEND": "memory",
    ]) { regd in
      let connection = try regd.connect()
      try connection.send(
        #"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@test.com"]}"# + ping)
      #expect(try line(connection) == pong)
      let idle = try regd.connect()
      try idle.send(ping)
      #expect(try line(idle) == pong)
      kill(regd.process.pid, SIGTERM)
      #expect(try line(idle) == "(end)")
      #expect(throws: RegdClientFailure.self) { try RegdConnection(path: regd.socket, timeoutSeconds: 5).send(ping) }
      #expect(try line(connection) == #"{"jsonrpc":"2.0","id":1,"result":{"available":true}}"#)
      #expect(try line(connection) == "(end)")
      #expect(regd.process.wait() == 0)
      #expect(access(regd.socket, F_OK) != 0)
    }
  }

  @Test("SIGTERM: who has connected and was not accepted is told so too, every request of it")
  func acceptQueue() throws {
    try withRegd(["REGD_STORE_BACKEND": "memory"]) { regd in
      kill(regd.process.pid, SIGSTOP)
      let asking = try (0..<300).map { _ in try RawCaller(regd.socket) }
      for caller in asking { try caller.send(Array((ping + ping).utf8)) }
      let mute = try (0..<100).map { _ in try RawCaller(regd.socket) }
      kill(regd.process.pid, SIGTERM)
      kill(regd.process.pid, SIGCONT)
      for caller in asking {
        let lines = String(decoding: try caller.readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.allSatisfy { $0 == pong || $0.contains(#""id":7,"error":{"code":-32000"#) })
      }
      for caller in mute {
        let text = String(decoding: try caller.readAll(), as: UTF8.self)
        // one that was accepted before the stop and has said nothing has nothing to be told
        #expect(text.isEmpty || text.contains(#""id":null,"error":{"code":-32000"#))
      }
      #expect(regd.process.wait() == 0)
    }
  }

  @Test("SIGTERM: what was sent and not begun is refused, every request of it")
  func draining() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3000ms",
      "REGD_STORE_BACKEND": "memory", "REGD_LIMITS_IN_FLIGHT_PER_CONNECTION": "1",
    ]) { regd in
      let idle = try regd.connect()
      try idle.send(ping)
      #expect(try line(idle) == pong)
      let connection = try regd.connect()
      try connection.send(
        ping + #"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@test.com"]}"# + ping + ping)
      #expect(try line(connection) == pong)
      kill(regd.process.pid, SIGTERM)
      // the end of an idle connection says that draining has begun; the slow request is still under way
      #expect(try line(idle) == "(end)")
      #expect(try line(connection).contains(#""id":1,"result""#))
      for _ in 0..<2 { #expect(try line(connection).contains(#""id":7,"error":{"code":-32000"#)) }
      #expect(try line(connection) == "(end)")
      #expect(regd.process.wait() == 0)
    }
  }

  @Test("SIGTERM: what does not finish within the grace is told so, every request of it, and the exit status is 0")
  func grace() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0", "REGD_STORE_BACKEND": "memory",
    ]) { regd in
      let request = #"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@test.com"]}"# + ping
      let gone = try regd.connect()
      try gone.send(request)
      gone.finishSending()
      let connection = try regd.connect()
      try connection.send(request + #"[{"jsonrpc":"2.0","id":2,"method":"registration.checkEmail"},"# + ping + "]")
      #expect(try line(connection) == pong)
      #expect(try line(connection).contains("validation.failed"))
      #expect(regd.process.end(SIGTERM) == 0)
      #expect(try line(connection).contains(#""id":1,"error":{"code":-32000"#))
      #expect(try line(connection) == "(end)")
    }
  }

  @Test("SIGTERM: a registration whose upstream does not answer within the grace is pending, and says so")
  func graceOfCommitted() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0",
    ]) { regd in
      let connection = try regd.connect()
      let entry = RegdClient.entry(email: "a@test.com", password: "a fine phrase", confirmation: "a fine phrase")
      try connection.send(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"registration.register\",\"params\":\(entry.text)}")
      let client = try regd.client()
      while try client.call("registration.checkEmail", ["email": "a@test.com"]).get()["available"]?.bool != false {}
      #expect(regd.process.end(SIGTERM) == 0)
      #expect(try line(connection).contains(#""reason":"network.timeout","retryable":true,"pending":true"#))
    }
  }
}
