import Linux
import RegdClient
import Systemd
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// A door is a folder and a row: here the echo door's, about which the daemon knows nothing else.
@Suite("Doors", .timeLimit(.minutes(10)))
struct DoorTests {
  @Test("a door greets, accepts bytes in any pieces, asks the domain, and is in the status next to JSON-RPC")
  func speaks() async throws {
    try await DoorStage.with("{mail: {protocol: echo, path: @/mail, greeting: welcome}}") { stage in
      let caller = try RegdClient(path: stage.socket)
      let echo = try RawCaller("\(stage.directory)/mail")
      #expect(try echo.readLine() == "welcome")
      for byte in "one\ntwo\n".utf8 { try echo.send([byte]) }
      #expect(try echo.readLine() == "one" && echo.readLine() == "two")
      try echo.send(Array("?someone@example.com\nafter it\n".utf8))
      #expect(try echo.readLine() == "free" && echo.readLine() == "after it")
      let entry = RegdClient.entry(
        email: "someone@example.com", password: "correct horse battery", confirmation: "correct horse battery")
      _ = try caller.call("registration.register", entry).get()
      try echo.send(Array("?someone@example.com\n".utf8))
      #expect(try echo.readLine() == "not free")
      #expect(try stage.doors(caller) == ["mail echo @/mail 1"])
      #expect(try caller.call("daemon.status").get()["connections"]?.integer == 2)
    } afterwards: { stage in
      #expect(stage.logged.contains("Serving \(stage.socket), \(stage.directory)/mail; store memory, network none"))
      #expect(FileSystem.isMissing("\(stage.directory)/mail") && FileSystem.isMissing(stage.socket))
    }
  }

  @Test("a reload adds, changes and removes doors, and the connections of the remaining doors stay open")
  func reload() async throws {
    try await DoorStage.with("{a: {protocol: echo, path: @/a}}") { stage in
      let idle = try RawCaller(stage.socket)
      let client = try RegdClient(path: stage.socket)
      let first = try RawCaller("\(stage.directory)/a")
      #expect(try first.readLine() == "hello")

      let both = "{a: {protocol: echo, path: @/a, greeting: again}, b: {protocol: echo, path: @/b}}"
      #expect(try stage.reload(both, client).filter { $0.hasPrefix("doors.a") } == ["doors.a.greeting"])
      #expect(try Self.echoes(first))
      #expect(try RawCaller("\(stage.directory)/a").readLine() == "again")
      let second = try RawCaller("\(stage.directory)/b")
      #expect(try second.readLine() == "hello")

      #expect(try stage.reload("{b: {protocol: echo, path: @/b}}", client).contains("doors.a.path"))
      #expect(try first.readLine() == nil, "its door is gone")
      #expect(FileSystem.isMissing("\(stage.directory)/a"))
      #expect(throws: RawCaller.Failure.self) { try RawCaller("\(stage.directory)/a") }
      #expect(try Self.echoes(second))
      #expect(try stage.doors(client) == ["b echo @/b 1"])
      // Over the connection that was open from the start.
      try idle.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n".utf8))
      #expect(try idle.readLine()?.contains("pong") == true)
    }
  }

  @Test("a reload with a door that cannot be opened changes nothing")
  func refused() async throws {
    try await DoorStage.with("{a: {protocol: echo, path: @/a}}") { stage in
      let client = try RegdClient(path: stage.socket)
      let echo = try RawCaller("\(stage.directory)/a")
      #expect(try echo.readLine() == "hello")
      for (doors, problem) in [
        ("{a: {protocol: echo, path: @/a}, b: {protocol: echo, path: @/none/b}}", "doors.b.path: @/none/b cannot be"),
        ("{c: {protocol: echo, path: @/c}, b: {protocol: echo}}", "doors.b.path is missing"),
        ("{a: {protocol: echo, path: @/a, mode: \"0600\"}}", "doors.a: mode and group"),
        ("{a: {protocol: other, path: @/a}}", "must be one of echo"),
        ("{a: {path: @/a}}", "must be one of echo"),
        ("{A: {protocol: echo, path: @/a}}", "must have a name of at most 32"),
        ("{a: {protocol: echo, path: @/s}}", "must be a separate file"),
        ("{a: {protocol: echo, path: @/a, greating: x}}", "did you mean \"doors.a.greeting\"?"),
        ("yes", "is a section"),
      ] {
        let problems = try stage.reload(doors, client).map { $0.replacing(stage.directory, with: "@") }
        #expect(problems.contains { $0.contains(problem) }, "\(doors): \(problems)")
        #expect(try Self.echoes(echo))
        #expect(FileSystem.isMissing("\(stage.directory)/c"))
      }
      #expect(try client.call("daemon.status").get()["configuration"]?["generation"]?.integer == 1)
      #expect(try stage.doors(client) == ["a echo @/a 1"])
    }
  }

