/// Runs an actor on a dedicated thread, so that its methods may block.
package final class ThreadExecutor: SerialExecutor {
  private let thread: WorkerThreads

  package init(name: String) throws(WorkerThreads.StartFailure) {
    thread = try WorkerThreads(name: name, count: 1)
  }

  /// Runs `work` in turn with the actor's jobs.
  package func submit(_ work: @escaping WorkerThreads.Work) { thread.submit(work) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    thread.submit { job.runSynchronously(on: executor) }
  }
}
