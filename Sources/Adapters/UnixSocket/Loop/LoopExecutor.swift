/// Resumes tasks on an event loop after each of their waits, if they prefer this executor (SE-0417), and charges the
/// time to one user's slice. Such a task must not run long between two waits, because it holds up the loop.
final class LoopExecutor: TaskExecutor {
  private let handle: LoopHandle
  /// The user's number on the loop.
  let user: Int

  init(_ handle: LoopHandle, user: Int) { (self.handle, self.user) = (handle, user) }

  /// A task's next piece, up to its next wait.
  struct Job: Sendable {
    fileprivate let job: UnownedJob
    fileprivate let executor: LoopExecutor

    var user: Int { executor.user }

    /// Must be called on the loop's thread, once.
    func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) { handle.post(Job(job: UnownedJob(job), executor: self)) }
}
