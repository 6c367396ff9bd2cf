import Glibc
import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import Testing

@Suite("Connections that fail", .timeLimit(.minutes(10)))
struct EndpointTests {
  @Test("an offline server refuses connections, and no other server gets its port")
  func offline() throws {
    let server = try plainServer(try .all("offline"))
    #expect(RawClient(beginningTo: server.port).connection == ECONNREFUSED)
    let others = try (0..<20).map { _ in try plainServer(try .all("accept")) }
    #expect(!others.map(\.port).contains(server.port))
    #expect(RawClient(beginningTo: server.port).connection == ECONNREFUSED)
  }

  @Test("an unroutable server neither accepts nor refuses any of several clients, while another port answers")
  func unroutable() throws {
    let server = try plainServer(try .all("unroutable"))
    let control = try plainServer(try .all("accept"))
    let clients = (0..<5).map { _ in RawClient(beginningTo: server.port) }
    let answered = try RawClient(control)
    answered.send(Requests.check)
    #expect(answered.answer() == Answers.available)
    #expect(clients.map(\.isSilent) == Array(repeating: true, count: 5))
  }

  @Test("a server that goes offline or unroutable and back keeps its ledger and closes open connections")
  func changes() throws {
    let server = try plainServer(try .all("accept"))
    for fault in ["offline", "unroutable", "offline"] {
      let client = try RawClient(server)
      client.send(Requests.register)
      _ = client.answer()
      try server.play(try .all(fault))
      #expect(client.rest().text.isEmpty)
      let outside = RawClient(beginningTo: server.port)
      if fault == "offline" { #expect(outside.connection == ECONNREFUSED) } else { #expect(outside.isSilent) }
      try server.play(try .all("accept"))
    }
    let client = try RawClient(server)
    client.send(Requests.register)
    #expect(client.answer() == Answers.again)
    #expect(server.ledger.registrations.count == 1)
    #expect(server.ledger.complaints.isEmpty)
  }

  @Test("a new script that only changes answers leaves connections open")
  func answersStay() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    try server.play(try .all("fail"))
    client.send(Requests.check)
    #expect(client.answer().hasPrefix("HTTP/1.1 500 "))
  }

  @Test("an unresolvable server has a host that does not exist, and cannot change")
  func unresolvable() throws {
    let server = try plainServer(try .all("unresolvable"))
    #expect(server.baseURL == "http://upstream.invalid:\(server.port)/v1")
    #expect(!server.canChange)
    #expect(RawClient(beginningTo: server.port).connection == ECONNREFUSED)
    try server.play(try .all("unresolvable"))
    let failure = #expect(throws: UpstreamServer.Failure.self) { try server.play(try .all("accept")) }
    #expect(failure?.description.contains("does not exist") == true)
  }

  @Test("an impossible script fails with an explanation and changes nothing")
  func refusals() throws {
    let mixed = Script(checkEmail: [Script.Step(.fault(.offline))])
    #expect(throws: UpstreamServer.Failure.self) { try plainServer(mixed) }
    #expect(throws: UpstreamServer.Failure.self) { try plainServer(try .all("accept", "unroutable")) }
    #expect(throws: UpstreamServer.Failure.self) { try plainServer(try .all("offline", "unroutable")) }
    let server = try plainServer(try .all("accept"))
    #expect(server.caFile == nil)
    #expect(server.canChange)
    let client = try RawClient(server)
    for steps in [["untrusted"], ["reset-before"], ["unresolvable"], ["accept", "offline"]] {
      let steps = try steps.map { try Script.Step($0) }
      let failure = #expect(throws: UpstreamServer.Failure.self) {
        try server.play(Script(checkEmail: steps, register: steps, signIn: steps))
      }
      #expect(failure.map { $0.description.count > 30 } == true)
    }
    client.send(Requests.check)
    #expect(client.answer() == Answers.available)
  }

  @Test("stop ends held, delayed, idle and half-sent connections, and later scripts fail")
  func stop() throws {
    let moments = try Moments()
    let steps = try ["timeout", "stall", "accept delay=86400000ms", "oversize"].map { try Script.Step($0) }
    let server = try plainServer(Script(checkEmail: steps), onRequest: moments.hook)
    let clients = try (0..<6).map { _ in try RawClient(server) }
    for client in clients[..<4] { client.send(Requests.check) }
    clients[4].send("GET /v1/em")
    moments.wait(for: .acted, count: 3)
    server.stop()
    for client in clients { _ = client.rest() }
    #expect(RawClient(beginningTo: server.port).connection == ECONNREFUSED)
    #expect(throws: UpstreamServer.Failure.self) { try server.play(try .all("accept")) }
    server.stop()
  }

  @Test("releasing a server ends its connections and closes its port")
  func abandoned() throws {
    var server: UpstreamServer? = try plainServer(try .all("timeout"))
    let port = try #require(server).port
    let client = try RawClient(#require(server))
    client.send(Requests.check)
    server = nil
    #expect(client.rest().text.isEmpty)
    #expect(RawClient(beginningTo: port).connection == ECONNREFUSED)
  }

  @Test("a hook may change the script of the server that called it")
  func changedFromWithin() throws {
    let box = Mutex<UpstreamServer?>(nil)
    let server = try plainServer(try .all("accept")) { moment in
      if moment.kind == .acted { try? box.withLock(\.self)?.play(.all("offline")) }
    }
    box.withLock { $0 = server }
    defer { box.withLock { $0 = nil } }
    let client = try RawClient(server)
    client.send(Requests.register)
    #expect(client.rest().text.isEmpty)
    #expect(RawClient(beginningTo: server.port).connection == ECONNREFUSED)
    #expect(server.ledger.registrations.count == 1)
  }
}
