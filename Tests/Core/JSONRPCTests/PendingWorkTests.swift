import Testing

@testable import JSONRPC

@Suite("The work of a request")
struct PendingWorkTests {
  /// What a work keeps: a form, a password.
  private final class Kept: Sendable {}

  private func work(keeping kept: Kept) -> PendingWork {
    PendingWork { _ in withExtendedLifetime(kept) { .result { $0.value("done") } } }
  }

  @Test("what it keeps it lets go of when it is cancelled before its turn, and is not done")
  func cancelled() async {
    var kept: Kept? = Kept()
    weak let seen = kept
    let work = kept.map { self.work(keeping: $0) }
    kept = nil
    #expect(seen != nil)
    work?.cancel(.caller)
    #expect(seen == nil)
    #expect(await work?.run() == .error(.cancelled))
  }

  @Test("what it keeps it lets go of when it is done, and not when the others of its batch are")
  func done() async {
    var kept: Kept? = Kept()
    weak let seen = kept
    let work = kept.map { self.work(keeping: $0) }
    kept = nil
    #expect(await work?.run() == .result { $0.value("done") })
    #expect(seen == nil)
    work?.cancel(.disconnection)
  }

  @Test(
    "past its deadline before its turn, it says so",
    arguments: [Cancellation.Reason.deadline(seconds: 3), .shutdown])
  func late(_ reason: Cancellation.Reason) async {
    let work = work(keeping: Kept())
    work.cancel(reason)
    #expect(await work.run() == .error(reason == .shutdown ? .draining : .requestTimeout(limit: 3)))
  }
}
