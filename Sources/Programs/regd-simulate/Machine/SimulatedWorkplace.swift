internal import CSimulation
internal import Linux
internal import Synchronization
internal import WorkerThreads

/// Opens simulated lines and loops in place of threads. `Player` plays them.
struct SimulatedWorkplace: Workplace {
  func openQueue(
    name: String, workers: Int, niceness: Int32, idling: WorkerThreads.Idling?
  ) throws(SystemError) -> any WorkerQueue {
    Stage.only.state.withLock { state in
      let line = SimulatedQueue(name: name, owner: state.acting, workers: workers)
      state.lines.append(line)
      return line
    }
  }

  func begin(
    name: String, _ make: @escaping @Sendable () -> any Rounds, ended: @escaping @Sendable () -> Void
  ) throws(SystemError) -> any RunningRounds {
    Stage.only.state.withLock { state in
      let loop = SimulatedLoop(name: name, owner: state.acting, make: make, ended: ended)
      state.newLoops.append(loop)
      return loop
    }
  }
}

/// A line of work: at most as many pieces are under way as there are workers, and chance decides how long each takes.
final class SimulatedQueue: WorkerQueue {
  let name: String
  let owner: Int
  let workers: Int

  struct State {
    var waiting: [WorkerThreads.Work] = []
    var inFlight: [(end: Int64, work: WorkerThreads.Work)] = []
    var isOver = false
  }

  let state = Mutex(State())

  init(name: String, owner: Int, workers: Int) { (self.name, self.owner, self.workers) = (name, owner, workers) }

  func submit(_ work: @escaping WorkerThreads.Work) { state.withLock { $0.waiting.append(work) } }

  func end(waits: Bool) {
    while waits,
      let work = state.withLock({ state in
        state.inFlight.isEmpty
          ? (state.waiting.isEmpty ? nil : state.waiting.removeFirst()) : state.inFlight.removeFirst().work
      })
    { work() }
    state.withLock { $0.isOver = true }
  }
}

struct SimulatedLoop: RunningRounds {
  let name: String
  let owner: Int
  let make: @Sendable () -> any Rounds
  let ended: @Sendable () -> Void

  /// Does nothing: `Player` has played the last round when it calls `ended`, and regd joins a loop only after that.
  func join() {}
}
