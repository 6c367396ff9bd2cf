internal import Synchronization

/// The work of one request. The closure is released when the work ends, or when the work is cancelled before its turn, however
/// long the rest of its batch takes; so objects that wait for this release do not wait for the batch.
final class PendingWork: Sendable {
  private let cancellation = Cancellation()
  /// The closure of the work; nil once the work's turn has come, or once it is cancelled.
  private let work: Mutex<Method.Work?>

  init(_ work: @escaping Method.Work) { self.work = Mutex(work) }

  func cancel(_ reason: Cancellation.Reason) {
    // cancel first, so that a turn that finds no work finds the reason
    cancellation.cancel(reason)
    // a deinit runs outside the lock, because it may call the session
    let notBegun = work.withLock { $0.take() }
    withExtendedLifetime(notBegun) {}
  }

  /// Does the work. Call it once.
  func run() async -> Reply {
    guard let work = work.withLock({ $0.take() }) else { return await cancellation.run { _ in .error(.cancelled) } }
    return await cancellation.run(work)
  }
}
