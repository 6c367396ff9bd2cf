import AsyncPrimitives
import JSONRPC
import Linux
import Liveness
import TestKit
import Testing
import WireProtocols

@testable import UnixSocket

@Suite("The event loops' probes", .timeLimit(.minutes(10)))
struct LoopProbeTests {
  @Test("a blocked event loop does not answer a probe until it continues", arguments: [1, 2])
  func heldUp(_ loops: Int) async throws {
    try await withTemporaryDirectory { try await holdUp($0, loops) }
  }

  private func holdUp(_ directory: String, _ count: Int) async throws {
    let (entered, gate) = (Promise<Void>(), try EventCounter())
    let table = MethodTable([
      Method(
        "holds.up", "Holds the event loop up, as no method may.",
        .immediate { _, _, result in
          entered.fulfill(())
          gate.wait()
          result.value(true)
        })
    ])
    let socket = try ListeningSocket(path: "\(directory)/s", mode: 0o600, group: nil)
    let limits = Limits(requestSeconds: 3600)
    let server = Server(
      [ListeningPoint("regd", socket, JSONRPCProtocol(Dispatcher(table: table, limits: limits)))], loops: count,
      limits: limits, quotas: PeerQuotas(limits), report: { _ in })
    let ready = Promise<[Probe]>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run { ready.fulfill($0) } }
      let loops = await ready.value()
      #expect(loops.count == count)
      let first = Promise<Void>()
      _ = ProbeRound(asking: loops) { first.fulfill(()) }
      await first.value()
      let caller = try Descriptor.socket(.localStream)
      try caller.connect(to: SocketAddress(path: "\(directory)/s"))
      try caller.sendAll(Array(#"{"jsonrpc":"2.0","id":1,"method":"holds.up"}"#.utf8))
      await entered.value()
      let whole = Promise<Void>()
      let round = ProbeRound(asking: loops) { whole.fulfill(()) }
      // wait until the other loops have answered
      while round.silent.count > 1 { await Task.yield() }
      #expect(round.silent.count == 1)
      gate.signal()
      await whole.value()
      #expect(round.silent == [])
      await server.drain(within: .zero)
      try await group.waitForAll()
    }
  }
}
