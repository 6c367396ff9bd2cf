import Glibc
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import TestKit
import Testing

/// The effects of a reload on a running daemon.
@Suite("Reload: live", .blocking, .timeLimit(.minutes(10)))
struct ReloadTests {
  @Test("new limits apply to open connections, and rpc.serverInfo returns them")
  func limits() throws {
    try ReloadableRegd.with { it in
      let open = try it.regd.connect()
      try open.send("[[[[[]]]]]\n")
      #expect(try line(open).contains("rpc.invalidRequest"))
      try it.reload("limits: {depth: 4, messageBytes: 1024, batchItems: 2, requestsPerSecondPerUID: 1000}")
      #expect(try it.limit("depth") == 4)
      try open.send("[[[[[]]]]]\n")
      #expect(try line(open).contains("request.tooDeep"))
      try open.send("\"\(String(repeating: "x", count: 2000))\"\n")
      #expect(try line(open).contains("request.tooLarge"))
      try open.send("[1,2,3]\n")
      #expect(try line(open).contains("batch.tooLarge"))
      try it.reload("")
      try open.send("[1,2,3]\n")
      #expect(try line(open).contains("rpc.invalidRequest"))
      // Administrators are not limited. PeerQuotasTests covers other users who are already connected.
      try it.reload("limits: {requestsPerSecondPerUID: 1}")
      let ping = #"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#
      try open.send("[\(ping),\(ping.replacing(":1,", with: ":2,")),\(ping.replacing(":1,", with: ":3,"))]\n")
      #expect(try !line(open).contains("rate.limited"))
    }
  }

  @Test("a text may be as long as the limit at its beginning")
  func begun() throws {
    try ReloadableRegd.with { it in
      let open = try it.regd.connect()
      let filler = String(repeating: "x", count: 3000)
      try open.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping","params":{"x":"\#(filler)"#)
      // The reply comes after earlier input, so that regd has read the beginning.
      try reached { try it.status()["users"]?.array?.isEmpty == false }
      try it.reload("limits: {messageBytes: 1024}")
      try open.send("\"}}\n")
      #expect(try line(open).contains("rpc.invalidParams"))
      try open.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping","params":{"x":"\#(filler)"}}"# + "\n")
      #expect(try line(open).contains("request.tooLarge"))
    }
  }

  @Test("a new idle limit closes open connections, and a removed one spares them")
  func idle() throws {
    try ReloadableRegd.with { it in
      let open = try it.regd.connect()
      try it.reload("limits: {idleSeconds: 1}")
      #expect(try line(open).contains("request.timeout"))
      let other = try it.regd.connect()
      try it.reload("limits: {idleSeconds: 100}")
      try it.reload("")
      try other.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n")
      #expect(try line(other).contains("pong"))
    }
  }

  @Test("new policies apply to the next request, and to the next change of an open form")
  func policies() throws {
    try ReloadableRegd.with { it in
      let caller = try RegdConversation(path: it.regd.socket)
      let opened = try result(caller, "form.open", ["kind": "registration"])
      let form = try #require(opened["form"])
      let entry: JSONValue = .object([
        .init("form", form), .init("email", "name@example.com"), .init("password", "nine char"),
        .init("passwordConfirmation", "nine char"),
      ])
      #expect(try result(caller, "form.set", entry)["state"]?["registrationEnabled"]?.bool == true)
      try it.reload(
        "password: {minimumLength: 12}\nemail: {blockedDomains: [blocked.example]}\n")
      #expect(try it.problems("name@blocked.example", "nine char") == ["email.domain", "password.tooShort"])
      let again: JSONValue = .object([.init("form", form), .init("email", "other@example.com")])
      #expect(try result(caller, "form.set", again)["state"]?["registrationEnabled"]?.bool == false)
      try it.reload("password: {minimumLength: 6, refuseCommon: false}")
      #expect(try it.problems("name@blocked.example", "123456") == [])
      #expect(try result(caller, "form.set", again)["state"]?["registrationEnabled"]?.bool == true)
    }
  }

  @Test("daemon.status lists the keys that differ from the shipped values, and no secret")
  func status() throws {
    try ReloadableRegd.with { it in
      let shipped = try #require(try it.status()["configuration"])
      #expect(shipped["file"]?.string == it.file)
      #expect(shipped["generation"]?.integer == 1)
      let token = "hunter2-token"
      let keys = try it.reload(
        "limits: {depth: 32}\nemail: {blockedDomains: [a.example, b.example]}\nnetwork: {http: {bearerToken: \(token)}}"
      )
      #expect(keys == ["limits.depth", "email.blockedDomains", "network.http.bearerToken"])
      let now = try #require(try it.status()["configuration"])
      #expect(now["generation"]?.integer == 2)
      #expect((now["loadedAt"]?.string ?? "") >= (shipped["loadedAt"]?.string ?? "z"))
      let changed = now["changed"]?.array ?? []
      func entry(_ key: String) -> String? { changed.first { $0["key"]?.string == key }?.text }
      #expect(entry("limits.depth") == #"{"key":"limits.depth","value":"32","shipped":"64"}"#)
      #expect(
        entry("email.blockedDomains")
          == #"{"key":"email.blockedDomains","value":"[a.example, b.example]","shipped":"[]"}"#)
      #expect(entry("network.http.bearerToken") == #"{"key":"network.http.bearerToken","secret":true}"#)
      #expect(entry("limits.batchItems") == nil)
      // Values from the environment are also listed.
      #expect(entry("socket.path")?.contains(it.regd.socket) == true)
      #expect(!(now.text + it.regd.process.output).contains(token))
    }
  }

