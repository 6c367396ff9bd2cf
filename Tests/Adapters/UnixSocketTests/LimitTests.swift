import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing

/// Each limit: its error, its entry in rpc.serverInfo, and the connection that continues.
@Suite("Limits", .blocking, .timeLimit(.minutes(10)))
struct LimitTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  private static func batch(_ count: Int, _ method: String) -> String {
    "[" + (0..<count).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"\(method)\"}" }.joined(separator: ",") + "]"
  }

  static let refusals: [(key: String, value: String, text: String, code: Int, reason: String)] = [
    ("MESSAGE_BYTES", "1024", "[\"\(String(repeating: "x", count: 2000))\"]\n", -32007, "request.tooLarge"),
    ("DEPTH", "4", "[[[[[]]]]]", -32007, "request.tooDeep"),
    ("BATCH_ITEMS", "3", batch(4, "rpc.ping"), -32010, "batch.tooLarge"),
    ("REQUESTS_PER_SECOND_PER_UID", "2", batch(3, "rpc.ping"), -32003, "rate.limited"),
    ("RESPONSE_BYTES", "65536", batch(80, "rpc.discover"), -32008, "response.tooLarge"),
  ]

  @Test(
    "a request past a limit fails with its own error and the limit, and rpc.serverInfo lists the limit",
    arguments: refusals.indices)
  func refuses(_ index: Int) throws {
    let (key, value, text, code, reason) = Self.refusals[index]
    // the rate does not limit administrators
    let access = ["REGD_ACCESS_ADMIN_ROOT": "false", "REGD_ACCESS_ADMIN_UIDS": "4711"]
    let variables = ["REGD_LIMITS_\(key)": value].merging(reason == "rate.limited" ? access : [:]) { $1 }
    try withRegd(variables) { regd in
      let connection = try regd.connect()
      try connection.send(text)
      let reply = try line(connection)
      #expect(reply.contains("\"code\":\(code),"))
      #expect(reply.contains("\"reason\":\"\(reason)\"") && reply.contains("\"limit\":\(value)"))
      guard reason != "rate.limited" else { return }
      try connection.send(Self.ping)
      #expect(try line(connection) == Self.pong)
      let limits = try regd.client().call("rpc.serverInfo", nil).get()["limits"]
      guard case .object(let members)? = limits else {
        Issue.record("rpc.serverInfo has no limits")
        return
      }
      #expect(members.contains { $0.value.integer == Int(value) })
      #expect(members.count == 16)
    }
  }

  @Test("regd limits the connections of one user separately from those of all users", arguments: [1, 2])
  func perUser(_ loops: Int) throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS_PER_UID": "1", "REGD_SOCKET_LOOPS": "\(loops)"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try line(first) == Self.pong)
      let second = try regd.connect()
      try second.send(Self.ping)
      let refusal = try line(second)
      #expect(refusal.contains("-32009") && refusal.contains("uid \(getuid())") && refusal.contains("\"limit\":1"))
      #expect(try line(second) == "(end)")
    }
  }

  @Test("another user can connect when one user has too many connections", .needsRoot)
  func anotherUser() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS_PER_UID": "1"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try line(first) == Self.pong)
      #expect(try asNobody(Self.ping, regd) == Self.pong)
    }
  }

  @Test(
    "only root and users configured by uid, name or supplementary group may call the methods for administrators",
    .needsRoot)
  func access() throws {
    let status = #"{"jsonrpc":"2.0","id":7,"method":"daemon.status"}"#
    try withRegd(["REGD_ACCESS_ADMIN_GROUPS": "no-such-group,4711"]) { regd in
      #expect(regd.process.output.contains("group no-such-group"))
      #expect(try regd.client().call("daemon.status", nil).get()["connections"]?.integer == 1)
      let denied = try asNobody(#"{"jsonrpc":"2.0","id":7,"method":"outbox.list"}"#, regd)
      #expect(denied.contains("-32001") && denied.contains("class \\\"admin\\\"") && denied.contains("uid 65534"))
      #expect(try asNobody(status, regd, groups: "4710,4711").contains("\"result\":{\"version\""))
    }
    for (key, value) in [("UIDS", "65534"), ("USERS", "nobody")] {
      try withRegd(["REGD_ACCESS_ADMIN_\(key)": value]) { regd throws in
        #expect(try asNobody(status, regd).contains("\"result\":{\"version\""))
      }
    }
  }

  @Test(
    "users denied by uid, name or supplementary group get one error in their framing, even administrators, but root is served",
    .needsRoot)
  func denied() throws {
    let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"#
    try withRegd(["REGD_ACCESS_DENY_GROUPS": "no-such-group,4711"]) { regd in
      #expect(regd.process.output.contains("has no effect: access.deny.groups: group no-such-group"))
      #expect(try asNobody(Self.ping, regd) == Self.pong)
      let line = try asNobody(Self.ping, regd, groups: "4710,4711")
      #expect(line.hasPrefix(refusal) && line.contains("access.denied") && line.contains("uid 65534"), "\(line)")
      let framed = "Content-Length: \(Self.ping.utf8.count)\r\n\r\n\(Self.ping)"
      let block = try asNobody(framed, regd, groups: "4710,4711")
      #expect(block.hasPrefix("Content-Length: ") && block.contains(refusal), "\(block)")
    }
    for (key, value) in [("UIDS", "0,65534"), ("USERS", "root,nobody")] {
      try withRegd(["REGD_ACCESS_DENY_\(key)": value, "REGD_ACCESS_ADMIN_UIDS": "65534"]) { regd in
        let line = try asNobody(Self.ping, regd)
        #expect(line.hasPrefix(refusal))
        let status = try regd.client().call("daemon.status", nil).get()
        #expect(status["connections"]?.integer == 1)
      }
    }
  }

  /// The reply to a request by the user `nobody`.
  private func asNobody(_ text: String, _ regd: RunningRegd, groups: String? = nil) throws -> String {
    chmod(regd.directory, 0o711)
    chmod(regd.socket, 0o666)
    try TextFile.write(text, to: "\(regd.directory)/request")
    unlink("\(regd.directory)/run.log")
    let group = groups.map { "--groups=\($0)" } ?? "--clear-groups"
    let (_, output) = try RegdProcess.run(
      program: "/bin/sh",
      arguments: [
        "-c", "exec setpriv --reuid=65534 --regid=65534 \(group) nc -U -N \(regd.socket) < \(regd.directory)/request",
      ], directory: regd.directory)
    return String(output.prefix { $0 != "\n" })
  }

  @Test("regd closes a connection without requests with a reason, but not a connection that waits for a reply")
  func idle() throws {
    try withRegd([
      "REGD_LIMITS_IDLE_SECONDS": "1", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=2500ms",
    ]) { regd in
      let connection = try regd.connect()
      try connection.send(#"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@test.com"]}"#)
      #expect(try line(connection) == #"{"jsonrpc":"2.0","id":1,"result":{"available":true}}"#)
      let reason = try line(connection)
      #expect(reason.contains("-32002") && reason.contains("\"limit\":1"))
      #expect(try line(connection) == "(end)")
    }
  }

  @Test(
    "a read that takes too long fails at the deadline, and a registration that has begun is pending", arguments: [1, 2])
  func deadline(_ loops: Int) throws {
    try withRegd([
      "REGD_SOCKET_LOOPS": "\(loops)", "REGD_LIMITS_REQUEST_SECONDS": "3", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms", "REGD_STORE_BACKEND": "memory",
      "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=3600000ms",
    ]) { regd in
      let client = try regd.client()
      let error = try #require(try client.call("registration.checkEmail", ["email": "a@test.com"]).failure)
      #expect(error.code == -32002)
      #expect(error.data["limit"]?.integer == 3)
      // a registration that has begun is pending, and its error contains this
      let entry = RegdClient.entry(email: "a@test.com", password: "a fine phrase", confirmation: "a fine phrase")
      let pending = try #require(try client.call("registration.register", entry).failure)
      #expect(pending.reason == "network.timeout")
      #expect(pending.data["pending"]?.bool == true)
    }
  }
}

extension Result {
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
