import Glibc
import Registration
import Synchronization
import Testing

@testable import HTTPNetwork

/// What happens to connections, and what is known then of a request.
@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
  static let good = #"{"id":"x"}"#

  @Test("a connection is kept and used again")
  func keptAlive() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      while connection.readRequest() != nil { connection.answer(200, Self.good) }
    } body: { network, server, _ in
      for _ in 0..<5 { #expect(await network.registerSomebody() == .success(.registered)) }
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("a connection that the upstream gives up is replaced, and nothing is sent twice for it")
  func closedBetween() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      if connection.readRequest() != nil { connection.answer(200, Self.good, "Connection: close\r\n") }
    } body: { network, server, reports in
      for _ in 0..<3 { #expect(await network.registerSomebody() == .success(.registered)) }
      #expect(server.acceptedCount == 3)
      #expect(reports.all.isEmpty)
    }
  }

  @Test("a redirect is not followed")
  func redirect() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      while let request = connection.readRequest() {
        let isFirst = request.head.hasPrefix("POST /registrations ")
        connection.answer(isFirst ? 307 : 200, Self.good, "Location: /elsewhere\r\n")
      }
    } body: { network, _, _ in
      #expect(await network.registerSomebody() == .failure(.malformedResponse))
    }
  }

  /// How an answer without a request comes.
  enum Unsolicited: CaseIterable, Sendable { case glued, behind, behindWithEnd }

  @Test("an answer without a request is given to no request", arguments: Unsolicited.allCases)
  func unsolicited(_ kind: Unsolicited) async throws {
    let (isAnswered, isWritten) = (Signal(), Signal())
    try await withUpstream { _ in
    } serving: { connection in
      while connection.readRequest() != nil {
        let answer = "HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\n\(Self.good)"
        guard connection.index == 0 else {
          connection.write(answer)
          continue
        }
        let more = "HTTP/1.1 409 X\r\nContent-Length: 0\r\n\r\n"
        connection.write(kind == .glued ? answer + more : answer)
        isAnswered.block()
        if kind != .glued { connection.write(more) }
        if kind == .behindWithEnd { connection.finish() }
        while connection.unreadByPeer > 0 {}
        isWritten.raise()
      }
    } body: { network, server, reports in
      #expect(await network.registerSomebody() == .success(.registered))
      isAnswered.raise()
      await isWritten.wait()
      #expect(await network.registerSomebody() == .success(.registered))
      #expect(await network.registerSomebody() == .success(.registered))
      #expect(server.acceptedCount == 2)
      #expect(reports.all.isEmpty)
    }
  }

  @Test("a port on which no process listens: offline")
  func refused() async throws {
    let held = try HeldPort()
    try await withNetwork(port: held.number) { network, reports in
      #expect(await network.registerSomebody() == .failure(.offline))
      #expect(await network.askAboutSomebody() == .failure(.offline))
      #expect(await network.signInSomebody() == .failure(.offline))
      #expect(reports.all.map(\.operation) == [.registration, .availability, .session])
      let first = try #require(reports.all.first)
      #expect(first.message.contains("Couldn't connect to server"), "\(first.message)")
      #expect(first.status == nil && first.sendings == 0 && first.failure == .offline)
    }
  }

  @Test("a name that does not resolve: offline", arguments: ["http", "https"])
  func unresolved(_ scheme: String) async throws {
    try await withNetwork(port: 1) {
      // an address that no resolver has to be asked for (RFC 6761 §6.4), in case there is none
      $0.baseURL = "\(scheme)://regd.invalid"
      $0.allowsPlaintext = true
      $0.connect = .seconds(5)
    } body: { network, _ in
      #expect(await network.registerSomebody() == .failure(.offline))
    }
  }

  @Test("packets are swallowed: offline, after the time to connect")
  func swallowed() async throws {
    // a backlog of 0 has room for one; Linux then drops further connections
    let held = try HeldPort()
    let listener = try held.listen(backlog: 0)
    let port = held.number
    let knocking = (0..<4).map { _ in beginConnecting(to: port) }
    defer { for descriptor in knocking + [listener] { close(descriptor) } }
    try await withNetwork(port: port) {
      $0.connect = .milliseconds(200)
    } body: { network, reports in
      #expect(await network.registerSomebody() == .failure(.offline))
      #expect(reports.all.first?.sendings == 0)
    }
    try await withNetwork(port: port) {
      $0.total = .milliseconds(200)
    } body: { network, _ in
      #expect(await network.registerSomebody() == .failure(.offline))
    }
  }

  @Test("the request is read and nothing is said, or not all: timeout", arguments: ["", "HTTP/1.1 200 OK\r\n\r\n{"])
  func timeout(_ beginning: String) async throws {
    try await withUpstream {
      $0.total = .seconds(1)
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      connection.write(beginning)
      connection.waitForEnd()
    } body: { network, _, reports in
      #expect(await network.registerSomebody() == .failure(.timeout))
      #expect(reports.all.first?.sendings == 1)
    }
  }

  @Test("an upstream that refuses before it has read is heard")
  func speaksFirst() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      connection.answer(503, "", "Retry-After: 7\r\nConnection: close\r\n")
      connection.finish()
      connection.waitForEnd()
    } body: { network, server, _ in
      #expect(await network.registerSomebody() == .failure(.unavailable(retryAfterSeconds: 7)))
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("the first request on a connection is not sent a second time")
  func diesAtFirst() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      _ = connection.readRequest()
      connection.reset()
    } body: { network, server, _ in
      #expect(await network.registerSomebody() == .failure(.failed))
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("many at once: each has its own answer, over no more connections than allowed")
  func manyAtOnce() async throws {
    try await withUpstream {
      $0.maximumConnections = 8
      $0.maximumWaiting = 1000
    } serving: { connection in
      while let request = connection.readRequest() {
        let email = request.body.split(separator: "\"").first { $0.hasSuffix("@example.com") }
        connection.answer(200, "{\"id\":\"\(email ?? "nobody")\"}")
      }
    } body: { network, server, reports in
      let wrong = await withTaskGroup(of: String?.self) { group in
        for number in 0..<200 {
          group.addTask {
            let email = "\(number)@example.com"
            let result = await network.signInSomebody(email)
            return result == .success(.accepted(id: email)) ? nil : "\(email): \(result)"
          }
        }
        return await group.reduce(into: [String]()) { if let wrong = $1 { $0.append(wrong) } }
      }
      #expect(wrong == [])
      #expect(reports.all.isEmpty)
      #expect(server.acceptedCount <= 8)
    }
  }
}
