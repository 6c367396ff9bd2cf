import AsyncPrimitives
import Linux
import Synchronization
import TestKit
import Testing
import WireProtocols

@testable import UnixSocket

@Suite("Callers whose groups are unknown", .blocking, .timeLimit(.minutes(10)))
struct UnknownGroupsTests {
  /// What the server sends to a caller that says "here".
  private func answer(at port: UInt16) throws -> [UInt8] {
    let caller = try Descriptor.socket(.internetStream)
    try caller.connect(to: SocketAddress(loopbackPort: port))
    // fails if the server has already closed the connection
    try? caller.sendAll(Array("here\n".utf8))
    return (try? caller.receive(atMost: 100)) ?? []
  }

  @Test("if any group is denied, a caller of unknown groups is denied, and the server reports the first one")
  func denied() async throws {
    // the kernel reports no groups of the peers of TCP connections
    let listening = try Descriptor.socket(.internetStream)
    try listening.bind(to: SocketAddress(loopbackPort: 0))
    try listening.listen(backlog: 8)
    let port = try #require(try listening.localAddress().port)
    let point = ListeningPoint(
      "held", ListeningSocket(adopting: listening.release()), HeldWire(until: Hold()),
      peer: { _ in Peer(uid: 7, gid: 8, pid: 9) })
    let (limits, reported, ready) = (Limits(), Count(), Promise<Void>())
    let server = Server(
      [point], limits: limits, access: AccessRules(denied: .init(gids: [4711])), quotas: PeerQuotas(limits)
    ) { event in
      if case .groupsUnknown = event { reported.add() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run { _ in ready.fulfill(()) } }
      await ready.value()
      for _ in 0..<2 { #expect(try answer(at: port) == []) }
      #expect(reported.value == 1)
      await server.adopt(limits, AccessRules(denied: .init(uids: [11])))
      #expect(try answer(at: port) == Array("here\n".utf8))
      await server.drain(within: .zero)
      try await group.waitForAll()
    }
    #expect(reported.value == 1)
  }
}

private final class Count: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
