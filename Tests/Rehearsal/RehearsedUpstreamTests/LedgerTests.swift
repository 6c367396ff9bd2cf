import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import Testing
import WorkerThreads

@Suite("The ledger", .timeLimit(.minutes(10)))
struct LedgerTests {
  @Test("the ledger has one registration per key and one key per address")
  func idempotency() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    client.send(Requests.registration(email: "A@B.cd"))
    #expect(client.answer() == Answers.created)
    client.send(Requests.registration(email: "a@b.CD"))
    #expect(client.answer() == Answers.again)
    client.send(Requests.registration(key: "k2", id: "i2"))
    #expect(client.answer() == Answers.taken)
    client.send(Requests.registration(key: "k2", id: "i2", email: "other@b.cd"))
    #expect(client.answer() == Answers.json("201 Created", "{\"id\":\"i2\"}"))
    client.send(Requests.check)
    #expect(client.answer() == Answers.unavailable)
    client.send(Requests.signIn)
    #expect(client.answer() == Answers.again)
    let registrations = [
      Ledger.Registration(idempotencyKey: "k1", id: "i1", email: "a@b.cd"),
      Ledger.Registration(idempotencyKey: "k2", id: "i2", email: "other@b.cd"),
    ]
    #expect(server.ledger.registrations == registrations)
    #expect(server.ledger.requests == [.register: 4, .checkEmail: 1, .signIn: 1])
    #expect(server.ledger.complaints.isEmpty)
  }

  @Test("the server treats two normal forms of an address as two addresses")
  func bytes() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    client.send(Requests.registration(email: "\u{E9}@b.cd"))
    #expect(client.answer() == Answers.created)
    client.send(Requests.registration(key: "k2", id: "i2", email: "e\u{301}@b.cd"))
    #expect(client.answer() == Answers.json("201 Created", "{\"id\":\"i2\"}"))
    client.send(Requests.registration(email: "e\u{301}@b.cd"))
    #expect(client.answer().hasPrefix("HTTP/1.1 400 "))
    client.send("GET /v1/emails/%C3%a9%40b.cd/availability HTTP/1.1\r\nHost: u\r\n\r\n")
    #expect(client.answer() == Answers.unavailable)
    client.send("GET /v1/emails/%C3%A8%40b.cd/availability HTTP/1.1\r\nHost: u\r\n\r\n")
    #expect(client.answer() == Answers.available)
  }

  @Test(
    "the ledger contains the registration of a fault that acted, but not of a fault that did not",
    arguments: [
      "fail", "empty", "malformed", "wrong-type", "truncate", "reset-after", "timeout", "stall", "redirect",
      "unavailable",
    ],
    [true, false])
  func acted(_ fault: String, _ acts: Bool) throws {
    let moments = try Moments()
    let server = try plainServer(try .all(acts ? "\(fault) acted" : fault, "accept"), onRequest: moments.hook)
    let client = try RawClient(server)
    client.send(Requests.register)
    moments.wait(for: .acted, count: 1)
    #expect(server.ledger.registrations.count == (acts ? 1 : 0))
    let again = try RawClient(server)
    again.send(Requests.register)
    #expect(again.answer() == (acts ? Answers.again : Answers.created))
    #expect(server.ledger.registrations == [Ledger.Registration(idempotencyKey: "k1", id: "i1", email: "a@b.cd")])
  }

  @Test("`at-work` returns taken to the owner of the address and changes nothing")
  func atWork() throws {
    let server = try plainServer(try .all("accept", "at-work", "at-work", "accept"))
    let client = try RawClient(server)
    let answers = (0..<4).map { _ in
      client.send(Requests.register)
      return client.answer()
    }
    #expect(answers == [Answers.created, Answers.taken, Answers.taken, Answers.again])
    #expect(server.ledger.registrations.count == 1)
    #expect(server.ledger.complaints.isEmpty)
  }

  @Test("`taken` still confirms an existing registration, and refuses another one")
  func takenLater() throws {
    let server = try plainServer(try .all("accept", "taken"))
    let client = try RawClient(server)
    client.send(Requests.register)
    #expect(client.answer() == Answers.created)
    client.send(Requests.register)
    #expect(client.answer() == Answers.again)
    client.send(Requests.registration(key: "k2", id: "i2", email: "new@b.cd"))
    #expect(client.answer() == Answers.taken)
    #expect(server.ledger.registrations.count == 1)
  }

  @Test("calls are counted per operation, counting restarts with a new script, and scripts repeat")
  func callNumbers() throws {
    let server = try plainServer(try .all("fail", "accept", repeats: true))
    let client = try RawClient(server)
    func check() -> Bool {
      client.send(Requests.check)
      return client.answer() == Answers.available
    }
    #expect([check(), check(), check()] == [false, true, false])
    client.send(Requests.signIn)
    #expect(client.answer().hasPrefix("HTTP/1.1 500"))
    try server.play(try .all("fail", "accept"))
    #expect([check(), check(), check()] == [false, true, true])
    #expect(server.ledger.requests == [.checkEmail: 6, .signIn: 1])
  }

  @Test("the hook gets its moments in order, before and after the change of the ledger")
  func moments() throws {
    let seen = Mutex<[String]>([])
    let box = Mutex<UpstreamServer?>(nil)
    let server = try plainServer(try .all("reset-after acted")) { moment in
      let count = box.withLock { $0?.ledger.registrations.count } ?? -1
      seen.withLock { $0.append("\(moment.kind) \(moment.number) \(moment.request.operation) \(count)") }
    }
    box.withLock { $0 = server }
    defer { box.withLock { $0 = nil } }
    let client = try RawClient(server)
    client.send(Requests.register)
    #expect(client.rest().ending == .reset)
    #expect(seen.withLock(\.self) == ["read 0 register 0", "acted 0 register 1"])
  }

  @Test("many concurrent clients register each address once")
  func concurrent() throws {
    let server = try plainServer(try .all("accept"))
    let threads = try WorkerThreads(name: "clients", count: 8)
    let created = Mutex(0)
    for number in 0..<400 {
      threads.submit {
        guard let client = try? RawClient(server) else { return }
        client.send(Requests.registration(key: "k\(number)", id: "i\(number)", email: "\(number % 100)@b.cd"))
        if client.answer().hasPrefix("HTTP/1.1 201") { created.withLock { $0 += 1 } }
      }
    }
    threads.stop()
    #expect(created.withLock(\.self) == 100)
    #expect(server.ledger.registrations.count == 100)
    #expect(server.ledger.requests == [.register: 400])
    #expect(server.ledger.complaints.isEmpty)
  }
}
