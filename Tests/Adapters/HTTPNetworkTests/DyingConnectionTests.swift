import Registration
import Synchronization
import TestKit
import Testing

@testable import HTTPNetwork

/// Kept-alive connections that fail during a request: libcurl sends the request again.
@Suite("Dying connections", .timeLimit(.minutes(10)))
struct DyingConnectionTests {
  static let good = #"{"id":"x"}"#

  /// The upstream's behaviour on the connection that replaces the failed one.
  enum Second: Sendable {
    case refuses, resets, closes
    case answers(Int, String)
  }

  @Test(
    "HTTPNetwork reports the result after libcurl repeats a request, and every failure may have acted",
    arguments: [
      (Second.refuses, .failure(.failed), 1), (.resets, .failure(.failed), 2), (.closes, .failure(.failed), 2),
      (.answers(201, good), .success(.registered), 2), (.answers(409, ""), .failure(.failed), 2),
      (.answers(503, ""), .failure(.failed), 2), (.answers(429, ""), .failure(.failed), 2),
      (.answers(404, ""), .failure(.failed), 2), (.answers(500, ""), .failure(.failed), 2),
      (.answers(200, ""), .failure(.emptyResponse), 2),
    ] as [(Second, Result<UpstreamAnswer, NetworkFailure>, Int)])
  func diesBetween(_ second: Second, _ expected: Result<UpstreamAnswer, NetworkFailure>, _ sendings: Int) async throws {
    let server = Mutex<RawServer?>(nil)
    let keys = Mutex<[String]>([])
    let note: @Sendable (RawRequest?) -> Void = { request in
      let key = request?.head.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key: ") }
      keys.withLock { $0.append(String(key ?? "")) }
    }
    let other = AccountID(at: Timestamp(microseconds: 0))
    try await withUpstream { _ in
    } serving: { connection in
      if connection.index == 0 {
        _ = connection.readRequest()
        connection.answer(200, Self.good)
        note(connection.readRequest())
        // from now on the upstream may have acted
        if case .refuses = second { server.withLock { $0?.close() } }
        return connection.reset()
      }
      note(connection.readRequest())
      switch second {
      case .refuses, .closes: connection.close()
      case .resets: connection.reset()
      case .answers(let status, let body): connection.answer(status, body)
      }
    } body: { network, upstream, reports in
      server.withLock { $0 = upstream }
      #expect(await network.registerSomebody() == .success(.registered))
      #expect(await network.registerSomebody(other) == expected)
      #expect(keys.withLock { $0 } == Array(repeating: "Idempotency-Key: \(other)", count: sendings))
      if case .failure(let failure) = expected {
        #expect(failure.mayHaveActed)
        #expect(reports.all.map(\.sendings) == [sendings])
      }
      server.withLock { $0 = nil }
    }
  }

  @Test("HTTPNetwork counts the first sending even if a second kept-alive connection has sent bytes before it fails")
  func diesBetweenTwice() async throws {
    let kept = Mutex<[RawConnection]>([])
    let areBothThere = Signal()
    try await withUpstream { _ in
    } serving: { connection in
      _ = connection.readRequest()
      guard connection.index < 2 else { return connection.answer(503, "") }
      let count = kept.withLock { kept in
        kept.append(connection)
        return kept.count
      }
      if count == 2 { areBothThere.raise() }
      areBothThere.block()
      connection.answer(200, Self.good)
      guard connection.readRequest() != nil else { return }
      for other in kept.withLock({ $0 }) where other !== connection {
        other.answer(409, "")
        while other.unreadByPeer > 0 {}
      }
      connection.reset()
    } body: { network, server, reports in
      async let first = network.registerSomebody()
      async let second = network.registerSomebody()
      #expect(await [first, second] == [.success(.registered), .success(.registered)])
      #expect(await network.registerSomebody() == .failure(.failed))
      #expect(reports.all.map(\.sendings) == [2])
      #expect(server.acceptedCount == 3)
    }
  }
}
