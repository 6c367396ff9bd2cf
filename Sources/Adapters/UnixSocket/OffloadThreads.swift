internal import FairQueues
internal import Synchronization
internal import WorkerThreads

/// Threads that compute what would hold up an event loop, such as the answer to a call with long texts. Users take turns.
final class OffloadThreads: Sendable {
  /// Above 0, so that event loops, which do everything else, have priority.
  private static let niceness: Int32 = 5

  private let threads: WorkerThreads
  private let waiting = Mutex(RoundRobin<UInt32, @Sendable () -> Void>())

  init(threads count: Int) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: "regd-texts", count: count, niceness: Self.niceness)
  }

  /// - Parameter done: Called with the answer, on one of the threads.
  func answer(
    _ compute: @escaping @Sendable () -> any Sendable, of user: UInt32, done: @escaping @Sendable (any Sendable) -> Void
  ) {
    waiting.withLock { $0.append({ done(compute()) }, of: user) }
    // Submits one run per computation. The users' turns determine which waiting computation a run takes.
    threads.submit { [self] in waiting.withLock { $0.popFirst() }?.element() }
  }

  /// Does all waiting computations, and ends the threads.
  func stop() { threads.stop() }
}
