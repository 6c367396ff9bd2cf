internal import DequeModule
internal import Linux
internal import Synchronization

/// Threads for work that blocks, which Swift's cooperative pool and event loops must not run.
///
/// The threads take work in the order of submission. A single thread therefore also runs it in that order.
package final class WorkerThreads: Sendable {
  package typealias Work = @Sendable () -> Void

  private let queue: any WorkerQueue
  private let isStopped = Atomic<Bool>(false)

  package struct StartFailure: Error {
    /// The errno(3) value.
    package let errorNumber: Int32

    package init(errorNumber: Int32) { self.errorNumber = errorNumber }
  }

  /// Housekeeping that a thread does after a while without submitted work.
  package struct Idling: Sendable {
    let limit: Duration
    let work: Work

    /// - Parameters:
    ///   - limit: How long a thread waits for submitted work first.
    ///   - work: Done once per such wait, and when the thread ends.
    package init(after limit: Duration, _ work: @escaping Work) {
      self.limit = limit
      self.work = work
    }
  }

  /// - Parameters:
  ///   - name: Name of the threads in top(1), cut to 15 bytes.
  ///   - count: Number of threads, 1 or more.
  ///   - niceness: 0 to 19. Threads with 19 yield to everything else (setpriority(2), which on Linux is per thread).
  ///   - idling: The housekeeping of an idle thread, or nil for none.
  package init(name: String, count: Int, niceness: Int32 = 0, idling: Idling? = nil) throws(StartFailure) {
    do throws(SystemError) {
      queue = try Workplaces.current.openQueue(name: name, workers: count, niceness: niceness, idling: idling)
    } catch {
      throw StartFailure(errorNumber: error.number)
    }
  }

  /// Queues `work` for the next free thread.
  package func submit(_ work: @escaping Work) { queue.submit(work) }

  /// Without `stop`, the threads end after the submitted work, and no caller waits for their end.
  deinit {
    if !isStopped.load(ordering: .relaxed) { queue.end(waits: false) }
  }

  /// Waits until the threads have done all submitted work and ended. Nothing may be submitted afterwards. A second call
  /// returns at once.
  package func stop() {
    if !isStopped.exchange(true, ordering: .relaxed) { queue.end(waits: true) }
  }
}

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

/// A `WorkerQueue` whose workers are threads.
struct ThreadedQueue: WorkerQueue {
  private let queue = ThreadQueue()
  private let threads: [StartedThread]

  init(name: String, workers: Int, niceness: Int32, idling: WorkerThreads.Idling?) throws(SystemError) {
    var threads: [StartedThread] = []
    for _ in 0..<workers {
      threads.append(try StartedThread(name: name, niceness: niceness) { [queue] in queue.work(idling) })
    }
    self.threads = threads
  }

  func submit(_ work: @escaping WorkerThreads.Work) { queue.push(work) }

  func end(waits: Bool) {
    for _ in threads { queue.push(nil) }
    for thread in threads { if waits { thread.join() } else { thread.detach() } }
  }
}

/// A queue of work, where the semaphore counts its items.
private final class ThreadQueue: Sendable {
  private let items = Mutex<Deque<WorkerThreads.Work?>>([])
  private let semaphore = Semaphore()

  /// - Parameter work: Nil ends one thread.
  func push(_ work: WorkerThreads.Work?) {
    items.withLock { $0.append(work) }
    semaphore.signal()
  }

  /// Runs pushed work until it takes a nil, which ends the thread.
  func work(_ idling: WorkerThreads.Idling?) {
    while let work = pop(idling) { work() }
    idling?.work()
  }

  private func pop(_ idling: WorkerThreads.Idling?) -> WorkerThreads.Work? {
    if let idling {
      if !semaphore.wait(atMost: idling.limit) {
        idling.work()
        semaphore.wait()
      }
    } else {
      semaphore.wait()
    }
    return items.withLock { $0.popFirst() ?? nil }
  }
}

private final class ThreadName: Sendable {
  let number = Atomic<UInt>(0)
}
