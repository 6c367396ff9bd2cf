internal import JSONRPC
internal import Synchronization
internal import WorkerThreads

/// Threads on which texts are answered that would take others' time on an event loop. Users take turns here too.
final class CostlyTexts: Sendable {
  /// Behind the event loops, which have the others' requests.
  private static let niceness: Int32 = 5

  private let threads: WorkerThreads
  private let waiting = Mutex(RoundRobin<@Sendable () -> Void>())

  init(threads count: Int) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: "regd-texts", count: count, niceness: Self.niceness)
  }

  /// - Parameter done: Is given the answer, on one of the threads.
  func answer(_ text: CostlyText, of user: UInt32, done: @escaping @Sendable (CostlyText.Answer) -> Void) {
    waiting.withLock { $0.append({ done(text.answer()) }, of: user) }
    // as many times as something waits a thread takes the next one, whichever that is then
    threads.submit { [self] in waiting.withLock { $0.next() }?() }
  }

  /// Answers what waits, and ends the threads.
  func stop() { threads.stop() }
}
