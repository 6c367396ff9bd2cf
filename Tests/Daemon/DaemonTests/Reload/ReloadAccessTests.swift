import Glibc
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// The rights of callers after a reload.
@Suite("Reload: access", .blocking, .timeLimit(.minutes(10)))
struct ReloadAccessTests {
  private static let user: UInt32 = 4321
  private static let other: UInt32 = 4322
  /// The part of the error for a denied user that does not depend on the user.
  private static let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"The user with uid "#

  /// All lines up to the end of the connection.
  private func lines(of caller: RawCaller) throws -> [Substring] {
    String(decoding: try caller.readAll(), as: UTF8.self).split(separator: "\n")
  }

  private func ask(_ caller: RawCaller, _ method: String) throws -> String {
    try caller.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}\n".utf8))
    return try caller.readLine() ?? "(end)"
  }

  @Test(
    "a right that a reload grants or removes applies to open connections, including their events",
    .needsRoot)
  func open() throws {
    let admin = "access: {admin: {users: [\"\(Self.user)\"]}}"
    try ReloadableRegd.with("", ["REGD_SOCKET_MODE": "0666"]) { it in
      chmod(it.regd.directory, 0o711)
      let caller = try RawCaller(it.regd.socket, as: Self.user)
      #expect(try ask(caller, "daemon.status").contains("access.denied"))
      #expect(try ask(caller, "daemon.reload").contains("access.denied"))
      try it.reload(admin)
      #expect(try ask(caller, "daemon.status").contains("\"result\""))
      #expect(try ask(caller, "events.subscribe").contains("\"sequence\""))
      try it.reload(admin + "\nlimits: {depth: 32}")
      #expect(try caller.readLine()?.contains("daemon.reloaded") == true)
      try it.reload("")
      // The caller may get the event of the reload that removes the right, but none after it.
      try it.reload("limits: {depth: 33}")
      try it.reload("limits: {depth: 34}")
      var lines: [String] = []
      repeat {
        lines.append(try lines.isEmpty ? ask(caller, "daemon.status") : caller.readLine() ?? "(end)")
      } while lines.last?.contains("events.happened") == true
      #expect(lines.last?.contains("access.denied") == true)
      #expect(lines.allSatisfy { !$0.contains("changed: limits.depth\"") }, "\(lines)")
    }
  }

  @Test(
    "a reload closes open connections of denied users with one error, and refuses new ones, but root keeps its connections",
    .needsRoot)
  func denied() throws {
    try ReloadableRegd.with("", ["REGD_SOCKET_MODE": "0666"]) { it in
      chmod(it.regd.directory, 0o711)
      let (caller, root) = (try RawCaller(it.regd.socket, as: Self.user), try RawCaller(it.regd.socket))
      for open in [caller, root] { #expect(try ask(open, "rpc.ping").contains("pong")) }
      // these callers have root's group
      let deny = "deny: {uids: [0, \(Self.user)], groups: [\"0\"]}"
      #expect(
        try it.reload("access: {admin: {uids: [\(Self.user)]}, \(deny)}").contains("access.deny.uids"))
      for denied in [
        caller, try RawCaller(it.regd.socket, as: Self.user), try RawCaller(it.regd.socket, as: Self.other),
      ] {
        let said = try lines(of: denied)
        #expect(said.count == 1 && said[0].contains(Self.refusal), "\(said)")
      }
      #expect(try ask(root, "daemon.status").contains("\"result\""))
      try it.reload("access: {deny: {uids: [\(Self.other)]}}")
      #expect(try ask(RawCaller(it.regd.socket, as: Self.user), "rpc.ping").contains("pong"))
      let said = try lines(of: RawCaller(it.regd.socket, as: Self.other))
      #expect(said.count == 1 && said[0].contains(Self.refusal), "\(said)")
    }
  }

  @Test("a user that a reload denies still gets the reply to a request in flight, but no events", .needsRoot)
  func deniedInFlight() throws {
    let variables = [
      "REGD_SOCKET_MODE": "0666", "REGD_STORE_BACKEND": "memory", "REGD_NETWORK_BACKEND": "scripted",
      "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=1000ms",
    ]
    let observe = "observe: {uids: [\(Self.user)]}"
    try ReloadableRegd.with("access: {\(observe)}", variables) { it in
      chmod(it.regd.directory, 0o711)
      let caller = try RawCaller(it.regd.socket, as: Self.user)
      #expect(try ask(caller, "events.subscribe").contains("\"sequence\""))
      let request = #"{"jsonrpc":"2.0","id":2,"method":"registration.checkEmail","params":["a@test.com"]}"#
      try caller.send(Array("\(request)\n".utf8))
      // both requests were read
      try reached {
        try it.status()["users"]?.array?.contains {
          $0["uid"]?.integer == Int(Self.user) && $0["requests"]?.integer == 2
        } == true
      }
      try it.reload("access: {\(observe), deny: {uids: [\(Self.user)]}}")
      try it.reload("access: {\(observe), deny: {uids: [\(Self.user)]}}\nlimits: {depth: 32}")
      let said = try lines(of: caller)
      #expect(said.count { $0.contains(Self.refusal) } == 1, "\(said)")
      #expect(said.count { $0.contains(#""id":2,"result":{"available":true}"#) } == 1, "\(said)")
      #expect(!said.contains { $0.contains("limits.depth") }, "\(said)")
    }
  }

  @Test(
    "beyond the rate limit, administrators are still served and can reload, while other users are refused",
    .needsRoot)
  func rate() throws {
    let rules = "access: {admin: {uids: [\(Self.other)]}}\nlimits: {requestsPerSecondPerUID: 1}"
    try ReloadableRegd.with(
      rules, ["REGD_SOCKET_MODE": "0666", "REGD_ACCESS_ADMIN_UIDS": "\(Self.other)"]
    ) { it in
      chmod(it.regd.directory, 0o711)
      let pings = (1...20).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"rpc.ping"}"# }
      let batch = "[\(pings.joined(separator: ","))]\n"
      for (uid, isLimited) in [(Self.user, true), (Self.other, false), (0, false)] {
        let caller = try RawCaller(it.regd.socket, as: uid)
        try caller.send(Array(batch.utf8))
        #expect(try caller.readLine()?.contains("rate.limited") == isLimited, "\(uid)")
      }
      for length in 9...12 {
        #expect(try it.reload("\(rules)\npassword: {minimumLength: \(length)}") == ["password.minimumLength"])
      }
    }
  }

  @Test(
    "a reload also grants and removes an observer's right, and can make a named user an administrator instead of root",
    .needsRoot)
  func observers() throws {
    let admin: UInt32 = 4322
    try ReloadableRegd.with("", ["REGD_SOCKET_MODE": "0666", "REGD_ACCESS_ADMIN_UIDS": "\(admin)"]) { it in
      chmod(it.regd.directory, 0o711)
      let (caller, root) = (try RawCaller(it.regd.socket, as: Self.user), try RawCaller(it.regd.socket))
      let named = try RawCaller(it.regd.socket, as: admin)
      #expect(try ask(caller, "daemon.metrics").contains("access.denied"))
      try it.reload("access: {observe: {uids: [\(Self.user)]}}")
      #expect(try ask(caller, "daemon.metrics").contains("\"result\""))
      #expect(try ask(caller, "outbox.list").contains("access.denied"))
      try it.reload("access: {admin: {root: false}}")
      #expect(try ask(named, "outbox.list").contains("\"result\""))
      #expect(try ask(caller, "daemon.metrics").contains("access.denied"))
      #expect(try ask(root, "daemon.status").contains("access.denied"))
      for _ in 0..<2 {
        let nobody = try RawCaller(it.regd.socket, as: 65_534)
        #expect(try ask(nobody, "rpc.ping").contains("pong"))
      }
      it.regd.process.end()
      let lines = it.regd.process.output.split(separator: "\n").filter { $0.contains("another user namespace") }
      #expect(lines.count == 1 && lines[0].contains("uid=65534"), "\(lines)")
    }
  }
}
