internal import Linux
internal import Synchronization

/// Runs an actor on a dedicated thread, so that its methods may block.
package final class ThreadExecutor: SerialExecutor {
  private let thread: WorkerThreads
  /// The thread's id, or 0 until the thread runs.
  private let id: ThreadName

  package init(name: String) throws(WorkerThreads.StartFailure) {
    let (thread, id) = (try WorkerThreads(name: name, count: 1), ThreadName())
    thread.submit { id.number.store(ThisThread.id, ordering: .relaxed) }
    (self.thread, self.id) = (thread, id)
  }

  /// Lets work that was passed to `submit` call the actor's methods synchronously (`assumeIsolated`).
  package func checkIsolated() { precondition(id.number.load(ordering: .relaxed) == ThisThread.id) }

  /// Runs `work` on the actor's thread, in order with the actor's jobs.
  package func submit(_ work: @escaping WorkerThreads.Work) { thread.submit(work) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    thread.submit { job.runSynchronously(on: executor) }
  }
}

private final class ThreadName: Sendable {
  let number = Atomic<UInt>(0)
}