  @Test("a reload adds and removes a network, and a call in progress ends with the network that it began with")
  func network() throws {
    try TemporaryDirectory.with { directory in
      let held = try Gate()
      let one = try UpstreamServer(
        Script(register: [.init(.accept)]), directory: directory, onRequest: { if $0.kind == .acted { held.pass() } })
      defer { one.stop() }
      let base = "store: {backend: memory}\n"
      try ReloadableRegd.with(base) { it in
        func yaml(_ upstream: UpstreamServer, _ more: String = "") -> String {
          base + "network: {backend: http, http: {baseURL: \"\(upstream.baseURL)\", allowPlaintext: true}\(more)}\n"
        }
        try it.reload(yaml(one))
        #expect(try it.client.call("rpc.serverInfo").get()["network"]?["backend"]?.string == "http")
        // One registration waits at the upstream while a reload removes the upstream.
        held.close()
        let caller = try RegdConversation(path: it.regd.socket)
        try caller.send(
          "registration.register",
          RegdClient.entry(email: "first@example.com", password: "a fine phrase", confirmation: "a fine phrase"))
        held.awaitArrival()
        #expect(try threads(of: it.regd.process.pid).contains("regd-http\n"))
        try it.reload(base)
        #expect(try it.client.call("rpc.serverInfo").get()["network"]?["backend"]?.string == "none")
        let alone = try it.client.call(
          "registration.register",
          RegdClient.entry(email: "second@example.com", password: "a fine phrase", confirmation: "a fine phrase"))
        #expect((try? alone.get()) != nil)
        held.open()
        guard case .reply(_, .success(let result)) = try caller.receive() else {
          Issue.record("the registration that had begun has failed")
          return
        }
        #expect(result["account"]?["state"]?.string == "active")
        #expect(one.ledger.registrations.count == 1)
        // The network's thread and descriptors are gone with the last call.
        try reached { try !threads(of: it.regd.process.pid).contains("regd-http\n") }
      }
    }
  }

  @Test("an open breaker stays open with the same network, closes with another, and is gone when it is switched off")
  func breaker() throws {
    func yaml(_ failures: Int, _ backend: String = "offline") -> String {
      "network: {backend: \(backend), breaker: {failures: \(failures), firstSeconds: 3600, maximumSeconds: 3600}}"
    }
    try ReloadableRegd.with(yaml(2)) { it in
      for _ in 0..<2 { _ = try it.client.call("registration.checkEmail", ["email": "a@example.com"]) }
      func breaker() throws -> String? { try it.status()["network"]?["breaker"]?.string }
      #expect(try breaker() == "open")
      try it.reload(yaml(3) + "\nlimits: {depth: 32}")
      #expect(try breaker() == "open")
      try it.reload(yaml(3, "unavailable"))
      #expect(try breaker() == "closed")
      #expect(try it.status()["network"]?["healthy"]?.bool == true)
      try it.reload("network: {backend: unavailable, breaker: {failures: 0}}")
      #expect(try breaker() == nil)
    }
  }

  @Test("wrong passwords stay counted, also while the throttle is off")
  func throttle() throws {
    try ReloadableRegd.with { it in
      let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
      _ = try it.client.call("registration.register", entry).get()
      func guess(_ password: String) throws -> String? {
        let answer = try it.client.call("session.signIn", ["email": "a@example.com", "password": .string(password)])
        if case .failure(let error) = answer { return error.reason } else { return nil }
      }
      var last: String?
      for number in 0..<50 where last != "rate.limited" { last = try guess("wrong \(number)") }
      #expect(last == "rate.limited")
      try it.reload("limits: {depth: 32}")
      #expect(try (0..<3).contains { try guess("wrong again \($0)") == "rate.limited" })
      try it.reload("signIn: {throttle: false}")
      #expect(try guess("wrong once more") == "credentials.rejected")
      try it.reload("signIn: {throttle: true}")
      // If they were forgotten, three more guesses would be free. Each wait is twice the one before, and in the end
      // outlasts a slow reload.
      #expect(try (0..<3).contains { try guess("wrong at last \($0)") == "rate.limited" })
    }
  }

  @Test("a reload that removes an open breaker closes it, and the log does not report that the upstream works")
  func breakerGone() throws {
    let debug = "log: {level: debug}\nnetwork: "
    try ReloadableRegd.with("\(debug){backend: offline, breaker: {failures: 1}}") { it in
      _ = try it.client.call("registration.checkEmail", ["email": "a@example.com"])
      try reached { it.regd.process.output.contains("The upstream is down and is only probed from time to time") }
      try it.reload("\(debug){backend: scripted}")
      try reached { it.regd.process.output.contains("The upstream is used again") }
      #expect(!it.regd.process.output.contains("The upstream works again"))
    }
  }

  @Test("after a reload adds an upstream, it gets the registrations that wait in the outbox")
  func outbox() throws {
    let pauses = "outbox: {firstSeconds: 0.01, maximumSeconds: 0.05}, breaker: {failures: 0}"
    try ReloadableRegd.with("network: {backend: offline, whenUnreachable: defer, \(pauses)}") { it in
      let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
      #expect(try it.client.call("registration.register", entry).get()["account"]?["state"]?.string == "pending")
      try it.reload("")
      #expect(try it.status()["outbox"]?["waiting"]?.integer == 1)
      try reached {
        it.regd.process.output.contains("Registrations are waiting for an upstream, but network.backend is none")
      }
      try it.reload("network: {backend: scripted, \(pauses)}")
      try reached {
        try it.client.call("account.get", ["email": "a@example.com"]).get()["account"]?["state"]?.string == "active"
      }
    }
  }

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  private func result(_ caller: RegdConversation, _ method: String, _ params: JSONValue) throws -> JSONValue {
    _ = try caller.send(method, params)
    while true {
      if case .reply(_, let answer) = try caller.receive() { return try answer.get() }
    }
  }
}
