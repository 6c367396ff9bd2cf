package import Linux

/// Runs work that Swift's cooperative pool must not run: on threads, unless `Workplaces.current` is another workplace,
/// as in a simulation.
package protocol Workplace: Sendable {
  /// Opens a queue of work with its own workers. They take the work in the order of submission. A single worker also
  /// does it in that order.
  func openQueue(
    name: String, workers: Int, niceness: Int32, idling: WorkerThreads.Idling?
  ) throws(SystemError) -> any WorkerQueue

  /// Starts a series of rounds, which run one after the other.
  ///
  /// - Parameters:
  ///   - make: Makes the rounds. Called on the thread that runs them.
  ///   - ended: Called after the last round.
  func begin(
    name: String, _ make: @escaping @Sendable () -> any Rounds, ended: @escaping @Sendable () -> Void
  ) throws(SystemError) -> any RunningRounds
}

/// An open queue of work and its workers.
package protocol WorkerQueue: Sendable {
  func submit(_ work: @escaping WorkerThreads.Work)
  /// Lets the workers end after the submitted work. Must be called once. Nothing may be submitted afterwards.
  ///
  /// - Parameter waits: Whether to return only after the workers have ended.
  func end(waits: Bool)
}

/// Work in rounds. Each round waits for events and handles them.
package protocol Rounds: AnyObject {
  /// A descriptor that is readable (poll(2)) while there are events.
  var descriptor: Int32 { get }
  /// How long the next round may wait for events, or nil for no limit.
  var pause: Duration? { get }
  /// - Returns: Whether there is a next round.
  func round(waitingAtMost pause: Duration?) -> Bool
}

extension Rounds {
  /// Runs all rounds.
  package func run() { while round(waitingAtMost: pause) {} }
}

package protocol RunningRounds: Sendable {
  /// Blocks until the last round has ended.
  func join()
}

/// The workplace of the current task.
package enum Workplaces {
  @TaskLocal package static var current: any Workplace = Threads()
}

/// Runs each worker, and each series of rounds, on a thread of its own.
struct Threads: Workplace {
  func openQueue(
    name: String, workers: Int, niceness: Int32, idling: WorkerThreads.Idling?
  ) throws(SystemError) -> any WorkerQueue {
    try ThreadedQueue(name: name, workers: workers, niceness: niceness, idling: idling)
  }

  func begin(
    name: String, _ make: @escaping @Sendable () -> any Rounds, ended: @escaping @Sendable () -> Void
  ) throws(SystemError) -> any RunningRounds {
    try StartedThread(name: name, niceness: 0) {
      make().run()
      ended()
    }
  }
}

extension StartedThread: RunningRounds {}
