internal import FairSharing
internal import JSONRPC
internal import Synchronization
internal import WorkerThreads

/// Threads that answer the calls whose texts would hold up an event loop, users in turn.
final class OffloadThreads: Sendable {
  /// Event loops, which have everything else to do, go first.
  private static let niceness: Int32 = 5

  private let threads: WorkerThreads
  private let waiting = Mutex(RoundRobin<UInt32, @Sendable () -> Void>())

  init(threads count: Int) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: "regd-texts", count: count, niceness: Self.niceness)
  }

  /// - Parameter done: Called with the answer, on one of the threads.
  func answer(_ call: OffloadedCall, of user: UInt32, done: @escaping @Sendable (OffloadedCall.Answer) -> Void) {
    waiting.withLock { $0.append({ done(call.answer()) }, of: user) }
    // for each call that waits a thread takes one, which need not be the same
    threads.submit { [self] in waiting.withLock { $0.popFirst() }?.element() }
  }

  /// Answers what waits, and ends the threads.
  func stop() { threads.stop() }
}
