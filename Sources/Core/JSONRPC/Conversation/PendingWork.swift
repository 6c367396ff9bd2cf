internal import Synchronization

/// The work of one request. Its closure is released when the work ends, or when the work is cancelled before it begins.
/// The objects that the closure holds are then released too, even if the rest of a batch continues.
final class PendingWork: Sendable {
  private let cancellation = Cancellation()
  /// The closure of the work, or nil once the work has begun or is cancelled.
  private let work: Mutex<Method.Work?>

  init(_ work: @escaping Method.Work) { self.work = Mutex(work) }

  func cancel(_ reason: Cancellation.Reason) {
    // sets the reason first, because a concurrent `run` that finds no closure needs it
    cancellation.cancel(reason)
    // released outside the lock, because a deinit may call the session
    let notBegun = work.withLock { $0.take() }
    withExtendedLifetime(notBegun) {}
  }

  /// The reply, if it is certain before the work returns: the request was cancelled before it began to commit.
  var decided: Reply? { cancellation.decided }

  /// Does the work. Call it once.
  func run() async -> Reply {
    guard let work = work.withLock({ $0.take() }) else { return await cancellation.run { _ in .error(.cancelled) } }
    return await cancellation.run(work)
  }
}
