internal import CLinux
internal import Glibc

/// The thread that this code runs on.
package enum ThisThread {
  /// Identifies the thread as long as it runs.
  package static var id: UInt { UInt(pthread_self()) }

  /// Blocks the thread, and cancellation of a task does not end the sleep. Not for Swift's cooperative pool.
  package static func sleep(for duration: Duration) { _ = Polling.wait(for: [], atMost: duration) }
}

/// A started thread (pthreads(7)). It ends with its work. Its owner must call `join` or `detach`, and only once.
package struct StartedThread: Sendable {
  private let thread: pthread_t

  /// - Parameters:
  ///   - name: Name of the thread in top(1), cut to 15 bytes.
  ///   - niceness: 0 to 19. A thread with 19 yields to everything else (setpriority(2), which on Linux is per thread).
  package init(name: String, niceness: Int32, _ work: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = ThreadStart {
      if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
      pthread_setname_np(pthread_self(), String(name.prefix(15)))
      work()
    }
    let argument = Unmanaged.passRetained(start)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().work() }
        return nil
      }, argument.toOpaque())
    guard failure == 0 else {
      argument.release()
      throw SystemError("pthread_create", failure)
    }
    self.thread = thread
  }

  /// Blocks until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(thread) }
}

private final class ThreadStart: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
