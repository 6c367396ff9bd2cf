import Doors
import Glibc
import JSONRPC
import Linux
import RegdClient
import Systemd
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// regd's own doors, over real sockets.
@Suite("Doors of other programs' protocols", .timeLimit(.minutes(10)))
struct SpokenDoorTests {
  private static let password = "correct horse battery"

  private static func register(_ client: RegdClient, _ email: String = "you@example.org") throws {
    let entry = RegdClient.entry(email: email, password: password, confirmation: password)
    _ = try client.call("registration.register", entry).get()
  }

  /// Sends a request in saslauthd's protocol.
  ///
  /// - Returns: The answer's text, or "" if the connection ended without one.
  private static func saslauthd(
    _ path: String, _ login: String, _ password: String = SpokenDoorTests.password, realm: String = ""
  ) throws -> String {
    let caller = try RawCaller(path)
    let strings = [login, password, "test", realm].map { Array($0.utf8) }
    try caller.send(strings.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 })
    return String(decoding: try caller.readAll().dropFirst(2), as: UTF8.self)
  }

  @Test("saslauthd's door distinguishes wrong, refused and right logins, and counts each")
  func saslauthd() async throws {
    try await DoorStage.with("{mail: {protocol: saslauthd, path: @/mux, domain: example.org}}") { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      let mux = "\(stage.directory)/mux"
      #expect(try Self.saslauthd(mux, "you@example.org", "other horse battery") == "NO")
      #expect(try Self.saslauthd(mux, "nobody") == "NO")
      #expect(try Self.saslauthd(mux, "you") == "OK")
      _ = try client.call("account.disable", ["email": "you@example.org"]).get()
      #expect(try Self.saslauthd(mux, "you") == "NO account.disabled")
      #expect(try stage.verdicts("mail", client) == [1, 2, 1, 0])
      let metrics = try client.call("daemon.metrics").get()["text"]?.string ?? ""
      #expect(metrics.contains("regd_door_wrong_total{door=\"mail\"} 2\n"))
      #expect(metrics.contains("regd_door_connections{door=\"mail\"} "))
    } afterwards: { stage in
      #expect(stage.logged.contains("door=mail method=session.signIn reason=credentials.rejected"))
      #expect(!stage.logged.contains("example.org"))
    }
  }

  @Test(
    "only root and the named peers may connect to a door; others get no byte, and a reload changes the peers in place",
    .alsoAsRoot)
  func peers() async throws {
    try await DoorStage.with("{a: {protocol: echo, path: @/a, mode: \"0666\", peers: {uids: [4711]}}}") { stage in
      let client = try RegdClient(path: stage.socket)
      let isRoot = ThisProcess.effectiveUser == 0
      let path = "\(stage.directory)/a"
      if isRoot {
        try FileSystem.setPermissions(0o755, of: stage.directory)
        #expect(try RawCaller(path).readLine() == "hello")
        #expect(try RawCaller(path, as: 4711).readLine() == "hello")
        #expect(try RawCaller(path, as: 4712).readLine() == nil)
      } else {
        #expect(try RawCaller(path).readLine() == nil)
      }
      let uid = isRoot ? 4712 : ThisProcess.effectiveUser
      #expect(
        try stage.reload("{a: {protocol: echo, path: @/a, mode: \"0666\", peers: {uids: [\(uid)]}}}", client)
          == ["doors.a.peers.uids"])
      #expect(try (isRoot ? RawCaller(path, as: 4712) : RawCaller(path)).readLine() == "hello")
    }
  }

  @Test(
    "unknown peers give no access, so that only root may connect, and regd logs a warning; also at a reload",
    .alsoAsRoot)
  func unknownPeers() async throws {
    @Sendable func doors(_ peers: String) -> String { "{a: {protocol: echo, path: @/a, mode: \"0666\"\(peers)}}" }
    let unknown = doors(", peers: {users: [no-such-user], groups: [no-such-group]}")
    try await DoorStage.with(unknown) { stage in
      let client = try RegdClient(path: stage.socket)
      let isRoot = ThisProcess.effectiveUser == 0
      let path = "\(stage.directory)/a"
      if isRoot { try FileSystem.setPermissions(0o755, of: stage.directory) }
      /// A caller who is not root.
      func other() throws -> RawCaller { try isRoot ? RawCaller(path, as: 4711) : RawCaller(path) }
      if isRoot { #expect(try RawCaller(path).readLine() == "hello") }
      #expect(try other().readLine() == nil)
      let uid = isRoot ? 4711 : ThisProcess.effectiveUser
      _ = try stage.reload(doors(", peers: {users: [no-such-user], uids: [\(uid)]}"), client)
      #expect(try other().readLine() == "hello")
      _ = try stage.reload(doors(""), client)
      let kept = try other()
      #expect(try kept.readLine() == "hello")
      _ = try stage.reload(unknown, client)
      #expect(try kept.readLine() == nil)
      #expect(try other().readLine() == nil)
      let named = "{j: {protocol: jsonrpc, path: @/j, allow: [exists], peers: {users: [no-such-user]}}}\n"
      let problems = try stage.reload(named + Self.concealing, client)
      #expect(problems.contains("doors.j.allow"), "\(problems)")
    } afterwards: { stage in
      for member in ["users: user no-such-user", "groups: group no-such-group"] {
        let lines = stage.logged.split(separator: "\n").filter { $0.hasSuffix("doors.a.peers.\(member)") }
        #expect(lines.contains { $0.contains(" warning ") && $0.contains("has no effect") }, "\(stage.logged)")
      }
    }
  }

  @Test("the configuration refuses an invalid door with a message")
  func refused() async throws {
    try await DoorStage.with("{}") { stage in
      let client = try RegdClient(path: stage.socket)
      for (doors, problem) in [
        ("{a: {protocol: saslauthd, listen: \"127.0.0.1:1\"}}", "saslauthd needs a Unix socket"),
        (
          "{a: {protocol: http, listen: \"127.0.0.1:1\"}, b: {protocol: http, listen: \"127.0.0.1:1\"}}",
          "must be a different address: doors.a also listens at 127.0.0.1:1"
        ),
        ("[]", "is a section, not a value: write its names below it"),
        ("{a: {protocol: saslauthd, path: @/a, domain: nowhere}}", "must be a domain with a dot"),
        ("{a: {protocol: saslauthd, path: @/a, domains: [\"a b.org\"]}}", "must be a domain with a dot"),
        ("{a: {protocol: saslauthd, path: @/a, answerSeconds: 0}}", "must be a whole number from 1 to 60"),
        ("{a: {protocol: saslauthd, path: @/a, answerSeconds: 61}}", "must be a whole number from 1 to 60"),
        (
          "{a: {protocol: http, listen: \"127.0.0.1:1\", peers: {users: [no-such-user]}}}",
          "cannot be combined with doors.a.listen"
        ),
        (
          "{a: {protocol: http, listen: \"127.0.0.1:1\", trusted: {users: [no-such-user]}}}",
          "cannot be combined with doors.a.listen"
        ),
        ("{a: {protocol: saslauthd, path: @/a, allow: [exists]}}", "unknown"),
        (
          "{a: {protocol: jsonrpc, path: @/a, allow: [everything]}}",
          "must be some of exists, register, setPassword, delete"
        ),
        ("{a: {protocol: jsonrpc, path: @/a, allow: [exists]}}\n" + Self.concealing, "must name who may connect"),
        // This also allows account.get, and reveals whether an address is known.
        ("{a: {protocol: jsonrpc, path: @/a, allow: [setPassword]}}\n" + Self.concealing, "must name who may connect"),
        ("{a: {protocol: jsonrpc, path: @/a, allow: [delete]}}\n" + Self.concealing, "must name who may connect"),
      ] {
        let problems = try stage.reload(doors, client)
        #expect(problems.contains { $0.contains(problem) }, "\(doors): \(problems)")
      }
      let peers = "peers: {uids: [\(ThisProcess.effectiveUser)]}"
      let named = "{a: {protocol: jsonrpc, path: @/a, allow: [exists], \(peers)}}\n" + Self.concealing
      let problems = try stage.reload(named, client)
      #expect(!problems.contains { $0.contains("must name who may connect") }, "\(problems)")
      let reply = try RegdClient(path: "\(stage.directory)/a").call(
        "registration.checkEmail", ["email": "you@example.org"])
      #expect(try reply.get() == ["available": .bool(true)])
    }
  }

  private static let concealing =
    "registration: {verification: required, conceal: true}\nmail: {backend: event, from: \"noreply\\u0040example.org\"}"

  @Test("JSON-RPC's door lets every caller sign in and call the allowed methods, and nothing else")
  func jsonrpc() async throws {
    try await DoorStage.with(
      "{a: {protocol: jsonrpc, path: @/a, domain: example.org, domains: [example.org]}, b: {protocol: jsonrpc, path: @/b, allow: [setPassword, delete]}}"
    ) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      let (a, b) = (try RegdClient(path: "\(stage.directory)/a"), try RegdClient(path: "\(stage.directory)/b"))
      for method in ["account.list", "registration.register", "form.open", "owner.delete", "daemon.status"] {
        #expect(try Self.reason(a.call(method)) == "access.denied", "\(method)")
      }
      #expect(try Self.reason(b.call("account.list")) == "access.denied")
      #expect(
        try Self.reason(a.call("session.signIn", ["email": "you", "password": "other horse"])) == "credentials.rejected"
      )
      #expect(
        try Self.reason(a.call("session.signIn", ["email": "you@example.com", "password": .string(Self.password)]))
          == "credentials.rejected")
      #expect(
        try a.call("session.signIn", ["email": "you", "password": .string(Self.password)]).get()["account"]?["email"]
          == "you@example.org")
      #expect(try a.call("rpc.ping").get() == "pong")
      #expect(try stage.verdicts("a", client) == [1, 2, 0, 0])
      #expect(try Self.reason(b.call("account.get", ["email": "me@example.org"])) == "account.notFound")
      _ = try b.call("account.delete", ["email": "you@example.org"]).get()
      #expect(try Self.reason(client.call("account.get", ["email": "you@example.org"])) == "account.notFound")
      let events = try client.call("events.list").get()["events"]?.array ?? []
      #expect(events.map { $0["event"]?.string } == ["account.registered", "account.deleted"])
      #expect(events.map { $0["door"]?.string } == [nil, "b"])
      let broken: JSONValue = "fine\u{0} phrase"
      let entry: JSONValue = ["email": "nul@example.org", "password": broken, "passwordConfirmation": broken]
      _ = try client.call("registration.register", entry).get()
      let signIn: JSONValue = ["email": "nul@example.org", "password": broken]
      #expect(try client.call("session.signIn", signIn).get()["account"] != nil)
      #expect(try Self.reason(b.call("session.signIn", signIn)) == "credentials.rejected")
    }
  }

  @Test("the domains of JSON-RPC's door apply to all that it allows, by address and by id")
  func fenced() async throws {
    try await DoorStage.with(
      """
      {a: {protocol: jsonrpc, path: @/a, domains: [example.org], allow: [exists, register, setPassword, delete]},
      b: {protocol: jsonrpc, path: @/b, allow: [register, delete]}}
      """
    ) { stage in
      let client = try RegdClient(path: stage.socket)
      let (a, b) = (try RegdClient(path: "\(stage.directory)/a"), try RegdClient(path: "\(stage.directory)/b"))
      for email in ["you@example.org", "you@example.com"] { try Self.register(client, email) }
      let other = try client.call("account.get", ["email": "you@example.com"]).get()["account"]?["id"]?.string ?? ""
      let entry = RegdClient.entry(email: "new@example.com", password: Self.password, confirmation: Self.password)
      let password: JSONValue = .string(Self.password)
      for (method, params, reason) in [
        ("registration.checkEmail", ["email": "you@example.com"], "access.denied"),
        ("registration.checkEmail", ["email": " You@EXAMPLE.com "], "access.denied"),
        ("registration.register", entry, "access.denied"), ("registration.validate", entry, "access.denied"),
        ("account.get", ["email": "you@example.com"], "access.denied"),
        ("account.get", ["id": .string(other)], "account.notFound"),
        ("account.delete", ["email": "you@example.com"], "access.denied"),
        ("account.delete", ["id": .string(other)], "account.notFound"),
        (
          "account.setPassword",
          ["email": "you@example.com", "password": "another phrase", "passwordConfirmation": "another phrase"],
          "access.denied"
        ),
        (
          "account.setPassword",
          ["id": .string(other), "password": "another phrase", "passwordConfirmation": "another phrase"],
          "account.notFound"
        ),
        ("owner.delete", ["email": "you@example.com", "password": password], "credentials.rejected"),
        ("account.get", ["email": "no address"], "validation.failed"),
        ("account.get", ["id": "x"], "rpc.invalidParams"),
      ] as [(String, JSONValue, String)] {
        #expect(try Self.reason(a.call(method, params)) == reason, "\(method) \(params.text)")
      }
      // None of these calls had an effect.
      let signIn: JSONValue = ["email": "you@example.com", "password": password]
      #expect(try client.call("session.signIn", signIn).get()["account"]?["id"]?.string == other)
      #expect(
        try client.call("registration.checkEmail", ["email": "new@example.com"]).get() == ["available": .bool(true)])
      // Everything works within the domains, and at the other door, which has none.
      let own = try a.call("account.get", ["email": "you@example.org"]).get()["account"]?["id"]?.string ?? ""
      #expect(try a.call("account.get", ["id": .string(own)]).get()["account"]?["email"] == "you@example.org")
      #expect(try a.call("registration.checkEmail", ["email": "new@example.org"]).get() == ["available": .bool(true)])
      _ = try a.call("owner.delete", ["email": "you@example.org", "password": password]).get()
      #expect(try b.call("registration.validate", entry).get()["registrationEnabled"] == .bool(true))
      _ = try b.call("account.delete", ["id": .string(other)]).get()
    }
  }

  @Test("a door rejects a login that could end a line in another program, but ignores spaces around a login")
  func margins() async throws {
    try await DoorStage.with(
      "{m: {protocol: saslauthd, path: @/m, domain: example.org}, a: {protocol: jsonrpc, path: @/a, domain: example.org}}"
    ) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client, " you@example.org\u{200E}\n")
      let a = try RegdClient(path: "\(stage.directory)/a")
      func signIn(_ client: RegdClient, _ login: String) throws -> Bool {
        let params: JSONValue = ["email": .string(login), "password": .string(Self.password)]
        return try client.call("session.signIn", params).get()["account"]?["email"] == "you@example.org"
      }
      for login in ["you@example.org ", " You@example.org", "you ", "\u{A0}you", "you@example.org\u{200E}"] {
        #expect(try Self.saslauthd("\(stage.directory)/m", login) == "OK", "\(login)")
        #expect(try signIn(a, login))
        if login.contains("@") { #expect(try signIn(client, login)) }
      }
      for login in ["you@example.org\n", "you\n", "\tyou", "you@example.org\u{2028}", "you\u{85}"] {
        #expect(try Self.saslauthd("\(stage.directory)/m", login) == "NO", "\(login)")
        let params: JSONValue = ["email": .string(login), "password": .string(Self.password)]
        #expect(try Self.reason(a.call("session.signIn", params)) == "credentials.rejected")
      }
      // If no other program uses the name, regd also ignores a line feed that was copied along.
      #expect(try signIn(client, "you@example.org\n"))
      let opened = try client.call("form.open", ["kind": "signIn"]).get()["form"] ?? .null
      let set: JSONValue = ["form": opened, "email": "you@example.org ", "password": "x"]
      #expect(try client.call("form.set", set).get()["state"]?["problems"]?.array?.isEmpty == true)
    }
  }

  @Test(
    "JSON-RPC's door also counts sign-ins that are refused before they are tried, and does not limit administrators",
    .needsRoot)
  func counted() async throws {
    let doors = "{a: {protocol: jsonrpc, path: @/a, mode: \"0666\"}}\nlimits: {requestsPerSecondPerUID: 1}"
    try await DoorStage.with(doors) { stage in
      let client = try RegdClient(path: stage.socket)
      try FileSystem.setPermissions(0o755, of: stage.directory)
      func reason(_ caller: RawCaller) throws -> String? {
        try caller.send(
          Array(#"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":{"email":1}}"#.utf8))
        return JSONValue((try caller.readLine() ?? "").utf8)?["error"]?["data"]?["reason"]?.string
      }
      let administrator = try RawCaller("\(stage.directory)/a")
      for _ in 0..<20 { #expect(try reason(administrator) == "rpc.invalidParams") }
      let other = try RawCaller("\(stage.directory)/a", as: 4711)
      var reasons: [String?] = []
      repeat { reasons.append(try reason(other)) } while reasons.last != "rate.limited"
      #expect(reasons.dropLast().allSatisfy { $0 == "rpc.invalidParams" })
      let metrics = try client.call("daemon.metrics").get()["text"]?.string ?? ""
      #expect(metrics.contains("regd_door_limited_total{door=\"a\"} 1\n"), "\(metrics)")
      let door = try client.call("daemon.status").get()["doors"]?.array?.first
      #expect(["right", "wrong", "away"].map { door?[$0]?.integer } == [0, 20 + reasons.count - 1, 1])
    }
  }

  @Test("open connections follow a reload of their door")
  func reloaded() async throws {
    let before =
      "{a: {protocol: jsonrpc, path: @/a, allow: [delete]}, m: {protocol: socketmap, path: @/m, domains: [example.org]}}"
    let after = "{a: {protocol: jsonrpc, path: @/a}, m: {protocol: socketmap, path: @/m, domains: [other.org]}}"
    try await DoorStage.with(before) { stage in
      let client = try RegdClient(path: stage.socket)
      let (a, m) = (try RawCaller("\(stage.directory)/a"), try RawCaller("\(stage.directory)/m"))
      func reason() throws -> String? {
        try a.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"account.get","params":{"email":"x@example.org"}}"#.utf8))
        return JSONValue((try a.readLine() ?? "").utf8)?["error"]?["data"]?["reason"]?.string
      }
      func answer() throws -> String {
        try m.send(Array("19:domains example.org,".utf8))
        return String(decoding: try m.read(64), as: UTF8.self)
      }
      #expect(try reason() == "account.notFound")
      #expect(try answer().contains("OK example.org"))
      #expect(try stage.reload(after, client).sorted() == ["doors.a.allow", "doors.m.domains"])
      #expect(try reason() == "access.denied")
      #expect(try answer().contains("NOTFOUND "))
    }
  }

  @Test("open connections of dovecot's and http's doors use the domains of the last reload")
  func reloadedDomains() async throws {
    func doors(_ domain: String) -> String {
      let all = ["d: {protocol: dovecot", "h: {protocol: http"].map {
        "\($0), path: @/\($0.prefix(1)), domains: [\(domain)]}"
      }
      return "{\(all.joined(separator: ", "))}"
    }
    let after = doors("other.org")
    try await DoorStage.with(doors("example.org")) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      let (d, h) = (try RawCaller("\(stage.directory)/d"), try RawCaller("\(stage.directory)/h"))
      while try d.readLine() != "DONE" {}
      try d.send(Array("VERSION\t1\t2\nCPID\t7\n".utf8))
      func dovecot(_ id: Int) throws -> String? {
        try d.send(Array("AUTH\t\(id)\tPLAIN\tresp=\(Self.plain)\n".utf8))
        return try d.readLine()
      }
      func http() throws -> String? {
        try h.send(Array("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \(Self.basic)\r\n\r\n".utf8))
        let status = try h.readLine()
        while let line = try h.readLine(), line != "", line != "\r" {}
        return status
      }
      #expect(try dovecot(1)?.hasPrefix("OK\t1\t") == true)
      #expect(try http()?.contains(" 200 ") == true)
      #expect(try stage.reload(after, client).sorted() == ["doors.d.domains", "doors.h.domains"])
      #expect(try dovecot(2)?.hasPrefix("FAIL\t2\t") == true)
      #expect(try http()?.contains(" 401 ") == true)
    }
  }

  /// `you@example.org` and the password in base64: for HTTP's Basic, and for SASL's PLAIN.
  private static let basic = "eW91QGV4YW1wbGUub3JnOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ=="
  private static let plain = "AHlvdUBleGFtcGxlLm9yZwBjb3JyZWN0IGhvcnNlIGJhdHRlcnk="

  private static func reason(_ reply: Result<JSONValue, RegdError>) -> String? {
    if case .failure(let error) = reply { error.reason } else { nil }
  }
}
