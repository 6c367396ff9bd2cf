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

  private func ask(_ caller: RawCaller, _ method: String) throws -> String {
    try caller.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}\n".utf8))
    return try caller.readLine() ?? "(end)"
  }

  @Test(
    "a right that a reload grants or removes applies to open connections, including their events",
    .needsRoot)
  func open() throws {
    let admin = "access: {admin: {users: [\"\(Self.user)\"]}}"
    try Reloadable.with("", ["REGD_SOCKET_MODE": "0666"]) { it in
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
    "a reload also grants and removes an observer's right, and can make a named user an administrator instead of root",
    .needsRoot)
  func observers() throws {
    let admin: UInt32 = 4322
    try Reloadable.with("", ["REGD_SOCKET_MODE": "0666", "REGD_ACCESS_ADMIN_UIDS": "\(admin)"]) { it in
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