  @Test(
    "regd reports a door's protocol once, whether it is unknown, empty or missing",
    arguments: ["{protocol: other, path: /x}", "{protocol: \"\", path: /x}", "{protocol: ~, path: /x}", "{path: /x}"])
  func protocolOnce(_ door: String) async {
    await #expect {
      try await Settings(file: ("f.yaml", "doors: {a: \(door)}"), environment: ["REGD_SOCKET_GROUP": ""])
    } throws: { error in
      let problems = (error as? ConfigurationError)?.problems ?? []
      return problems.map(\.key) == ["doors.a.protocol"]
    }
  }

  @Test("a user's connections at all listeners count together, and a door closes a refused one without a byte")
  func quotas() async throws {
    try await DoorStage.with("{a: {protocol: echo, path: @/a}}\nlimits: {connectionsPerUID: 2}") { stage in
      let client = try RegdClient(path: stage.socket)
      let echo = try RawCaller("\(stage.directory)/a")
      #expect(try echo.readLine() == "hello")
      let refused = try RawCaller("\(stage.directory)/a")
      #expect(try refused.readLine() == nil)
      let told = try RawCaller(stage.socket)
      try told.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n".utf8))
      #expect(try told.readLine()?.contains("server.busy") == true)
      #expect(try Self.echoes(echo))
      #expect(try client.call("rpc.ping").get() == "pong")
    }
  }

  @Test("a door uses the socket that was passed in under its name, also after it was removed and added again")
  func passed() async throws {
    try await DoorStage.with(
      "{mail: {protocol: echo}}",
      passed: { directory in
        let socket = try Descriptor.socket(.localStream)
        try socket.bind(to: SocketAddress(path: "\(directory)/passed"))
        try socket.listen(backlog: 8)
        return [PassedSocket(name: "mail", descriptor: socket.release())]
      },
      { stage in
        let client = try RegdClient(path: stage.socket)
        for _ in 0..<2 {
          let echo = try RawCaller("\(stage.directory)/passed")
          #expect(try echo.readLine() == "hello")
          #expect(try stage.doors(client) == ["mail echo @/passed 1"])
          try stage.reload("{}", client)
          #expect(try echo.readLine() == nil)
          #expect(try stage.doors(client) == [])
          let held = try client.call("daemon.status").get()["heldSockets"]?.array ?? []
          #expect(held.map(\.text) == ["{\"name\":\"mail\",\"address\":\"\(stage.directory)/passed\"}"])
          try stage.reload("{mail: {protocol: echo}}", client)
          #expect(try client.call("daemon.status").get()["heldSockets"] == nil)
        }
      },
      afterwards: { stage in
        #expect(!FileSystem.isMissing("\(stage.directory)/passed"), "its name is systemd's")
        let warnings = stage.logged.split(separator: "\n").filter { $0.contains("that has no door") }
        #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("\(stage.directory)/passed") }, "\(warnings)")
      })
  }

  @Test("regd refuses two sockets that were passed in under one door's name, because a door takes one")
  func passedTwice() async throws {
    let failure = await #expect(throws: StartupFailure.self) {
      try await DoorStage.with(
        "{mail: {protocol: echo}}",
        passed: { directory in
          try (1...2).map { number in
            let socket = try Descriptor.socket(.localStream)
            try socket.bind(to: SocketAddress(path: "\(directory)/passed\(number)"))
            try socket.listen(backlog: 8)
            return PassedSocket(name: "mail", descriptor: socket.release())
          }
        }, { _ in })
    }
    #expect(failure?.description.contains("2 sockets with the name \"mail\" were passed in") == true)
  }

  @Test("a reload with another protocol, or without a peer, ends the affected connections", .alsoAsRoot)
  func reachesOpenConnections() async throws {
    let uid = ThisProcess.effectiveUser
    let path = "path: @/a, mode: \"0600\""
    try await DoorStage.with("{a: {protocol: echo, \(path)}}") { stage in
      let client = try RegdClient(path: stage.socket)
      let first = try RawCaller("\(stage.directory)/a")
      #expect(try first.readLine() == "hello")
      try stage.reload("{a: {protocol: socketmap, \(path), domains: [example.org]}}", client)
      #expect(try first.readLine() == nil)
      let second = try RawCaller("\(stage.directory)/a")
      try second.send(Array("19:domains example.org,".utf8))
      #expect(String(decoding: try second.read(64), as: UTF8.self) == "14:OK example.org,")
      // root may always connect, so that only another user can lose the right
      guard uid == 0 else { return }
      try FileSystem.setPermissions(0o755, of: stage.directory)
      func door(_ peer: Int) -> String { "{b: {protocol: echo, path: @/b, mode: \"0666\", peers: {uids: [\(peer)]}}}" }
      try stage.reload(door(4711), client)
      let peer = try RawCaller("\(stage.directory)/b", as: 4711)
      let root = try RawCaller("\(stage.directory)/b")
      #expect(try peer.readLine() == "hello" && root.readLine() == "hello")
      try stage.reload(door(4712), client)
      #expect(try peer.readLine() == nil)
      #expect(try Self.echoes(root))
    }
  }

  @Test(
    "each door closes new and open connections of denied users without a byte, even of peers, but not of root",
    .needsRoot)
  func denied() async throws {
    let doors = """
      {a: {protocol: echo, path: @/a, mode: "0666", peers: {uids: [4711, 4712]}},
      j: {protocol: jsonrpc, path: @/j, mode: "0666"}}
      """
    try await DoorStage.with(doors) { stage in
      let client = try RegdClient(path: stage.socket)
      try FileSystem.setPermissions(0o755, of: stage.directory)
      let paths = ["\(stage.directory)/a", "\(stage.directory)/j"]
      let open = try paths.map { try RawCaller($0, as: 4711) }
      #expect(try open[0].readLine() == "hello")
      try open[1].send(Array((#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n").utf8))
      #expect(try open[1].readLine()?.contains("pong") == true)
      #expect(try stage.reload(doors, client, deny: "{uids: [0, 4711]}") == ["access.deny.uids"])
      for caller in open { #expect(try caller.readAll() == []) }
      for path in paths { #expect(try RawCaller(path, as: 4711).readAll() == []) }
      #expect(try RawCaller(paths[0], as: 4712).readLine() == "hello" && RawCaller(paths[0]).readLine() == "hello")
      #expect(try client.call("rpc.ping").get() == "pong")
      try stage.reload(doors, client)
      #expect(try RawCaller(paths[0], as: 4711).readLine() == "hello")
    }
  }

  @Test("a jsonrpc door sends a denied user nothing for the requests that it has not read", .needsRoot)
  func deniedUnread() async throws {
    let doors = "{j: {protocol: jsonrpc, path: @/j, mode: \"0666\"}}"
    try await DoorStage.with(doors) { stage in
      let client = try RegdClient(path: stage.socket)
      try FileSystem.setPermissions(0o755, of: stage.directory)
      let caller = try RawCaller("\(stage.directory)/j", as: 4711)
      let ping = Array((#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n").utf8)
      // the door reads no more requests once many replies wait for the caller
      var quietRounds = 0
      while quietRounds < 20 {
        quietRounds = caller.flood(ping) == 0 ? quietRounds + 1 : 0
        #expect(try client.call("rpc.ping").get() == "pong")
      }
      #expect(!caller.isTaken)
      try stage.reload(doors, client, deny: "{uids: [4711]}")
      let lines = String(decoding: try caller.readAll(), as: UTF8.self).split(separator: "\n")
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("\"pong\"") }, "\(lines.last ?? "")")
    }
  }

  private static func echoes(_ caller: RawCaller) throws -> Bool {
    try caller.send(Array("still here\n".utf8))
    return try caller.readLine() == "still here"
  }
}
