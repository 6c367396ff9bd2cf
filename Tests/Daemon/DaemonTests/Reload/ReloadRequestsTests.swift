import Methods
import Testing

@testable import Daemon

/// What waits to be reloaded.
@Suite("Reload: requests")
struct ReloadRequestsTests {
  @Test("a signal that waits when the process stops is told of, and what comes later is refused")
  func closing() async {
    let requests = ReloadRequests()
    #expect(requests.hangUp())
    #expect(requests.close())
    #expect(!requests.hangUp())
    #expect(await requests.ask(isTrial: true) == .stopping)
    #expect(requests.take() == nil)
  }

  @Test("callers that give up fill no queue: the one that is too many is refused")
  func bounded() async {
    let requests = ReloadRequests()
    await withTaskGroup(of: ReloadOutcome.self) { group in
      for _ in 0...ReloadRequests.mostWaiting { group.addTask { await requests.ask(isTrial: true) } }
      #expect(await group.next() == .busy)
      #expect(requests.hangUp())
      #expect(requests.close())
      for await outcome in group { #expect(outcome == .stopping) }
    }
  }

  @Test("signals that come before a reload has begun are one reload, and none before the process is ready")
  func joined() {
    let requests = ReloadRequests()
    for _ in 0..<3 { #expect(requests.hangUp()) }
    #expect(requests.take() == nil)
    requests.open()
    #expect(requests.take().map { $0.reply == nil } == true)
    #expect(requests.take() == nil)
    #expect(!requests.close())
  }
}
