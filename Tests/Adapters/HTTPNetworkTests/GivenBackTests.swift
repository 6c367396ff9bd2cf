import Registration
import Synchronization
import TestKit
import Testing

@testable import HTTPNetwork

/// Transfers that end after each byte of the upstream's answer, on either side.
@Suite("Release of transfers' resources", .timeLimit(.minutes(10)))
struct GivenBackTests {
  /// How a transfer ends.
  enum End: CaseIterable { case upstreamCloses, upstreamResets, callerLeaves }

  private static let answer = Array("HTTP/1.1 201 X\r\nContent-Length: 10\r\n\r\n{\"id\":\"x\"}".utf8)

  /// In a separate process, because other tests also open descriptors.
  @Test("a transfer that ends after any byte of the answer leaves no descriptor, and gives the next one its turn")
  func everywhere() async {
    await #expect(processExitsWith: .success) {
      for end in GivenBackTests.End.allCases { try await GivenBackTests.leave(end) }
    }
  }

  static func leave(_ end: End) async throws {
    let sent = Atomic<Int>(0)
    let (written, sink) = AsyncStream.makeStream(of: Void.self)
    try await withUpstream {
      // with a single connection, a turn that is not given back ends the test
      ($0.maximumConnections, $0.connect, $0.total) = (1, .seconds(60), .seconds(120))
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      let part = Self.answer.prefix(sent.load(ordering: .sequentiallyConsistent))
      connection.write(String(decoding: part, as: UTF8.self))
      switch end {
      case .upstreamCloses: break
      case .upstreamResets:
        while connection.unreadByPeer > 0 {}
        connection.reset()
      case .callerLeaves:
        sink.yield()
        connection.waitForEnd()
      }
    } body: { network, _, _ in
      var before = Int.max
      for count in 0..<Self.answer.count {
        sent.store(count, ordering: .sequentiallyConsistent)
        let isRegistered = await withTaskGroup(of: Bool.self) { group in
          group.addTask { await network.registerSomebody() == .success(.registered) }
          if end == .callerLeaves {
            for await _ in written { break }
            group.cancelAll()
          }
          return await group.next()
        }
        #expect(isRegistered == false, "\(end) after \(count) bytes")
        // the descriptors of the first transfer may still be open here, but not those of all
        if count == 0 { before = try await DescriptorCount.ofThisProcess() }
      }
      let left = try await DescriptorCount.ofThisProcess(atMost: before)
      #expect(left <= before, "\(end)")
      sent.store(Self.answer.count, ordering: .sequentiallyConsistent)
      #expect(await network.registerSomebody() == .success(.registered), "after \(end)")
    }
  }
}
