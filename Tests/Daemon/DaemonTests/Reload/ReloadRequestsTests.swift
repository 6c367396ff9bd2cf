import Methods
import Testing

@testable import Daemon

/// The queue of reloads.
@Suite("Reload: requests")
struct ReloadRequestsTests {
  @Test("at the stop, the queue reports a waiting signal and refuses later requests")
  func closing() async {
    let requests = ReloadRequests()
    #expect(requests.hangUp())
    #expect(requests.close())
    #expect(!requests.hangUp())
    #expect(await requests.ask(isTrial: true) == .stopping)
    #expect(requests.take() == nil)
  }

  @Test("a full queue refuses the next caller, but accepts a signal")
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

  @Test("signals before a reload begins are one reload, which waits until the process is ready")
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
