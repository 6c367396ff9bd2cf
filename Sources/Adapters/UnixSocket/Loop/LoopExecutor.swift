/// Has the tasks that prefer it (SE-0417) go on on an event loop, after each wait: the loop's time that they take is one
/// user's. What a task does between two waits must be short there.
final class LoopExecutor: TaskExecutor {
  private let handle: LoopHandle
  /// The number of the user on the loop.
  let user: Int

  init(_ handle: LoopHandle, user: Int) { (self.handle, self.user) = (handle, user) }

  /// What a task does next, up to its next wait.
  struct Job: Sendable {
    fileprivate let job: UnownedJob
    fileprivate let executor: LoopExecutor

    var user: Int { executor.user }

    /// On the loop's thread, once.
    func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) { handle.post(Job(job: UnownedJob(job), executor: self)) }
}
