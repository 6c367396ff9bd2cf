import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing

/// The replies that callers receive from a regd that stops.
@Suite("Stopping", .blocking, .timeLimit(.minutes(10)))
struct StoppingTests {
  private let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  @Test("a request that a stop cuts short gets the error of the stop, not a parse error", arguments: [1, 2])
  func cutShort(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let connection = try regd.connect()
      try connection.send(ping + #"{"jsonrpc":"2.0","id":8,"method":"rpc.pi"#)
      #expect(try line(connection) == pong)
      regd.process.end()
      #expect(try line(connection).contains("\"code\":-32000"))
      #expect(try line(connection) == "(end)")
    }
  }

  @Test("SIGTERM: regd answers requests in flight, closes all connections and exits with status 0", arguments: [1, 2])
  func drain(_ loops: Int) throws {
    try withRegd([
      "REGD_SOCKET_LOOPS": "\(loops)", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=400ms",
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

  @Test("SIGTERM: a subscriber gets the events of all changes that were answered, or their number", arguments: [1, 2])
  func events(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)", "REGD_STORE_BACKEND": "memory"]) { regd in
      let subscriber = try regd.connect()
      try subscriber.send(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"# + "\n")
      #expect(try line(subscriber) == #"{"jsonrpc":"2.0","id":1,"result":{"sequence":0}}"#)
      let hash = "$2b$04$abcdefghijklmnopqrstuuuQv9h8w1xJcWqEGrJ8KqkZJ8oG1r5aW"
      let records = (0..<300).map { number -> JSONValue in
        ["email": .string("n\(number)@example.com"), "passwordHash": .string(hash)]
      }
      _ = try regd.client().call("account.import", ["records": .array(records)]).get()
      kill(regd.process.pid, SIGTERM)
      var last = 0
      while let line = try subscriber.receiveLine() {
        let event = try #require(JSONValue(line)?["params"])
        last += event["missed"]?.integer ?? 1
        #expect(event["sequence"]?.integer == last)
      }
      #expect(last == 300)
      #expect(regd.process.wait() == 0)
    }
  }

  @Test(
    "SIGTERM: each request of a caller that is not accepted yet is answered, or refused with the reason",
    arguments: [1, 2])
  func acceptQueue(_ loops: Int) throws {
    try withRegd(["REGD_SOCKET_LOOPS": "\(loops)", "REGD_STORE_BACKEND": "memory"]) { regd in
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
        // a caller that was accepted before the stop and has sent nothing gets no message
        #expect(text.isEmpty || text.contains(#""id":null,"error":{"code":-32000"#))
      }
      #expect(regd.process.wait() == 0)
    }
  }

  @Test("SIGTERM: regd refuses each request that it has received but not begun", arguments: [1, 2])
  func draining(_ loops: Int) throws {
    try withRegd([
      "REGD_SOCKET_LOOPS": "\(loops)", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3000ms",
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
      // The end of an idle connection shows that draining has begun. The slow request is still in progress.
      #expect(try line(idle) == "(end)")
      #expect(try line(connection).contains(#""id":1,"result""#))
      for _ in 0..<2 { #expect(try line(connection).contains(#""id":7,"error":{"code":-32000"#)) }
      #expect(try line(connection) == "(end)")
      #expect(regd.process.wait() == 0)
    }
  }

  @Test(
    "SIGTERM: each request that does not finish within the grace gets the error of the stop, and the exit status is 0",
    arguments: [1, 2])
  func grace(_ loops: Int) throws {
    try withRegd([
      "REGD_SOCKET_LOOPS": "\(loops)", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
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
      #expect(regd.process.end() == 0)
      #expect(try line(connection).contains(#""id":1,"error":{"code":-32000"#))
      #expect(try line(connection) == "(end)")
    }
  }

  @Test(
    "SIGTERM: a registration is reported as pending if its upstream does not answer within the grace",
    arguments: [1, 2])
  func graceOfCommitted(_ loops: Int) throws {
    try withRegd([
      "REGD_SOCKET_LOOPS": "\(loops)", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0",
    ]) { regd in
      let connection = try regd.connect()
      let entry = RegdClient.entry(email: "a@test.com", password: "a fine phrase", confirmation: "a fine phrase")
      try connection.send(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"registration.register\",\"params\":\(entry.text)}")
      let client = try regd.client()
      while try client.call("registration.checkEmail", ["email": "a@test.com"]).get()["available"]?.bool != false {}
      #expect(regd.process.end() == 0)
      #expect(try line(connection).contains(#""reason":"network.timeout","retryable":true,"pending":true"#))
    }
  }
}
