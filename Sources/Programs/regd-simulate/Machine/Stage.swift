internal import CSimulation
internal import Linux
internal import Synchronization
internal import WorkerThreads
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// All work that waits for the only thread: pieces of tasks, their sleeps, lines of work, and loops. It runs nothing
/// itself, because `Player` chooses.
final class Stage: Sendable {
  static let only = Stage()

  /// A piece of a task (a job of Swift's runtime), and the number of the process that owns it.
  struct Piece {
    let owner: Int
    let job: UnownedJob
  }

  struct Sleep {
    var end: Int64
    let number: Int
    let piece: Piece
    /// Whether time in which the machine is suspended never counts (`SuspendingClock`).
    let isSuspending: Bool
  }

  struct State {
    /// The number of the process whose piece is being played. It owns all work that begins while the piece is played.
    var acting = 0
    var jobs: [Piece] = []
    var mainJobs: [Piece] = []
    /// Ordered by their ends. Sleeps that end together are in the order in which they began.
    var sleeps: [Sleep] = []
    var lines: [SimulatedQueue] = []
    /// Loops that `Player` has not taken up yet.
    var newLoops: [SimulatedLoop] = []
    var numbers = 0

    /// Removes all pending work of a process, and returns it.
    mutating func take(of owner: Int) -> [Any] {
      defer {
        jobs.removeAll { $0.owner == owner }
        mainJobs.removeAll { $0.owner == owner }
        sleeps.removeAll { $0.piece.owner == owner }
        lines.removeAll { $0.owner == owner }
        newLoops.removeAll { $0.owner == owner }
      }
      return [jobs, mainJobs, sleeps, lines, newLoops]
    }
  }

  let state = Mutex(State())

  /// Makes a process the owner of the work and the descriptors that are made from now on.
  func act(as owner: Int) {
    state.withLock { $0.acting = owner }
    simulated_act_as(Int32(owner))
  }

  func add(_ job: UnownedJob) { state.withLock { $0.jobs.append(Piece(owner: $0.acting, job: job)) } }

  /// Makes the sleeps for which suspended time counts end earlier by that many nanoseconds.
  func hasten(by nanoseconds: Int64) {
    state.withLock { state in
      for index in state.sleeps.indices where !state.sleeps[index].isSuspending {
        state.sleeps[index].end -= nanoseconds
      }
      state.sleeps.sort { ($0.end, $0.number) < ($1.end, $1.number) }
    }
  }

  func add(_ job: UnownedJob, at end: Int64, on clock: some Clock) {
    state.withLock { state in
      state.numbers += 1
      let sleep = Sleep(
        end: end, number: state.numbers, piece: Piece(owner: state.acting, job: job),
        isSuspending: clock is SuspendingClock)
      let place = state.sleeps.firstIndex { $0.end > end } ?? state.sleeps.count
      state.sleeps.insert(sleep, at: place)
    }
  }
}

/// The executor of tasks, in place of Swift's pool of threads.
final class SimulatedPool: TaskExecutor, SchedulingExecutor {
  static let only = SimulatedPool()

  func enqueue(_ job: consuming ExecutorJob) { Stage.only.add(UnownedJob(job)) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let delay = (delay as? Duration) ?? .zero
    Stage.only.add(UnownedJob(job), at: simulated_now() + max(0, delay.nanoseconds), on: clock)
  }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
    let left: Duration =
      if let instant = instant as? ContinuousClock.Instant {
        instant - .now
      } else if let instant = instant as? SuspendingClock.Instant {
        instant - .now
      } else {
        .zero
      }
    Stage.only.add(UnownedJob(job), at: simulated_now() + max(0, left.nanoseconds), on: clock)
  }
}

/// The main actor's executor, in place of the main thread.
final class SimulatedMain: MainExecutor {
  static let only = SimulatedMain()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Stage.only.state.withLock { $0.mainJobs.append(Stage.Piece(owner: $0.acting, job: job)) }
  }

  func run() throws {}
  func stop() {}
}

struct SimulatedExecutors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { SimulatedMain.only }
  static var defaultExecutor: any TaskExecutor { SimulatedPool.only }
}

extension Duration {
  /// The nanoseconds, limited to a century.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return min(max(seconds, -3_000_000_000), 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
