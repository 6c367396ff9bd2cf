import Glibc
import Linux
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import TestDoubles
import TestKit
import Testing
import WorkerThreads

/// Two regd on one database, and a real upstream that delays its answer.
@Suite("Two regd and one store", .blocking, .timeLimit(.minutes(10)))
struct SharedStoreTests {
  private static let configuration = "\(Places.environments)/success.yaml"

  /// An upstream that delays its answer to the first registration, and counts the requests.
  private final class Holding: Sendable {
    let read = Bell()
    private let released = Bell()
    private let asked = Mutex(0)

    var count: Int { asked.withLock { $0 } }

    func note(_ moment: UpstreamServer.Moment) {
      guard moment.request.operation == .register, moment.kind == .read else { return }
      let isFirst = asked.withLock { asked in
        asked += 1
        return asked == 1
      }
      read.raise()
      if isFirst { released.wait() }
    }

    func release() { released.raise() }
  }

  private func variables(_ upstream: UpstreamServer, requestSeconds: Int) -> [String: String] {
    [
      "REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": upstream.baseURL, "REGD_STORE_BACKEND": "sqlite",
      "REGD_NETWORK_OUTBOX_FIRST_SECONDS": "0.05", "REGD_NETWORK_OUTBOX_MAXIMUM_SECONDS": "0.2",
      "REGD_LIMITS_REQUEST_SECONDS": "\(requestSeconds)",
      "REGD_NETWORK_HTTP_TOTAL_SECONDS": requestSeconds == 1 ? "0.9" : "\(requestSeconds - 1)",
      "REGD_NETWORK_HTTP_CONNECT_SECONDS": "0.9",
    ]
  }

  /// A separate thread, so that waiting for a regd does not delay other tests.
  private actor Stage {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init() throws { executor = try ThreadExecutor(name: "stage") }

    func play(_ body: @Sendable () throws -> Void) throws { try body() }
  }

  private struct Scene {
    let one: RunningRegd
    /// Uses the database of the first one.
    let other: RunningRegd
    let holding: Holding
    let upstream: UpstreamServer

    /// Returns when the upstream has read a registration of the first regd. The upstream delays its answer.
    func register() throws -> RegdConversation {
      let caller = try RegdConversation(path: one.socket)
      try caller.send("registration.register", SharedStoreTests.params)
      holding.read.wait()
      return caller
    }
  }

  /// - Parameter requestSeconds: Five seconds less than the duration of a lease.
  private func play(requestSeconds: Int, _ body: @Sendable (Scene) throws -> Void) async throws {
    try await Stage().play {
      try TemporaryDirectory.with { directory in
        let holding = Holding()
        let upstream = try UpstreamServer(Script(), directory: directory, onRequest: holding.note)
        defer { upstream.stop() }
        // Also if the test ends early, because the server waits for its threads.
        defer { holding.release() }
        let variables = variables(upstream, requestSeconds: requestSeconds)
        try withRegd(configuration: Self.configuration, variables) { one in
          let shared = variables.merging(["REGD_STORE_SQLITE_PATH": one.database]) { $1 }
          try withRegd(configuration: Self.configuration, shared) { other in
            try body(Scene(one: one, other: other, holding: holding, upstream: upstream))
          }
        }
      }
    }
  }

  private static var params: JSONValue {
    let entry = RegdClient.entry(email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    guard case .object(let members) = entry else { return entry }
    return .object(members + [.init("requestId", "r")])
  }

  private func reason(_ answer: Result<JSONValue, RegdError>) -> String? {
    if case .failure(let error) = answer { error.reason } else { nil }
  }

  @Test("while one regd asks the upstream, the other neither asks nor waits nor removes the account; then both have it")
  func askedOnce() async throws {
    try await play(requestSeconds: 3600) { scene in
      let caller = try scene.register()
      let client = try scene.other.client()
      for _ in 0..<3 {
        guard case .failure(let error) = try client.call("registration.register", Self.params) else {
          Issue.record("registered twice")
          return
        }
        #expect(error.reason == "network.timeout")
        #expect(error.data["pending"]?.bool == true)
      }
      let status = try client.call("registration.status", ["requestId": "r"]).get()
      let id = try #require(status["account"]?["id"]?.string)
      for method in ["account.delete", "outbox.discard"] {
        #expect(reason(try client.call(method, ["id": .string(id)])) == "account.pending", "\(method)")
      }
      #expect(reason(try client.call("outbox.retry")) == nil)
      #expect(try client.call("outbox.list").get()["waiting"]?.array?.first?["attempts"]?.integer == 0)
      scene.holding.release()
      guard case .reply(_, .success(let answer)) = try caller.receive() else {
        Issue.record("it was not registered")
        return
      }
      #expect(answer["account"]?["id"]?.string == id)
      #expect(try client.call("registration.register", Self.params).get()["account"] == answer["account"])
      #expect(scene.holding.count == 1, "asked once")
      #expect(scene.upstream.ledger.registrations.map(\.id) == [id])
      let changes = try changes(client)
      #expect(changes.map(\.event) == ["account.reserved", "account.activated"])
      #expect(changes.allSatisfy { $0.regd.hasSuffix(":\(scene.one.socket)") }, "\(changes)")
    }
  }

  @Test(
    "a regd that is killed while it asks the upstream continues at once after its restart, however long its lease is")
  func restarted() async throws {
    try await play(requestSeconds: 3600) { scene in
      _ = try scene.register()
      scene.one.process.end(.kill)
      #expect(reason(try scene.other.client().call("registration.register", Self.params)) == "network.timeout")
      try scene.one.restart(after: SIGKILL)
      scene.holding.read.wait()
      let answer = try scene.one.client().call("registration.register", Self.params).get()
      #expect(answer["account"]?["state"]?.string == "active")
      #expect(scene.upstream.ledger.registrations.map(\.id) == [answer["account"]?["id"]?.string])
    }
  }

  @Test("if a regd is killed while it asks the upstream, the other continues after the lease, and delivers once")
  func takenOver() async throws {
    try await play(requestSeconds: 1) { scene in
      let listener = try RegdConversation(path: scene.other.socket)
      try listener.send("events.subscribe")
      _ = try scene.register()
      scene.one.process.end(.kill)
      while true {
        guard case .notification(_, let event?) = try listener.receive() else { continue }
        if event["event"]?.string == "outbox.delivered" { break }
      }
      #expect(scene.holding.count == 2, "asked once more")
      let client = try scene.other.client()
      let answer = try client.call("registration.register", Self.params).get()
      #expect(scene.upstream.ledger.registrations.map(\.id) == [answer["account"]?["id"]?.string])
      let changes = try changes(client)
      #expect(changes.map(\.event) == ["account.reserved", "account.resumed", "account.activated"])
      let sockets = [scene.one.socket, scene.other.socket, scene.other.socket]
      #expect(zip(changes, sockets).allSatisfy { $0.regd.hasSuffix(":\($1)") }, "\(changes)")
      // The regd that was killed finds the result in the store.
      try scene.one.restart(after: SIGKILL)
      #expect(try scene.one.client().call("registration.register", Self.params).get()["account"] == answer["account"])
      #expect(scene.holding.count == 2)
    }
  }

  private func changes(_ client: RegdClient) throws -> [(event: String, regd: String)] {
    let events = try client.call("events.list").get()["events"]?.array ?? []
    return events.map { ($0["event"]?.string ?? "?", $0["regd"]?.string ?? "?") }
  }
}
