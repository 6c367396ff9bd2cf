internal import Synchronization

/// The work of one request, from when it is begun to its end. It is let go of when it has ended, or is cancelled before its
/// turn has come, however long the others of its batch take: what waits for its end does not wait for them.
final class PendingWork: Sendable {
  private let cancellation = Cancellation()
  /// Nil from its turn on, and once it is cancelled.
  private let work: Mutex<Method.Work?>

  init(_ work: @escaping Method.Work) { self.work = Mutex(work) }

  func cancel(_ reason: Cancellation.Reason) {
    // first: a turn that finds no work finds the reason
    cancellation.cancel(reason)
    // a deinit runs outside the lock: it may call the session
    let notBegun = work.withLock { $0.take() }
    withExtendedLifetime(notBegun) {}
  }

  /// Does the work; once.
  func run() async -> Reply {
    guard let work = work.withLock({ $0.take() }) else { return await cancellation.run { _ in .error(.cancelled) } }
    return await cancellation.run(work)
  }
}
