internal import CLinux
internal import Glibc
internal import Linux
internal import Synchronization

/// Threads that may block, for work that must keep off the event loops and off Swift's cooperative pool.
///
/// Work is taken in the order in which it was submitted; with one thread it also runs in that order.
package final class WorkerThreads: Sendable {
  package typealias Work = @Sendable () -> Void

  private let queue: WorkQueue
  private let threads: [pthread_t]
  private let isStopped = Atomic<Bool>(false)

  package struct StartFailure: Error {
    /// As errno(3) has it.
    package let errorNumber: Int32

    package init(errorNumber: Int32) { self.errorNumber = errorNumber }
  }

  /// - Parameters:
  ///   - name: What the threads are called in top(1); 15 bytes are shown.
  ///   - count: How many; 1 or more.
  ///   - niceness: 0 to 19; at 19 they yield to everything else (setpriority(2), which on Linux is per thread).
  package init(name: String, count: Int, niceness: Int32 = 0) throws(StartFailure) {
    let queue = try WorkQueue()
    var threads: [pthread_t] = []
    for _ in 0..<count {
      let start = ThreadStart(name: name, niceness: niceness, queue: queue)
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(start).toOpaque())
      guard failure == 0 else { throw StartFailure(errorNumber: failure) }
      threads.append(thread)
    }
    self.queue = queue
    self.threads = threads
  }

  /// Has `work` run on one of the threads, soon.
  package func submit(_ work: @escaping Work) { queue.push(work) }

  /// Without `stop`, the threads end by themselves after what was submitted.
  deinit {
    guard !isStopped.load(ordering: .relaxed) else { return }
    for thread in threads {
      queue.push(nil)
      pthread_detach(thread)
    }
  }

  /// Lets the threads finish what was submitted, and waits until they have ended. Nothing may be submitted afterwards.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    for _ in threads { queue.push(nil) }
    for thread in threads { pthread_join(thread, nil) }
  }
}

/// What a thread needs to begin.
private final class ThreadStart: Sendable {
  private let name: String
  private let niceness: Int32
  private let queue: WorkQueue

  init(name: String, niceness: Int32, queue: WorkQueue) {
    self.name = name
    self.niceness = niceness
    self.queue = queue
  }

  func run() {
    if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(linux_gettid()), niceness) }
    pthread_setname_np(pthread_self(), String(name.prefix(15)))
    while let work = queue.pop() { work() }
  }
}

/// Work that waits, and is counted.
private final class WorkQueue: Sendable {
  private struct State {
    var items: [WorkerThreads.Work?] = []
    /// Where the next one stands; those before it are done with.
    var head = 0
  }

  private let state = Mutex(State())
  private let counter: EventCounter

  init() throws(WorkerThreads.StartFailure) {
    do throws(SystemError) { counter = try EventCounter() } catch {
      throw WorkerThreads.StartFailure(errorNumber: error.number)
    }
  }

  /// Nil ends one thread.
  func push(_ work: WorkerThreads.Work?) {
    state.withLock { $0.items.append(work) }
    counter.signal()
  }

  func pop() -> WorkerThreads.Work? {
    counter.wait()
    return state.withLock { state in
      guard state.head < state.items.count else { return nil }
      let work = state.items[state.head]
      state.items[state.head] = nil
      state.head += 1
      // the front is given back when it is half of all, so that taking one costs the same however many wait
      if state.head * 2 >= state.items.count {
        state.items.removeFirst(state.head)
        state.head = 0
      }
      return work
    }
  }
}
