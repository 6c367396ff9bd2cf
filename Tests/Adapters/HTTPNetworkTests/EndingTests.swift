import AsyncPrimitives
import CurlTransfers
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import HTTPNetwork

/// Cancelling requests and stopping the network.
@Suite("Ending early", .timeLimit(.minutes(10)))
struct EndingTests {
  static let good = #"{"id":"x"}"#

  @Test("a request that is cancelled before it begins is never sent, and reports nothing about the upstream")
  func cancelledBefore() async throws {
    try await withUpstream { _ in
    } serving: {
      $0.waitForEnd()
    } body: { network, server, reports in
      let isCancelled = Signal()
      let task = Task {
        await isCancelled.wait()
        return await network.registerSomebody()
      }
      task.cancel()
      isCancelled.raise()
      #expect(await task.value == .failure(.congested(retryAfterSeconds: 1)))
      #expect(reports.all.isEmpty)
      #expect(server.acceptedCount == 0)
    }
  }

  @Test("the loop never sends a transfer that was cancelled long before it was submitted")
  func cancelledLongBefore() async throws {
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.answer(200, Self.good) }
    }
    let loop = try HTTPNetwork.loop(HTTPNetwork.Configuration(baseURL: "http://127.0.0.1:\(server.port)"))
    func submit(_ transfer: Transfer) async -> UpstreamReply {
      loop.submit(transfer)
      return await transfer.reply.value()
    }
    func transfer() -> Transfer {
      let end = ContinuousClock.now + .seconds(3600)
      return Transfer(.availability(.of("x@y")), .daemon, startBy: end, until: end)
    }
    let cancelled = transfer()
    loop.cancel(cancelled)
    // when this transfer is done, the loop has processed the cancellation
    #expect(await submit(transfer()).status == 200)
    #expect(await submit(cancelled) == .unsent(.unstarted, "cancelled"))
    loop.stopAndWait()
    server.close()
  }

  @Test("a request that is cancelled while it waits for a connection got no turn, and the running request continues")
  func cancelledWaiting() async throws {
    let (isRead, mayAnswer) = (Signal(), Signal())
    try await withUpstream {
      $0.maximumConnections = 1
    } serving: { connection in
      while connection.readRequest() != nil {
        isRead.raise()
        mayAnswer.block()
        connection.answer(200, Self.good)
      }
    } body: { network, server, _ in
      let first = Task { await network.registerSomebody() }
      await isRead.wait()
      let second = Task { await network.registerSomebody() }
      second.cancel()
      #expect(await second.value == .failure(.congested(retryAfterSeconds: 1)))
      mayAnswer.raise()
      #expect(await first.value == .success(.registered))
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("a request that is cancelled after its sending times out at once, and no other request gets its late answer")
  func cancelledInFlight() async throws {
    let (isRead, isLetGo) = (Signal(), Signal())
    try await withUpstream { _ in
    } serving: { connection in
      while connection.readRequest() != nil {
        if connection.index == 0 {
          isRead.raise()
          connection.waitForEnd()
          isLetGo.raise()
          return
        }
        connection.answer(200, Self.good)
      }
    } body: { network, server, reports in
      let task = Task { await network.registerSomebody() }
      await isRead.wait()
      task.cancel()
      #expect(await task.value == .failure(.timeout))
      await isLetGo.wait()
      #expect(await network.registerSomebody() == .success(.registered))
      #expect(server.acceptedCount == 2)
      #expect(reports.all.map(\.message) == ["cancelled"])
    }
  }

  @Test("a sign-in whose caller has left waits for the upstream's answer, and returns its refusal")
  func signInToItsEnd() async throws {
    let (isRead, mayAnswer) = (Signal(), Signal())
    try await withUpstream { _ in
    } serving: { connection in
      while connection.readRequest() != nil {
        isRead.raise()
        mayAnswer.block()
        connection.answer(423, "")
      }
    } body: { network, _, _ in
      let task = Task { await network.signInSomebody() }
      await isRead.wait()
      task.cancel()
      mayAnswer.raise()
      #expect(await task.value == .success(.refused))
    }
  }

  @Test("a stop ends a sign-in in progress")
  func signInStopped() async throws {
    let isRead = Signal()
    try await withUpstream { _ in
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      isRead.raise()
      connection.waitForEnd()
    } body: { network, _, _ in
      let task = Task { await network.signInSomebody() }
      await isRead.wait()
      task.cancel()
      network.stop()
      #expect(await task.value == .failure(.failed))
    }
  }

  @Test("after a stop, sent requests have failed, waiting requests were not sent, and later requests are offline")
  func stopped() async throws {
    let (isRead, isLetGo) = (Signal(), Signal())
    try await withUpstream {
      $0.maximumConnections = 1
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      isRead.raise()
      connection.waitForEnd()
      isLetGo.raise()
    } body: { network, server, _ in
      let first = Task { await network.registerSomebody() }
      await isRead.wait()
      // whether it already waits or comes too late, nothing of it is sent
      let second = Task { await network.registerSomebody() }
      network.stop()
      #expect(await first.value == .failure(.failed))
      #expect(await second.value == .failure(.offline))
      await isLetGo.wait()
      #expect(await network.registerSomebody() == .failure(.offline))
      network.stop()
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("a network that is released without a stop closes its connections")
  func letGo() async throws {
    let isLetGo = Signal()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.answer(200, Self.good) }
      isLetGo.raise()
    }
    do {
      let network = try HTTPNetwork(
        HTTPNetwork.Configuration(baseURL: "http://127.0.0.1:\(server.port)"), time: FixedTime())
      #expect(await network.registerSomebody() == .success(.registered))
    }
    await isLetGo.wait()
    server.close()
  }

  @Test("HTTPNetwork does not start with an invalid configuration")
  func unusable() {
    #expect(throws: HTTPNetwork.StartFailure.unusable("the base URL \(BaseURLProblem.plaintext)")) {
      try HTTPNetwork(HTTPNetwork.Configuration(baseURL: "http://192.0.2.1"), time: FixedTime())
    }
  }

  @Test("each request ends exactly once when requests, cancellations and a stop coincide", arguments: 0..<10)
  func atOnce(_ round: Int) async throws {
    try await withUpstream {
      $0.maximumConnections = 4
    } serving: { connection in
      while connection.readRequest() != nil { connection.answer(200, Self.good) }
    } body: { network, _, _ in
      let told = Counter()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let task = Task { await network.registerSomebody() }
            if number % 3 == 0 { task.cancel() }
            switch await task.value {
            case .success(.registered), .failure(.offline), .failure(.timeout), .failure(.failed),
              .failure(.congested):
              if told.increase() == 30 + round * 5 { network.stop() }
            case let other: Issue.record("\(other)")
            }
          }
        }
      }
      #expect(told.value == 100)
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increase() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
