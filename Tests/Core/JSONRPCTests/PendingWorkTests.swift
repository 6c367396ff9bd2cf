import Testing

@testable import JSONRPC

@Suite("The work of a request")
struct PendingWorkTests {
  /// Stands in for data that work keeps, such as a form or a password.
  private final class Kept: Sendable {}

  private func work(keeping kept: Kept) -> PendingWork {
    PendingWork { _ in withExtendedLifetime(kept) { .result { $0.value("done") } } }
  }

  @Test("work that is cancelled before its turn releases its data and does not run")
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

  @Test("work releases its data as soon as it is done, even while its batch keeps the work")
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
    "work stopped by its deadline or a shutdown before its turn returns that reason",
    arguments: [Cancellation.Reason.deadline(seconds: 3), .shutdown])
  func late(_ reason: Cancellation.Reason) async {
    let work = work(keeping: Kept())
    work.cancel(reason)
    #expect(await work.run() == .error(reason == .shutdown ? .draining : .requestTimeout(limit: 3)))
  }
}
