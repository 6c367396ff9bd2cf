import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import HTTPNetwork

/// More requests than connections. The tests compare orders and counts, not seconds.
@Suite("Congestion", .timeLimit(.minutes(10)))
struct CongestionTests {
  private static let free = #"{"available":true}"#

  private func check(_ network: HTTPNetwork, _ share: Share) async -> Result<Bool, NetworkFailure> {
    do throws(NetworkFailure) { return .success(try await network.isAvailable(.of("a@b"), for: share)) } catch {
      return .failure(error)
    }
  }

  private static func isBusy(_ answer: Result<Bool, NetworkFailure>) -> Bool {
    if case .failure(.congested(retryAfterSeconds: 1...)) = answer { true } else { false }
  }

  @Test("a user with 500 requests in progress delays no other user, and gets a congestion error for the excess")
  func loud() async throws {
    let mayAnswer = Signal()
    let held = Mutex(0)
    try await withUpstream {
      $0.maximumConnections = 8
      $0.total = .seconds(600)
    } serving: { connection in
      while let request = connection.readRequest() {
        // the quiet user's request is answered at once
        if request.head.contains("a%40b") {
          held.withLock { $0 += 1 }
          mayAnswer.block()
        }
        connection.answer(200, Self.free)
      }
    } body: { network, server, reports in
      let answers = await withTaskGroup(of: Result<Bool, NetworkFailure>.self) { group in
        for _ in 0..<500 { group.addTask { await check(network, Share(uid: 1)) } }
        // the requests that fail at once found no room in the queue
        var answers: [Result<Bool, NetworkFailure>] = []
        while answers.count < 500 - 6 - 192, let answer = await group.next() { answers.append(answer) }
        for _ in 0..<20 {
          let quiet: Result<Bool, NetworkFailure>
          do throws(NetworkFailure) {
            quiet = .success(try await network.isAvailable(.of("quiet@b"), for: Share(uid: 2)))
          } catch {
            quiet = .failure(error)
          }
          #expect(quiet == .success(true))
        }
        #expect(held.withLock { $0 } <= 6, "the loud one's others still wait")
        mayAnswer.raise()
        for await answer in group { answers.append(answer) }
        return answers
      }
      // all may arrive before the first is sent
      #expect((192...198).contains(answers.count { $0 == .success(true) }))
      #expect(answers.allSatisfy { $0 == .success(true) || Self.isBusy($0) })
      #expect(server.acceptedCount <= 8)
      #expect(reports.all.isEmpty, "nothing of it is a failure of the upstream")
    }
  }

  @Test("a request that gets no turn in time fails with a congestion error and is never sent")
  func noTurn() async throws {
    let isRead = Signal()
    try await withUpstream {
      $0.maximumConnections = 1
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      isRead.raise()
      connection.waitForEnd()
    } body: { network, server, reports in
      let first = Task { await network.registerSomebody() }
      await isRead.wait()
      await withTaskGroup(of: UpstreamReply.self) { group in
        for uid in 1...3 as ClosedRange<UInt32> {
          let now = ContinuousClock.now
          let transfer = Transfer(
            .availability(.of("x@y")), Share(uid: uid), startBy: now + .milliseconds(50), until: now + .seconds(3600))
          group.addTask { await network.send(transfer) }
        }
        for await reply in group {
          #expect(reply.sendings == 0)
          let verdict = HTTPVerdict.availability(reply, now: Fixtures.time)
          #expect(verdict == .failure(.congested(retryAfterSeconds: 1)))
        }
      }
      first.cancel()
      #expect(await first.value == .failure(.timeout))
      #expect(server.acceptedCount == 1)
    }
  }

  @Test("a request may wait for its turn for half of the total time, which leaves the other half for the upstream")
  func half() {
    let configuration = HTTPNetwork.Configuration(baseURL: "http://127.0.0.1", total: .seconds(5))
    #expect(configuration.waiting == .milliseconds(2500))
  }

  @Test("each call of body() writes a new body, so a waiting request holds no copy of its password")
  func noCopy() {
    let password = Password(utf8: Array("a secret".utf8))
    let request = UpstreamRequest.session(.of("a@b"), password)
    #expect(request.body() !== request.body(), "it is written when it is sent")
  }
}
