internal import FairSharing
internal import JSONRPC
internal import Synchronization
internal import WorkerThreads

/// Threads that answer calls whose long texts would hold up an event loop; users take turns.
final class OffloadThreads: Sendable {
  /// Above 0, so that event loops, which do everything else, go first.
  private static let niceness: Int32 = 5

  private let threads: WorkerThreads
  private let waiting = Mutex(RoundRobin<UInt32, @Sendable () -> Void>())

  init(threads count: Int) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: "regd-texts", count: count, niceness: Self.niceness)
  }

  /// - Parameter done: Called with the answer, on one of the threads.
  func answer(_ call: OffloadedCall, of user: UInt32, done: @escaping @Sendable (OffloadedCall.Answer) -> Void) {
    waiting.withLock { $0.append({ done(call.answer()) }, of: user) }
    // one thread run per waiting call; which call it takes depends on the turns
    threads.submit { [self] in waiting.withLock { $0.popFirst() }?.element() }
  }

  /// Answers all waiting calls, and ends the threads.
  func stop() { threads.stop() }
}
