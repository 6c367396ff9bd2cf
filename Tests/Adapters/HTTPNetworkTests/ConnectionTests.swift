import Glibc
import Registration
import Synchronization
import TestKit
import Testing

@testable import HTTPNetwork

/// How HTTPNetwork treats connections, and what it can conclude about a request when a connection fails.
@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
  static let good = #"{"id":"x"}"#

  @Test("HTTPNetwork keeps a connection open and uses it again")
  func keptAlive() async throws {
    try await withUpstream { _ in
    } serving: { connection in
      while connection.readRequest() != nil { connection.answer(200, Self.good) }
    } body: { network, server, _ in
      for _ in 0..<5 { #expect(await network.registerSomebody() == .success(.registered)) }
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("HTTPNetwork replaces a connection that the upstream closes, and sends nothing twice")
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

  @Test("HTTPNetwork does not follow a redirect")
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

  /// How an answer arrives that belongs to no request.
  enum Unsolicited: CaseIterable, Sendable { case glued, behind, behindWithEnd }

  @Test("HTTPNetwork assigns an unsolicited answer to no request", arguments: Unsolicited.allCases)
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

  @Test("a request to a port on which no process listens fails as offline")
  func refused() async throws {
    let held = try HeldPort()
    try await withNetwork(port: held.number) { network, reports in
      #expect(await network.registerSomebody() == .failure(.offline))
      #expect(await network.askAboutSomebody() == .failure(.offline))
      #expect(await network.signInSomebody() == .failure(.offline))
      #expect(reports.all.map(\.operation) == [.registration, .availability, .session])
      let first = try #require(reports.all.first)
      #expect(first.message.contains("127.0.0.1"), "\(first.message)")
      #expect(first.status == nil && first.sendings == 0 && first.failure == .offline)
    }
  }

  @Test("a request to a host name that does not resolve fails as offline", arguments: ["http", "https"])
  func unresolved(_ scheme: String) async throws {
    try await withNetwork(port: 1) {
      // no resolver has to be asked for this name (RFC 6761 §6.4), in case there is no resolver
      $0.baseURL = "\(scheme)://regd.invalid"
      $0.allowsPlaintext = true
      $0.connect = .seconds(5)
    } body: { network, _ in
      #expect(await network.registerSomebody() == .failure(.offline))
    }
  }

  @Test("if the network drops all packets, a request fails as offline after the connect timeout")
  func swallowed() async throws {
    // A backlog of 0 has room for one connection. Linux then drops further connections.
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

  @Test(
    "a request times out if the upstream reads it and sends no answer, or an incomplete one",
    arguments: ["", "HTTP/1.1 200 OK\r\n\r\n{"])
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

  @Test("HTTPNetwork reads an answer that the upstream sends before it has read the request")
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

  @Test("HTTPNetwork does not repeat the first request on a connection")
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

  @Test("each of 200 concurrent requests gets its own answer, over no more connections than allowed")
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
