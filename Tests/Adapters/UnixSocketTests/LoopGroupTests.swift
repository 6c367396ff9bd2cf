import AsyncPrimitives
import Glibc
import JSONRPC
import Liveness
import TestKit
import Testing
import WireProtocols

@testable import UnixSocket

@Suite("Several event loops", .timeLimit(.minutes(10)))
struct LoopGroupTests {
  @Test("open connections are spread over all loops, and each connection stays on its loop", arguments: [1, 2, 3])
  func spread(_ count: Int) async throws {
    try await withTemporaryDirectory { directory in
      // returns the thread that answers, which is the loop's
      let table = MethodTable([
        Method("which.loop", "Tells threads apart.", .immediate { _, _, result in result.value(UInt(pthread_self())) })
      ])
      let socket = try ListeningSocket(path: "\(directory)/s", mode: 0o600, group: nil)
      let limits = Limits(requestSeconds: 3600)
      let server = Server(
        [ListeningPoint("regd", socket, JSONRPCProtocol(Dispatcher(table: table, limits: limits)))], loops: count,
        limits: limits, quotas: PeerQuotas(limits), report: { _ in })
      let ready = Promise<Void>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run { _ in ready.fulfill(()) } }
        await ready.value()
        let callers = try (0..<24).map { _ in try RawCaller("\(directory)/s") }
        let first = try callers.map(Self.loop)
        let again = try callers.map(Self.loop)
        #expect(first == again)
        let shares = Dictionary(grouping: first) { $0 }.mapValues(\.count)
        #expect(shares.count == count && shares.values.allSatisfy { $0 >= 24 / count - 2 }, "\(shares)")
        await server.drain(within: .zero)
        try await group.waitForAll()
      }
    }
  }

  private static func loop(_ caller: RawCaller) throws -> String? {
    try caller.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"which.loop"}"#.utf8))
    return try caller.readLine()
  }
}
