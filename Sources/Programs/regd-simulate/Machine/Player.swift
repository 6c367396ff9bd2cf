internal import CSimulation
internal import Synchronization
internal import WorkerThreads

@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The scheduler of the simulation: plays the pieces of work on `Stage` one after the other, in an order that chance
/// decides. If no piece can be played, it advances simulated time.
final class Player {
  private final class Loop {
    let loop: SimulatedLoop
    let rounds: any Rounds
    /// When the loop's next round is due without an event, in simulated nanoseconds, or nil for never.
    var next: Int64? = 0
    /// The number of consecutive rounds, up to the latest, that wanted to continue without a pause.
    var awake = 0

    init(_ loop: SimulatedLoop) {
      Stage.only.act(as: loop.owner)
      (self.loop, rounds) = (loop, loop.make())
    }

    var isReady: Bool { next.map { $0 <= simulated_now() } ?? false || simulated_is_readable(rounds.descriptor) }
  }

  private enum Choice {
    case job, mainJob
    case line(Int)
    case loop(Int)
    case outside
  }

  /// The part of the simulation that takes turns with the daemons: the callers, the faults and the oracle.
  struct Outside {
    /// When its next turn is due, in simulated nanoseconds, or `Int64.max` for never.
    let next: () -> Int64
    let play: () -> Void
  }

  /// The limit of consecutive rounds without a pause, above which a loop counts as sleepless. No loop needs nearly as
  /// many.
  private static let mostAwake = 2000

  private var chance: Chance
  private var loops: [Loop] = []
  /// The remaining work of killed processes. None of it runs again, and none is freed, because freeing would close
  /// descriptors of the next process.
  private static nonisolated(unsafe) var graves: [Any] = []
  private(set) var steps = 0
  /// The name of a loop that has exceeded `mostAwake`, or nil if no loop has.
  private(set) var sleepless: String?
  /// The times at which paused processes continue, by the processes' numbers.
  private var pauses: [Int: Int64] = [:]
  /// The name of a line of work that chance makes slow, so that its pieces take fifty times as long as usual. Empty if
  /// no line is slow.
  var slowLine = ""

  init(seed: UInt64) { chance = Chance(seed: seed, purpose: 1) }

  /// Plays one piece of work, or lets time pass.
  ///
  /// - Returns: False if nothing will ever happen again.
  func step(_ outside: Outside) -> Bool {
    steps += 1
    prepare()
    let choices = choices(outside)
    guard let choice = choices.isEmpty ? nil : chance.one(of: choices) else { return pass(outside) }
    switch choice {
    case .job: playJob()
    case .mainJob: playMainJob()
    case .line(let number): playLine(number)
    case .loop(let number): playLoop(number)
    case .outside: outside.play()
    }
    return true
  }

  /// Pauses a process: none of its work is played before `end`.
  func pause(_ owner: Int, until end: Int64) { pauses[owner] = end }

  private func isPaused(_ owner: Int) -> Bool {
    !pauses.isEmpty && pauses[owner].map { $0 > simulated_now() } ?? false
  }

  /// Ends a process, together with all its pending work.
  func kill(_ owner: Int) {
    pauses[owner] = nil
    Self.graves.append(Stage.only.state.withLock { $0.take(of: owner) })
    Self.graves.append(loops.filter { $0.loop.owner == owner })
    loops.removeAll { $0.loop.owner == owner }
    simulated_close_daemon(Int32(owner))
  }

  // MARK: Choosing

  /// Ends sleeps that are due, begins work for which a worker is free, and takes up new loops.
  private func prepare() {
    let now = simulated_now()
    let (lines, new) = Stage.only.state.withLock { state in
      let over = state.sleeps.prefix { $0.end <= now }
      state.jobs += over.map(\.piece)
      state.sleeps.removeFirst(over.count)
      state.lines.removeAll { line in line.state.withLock { $0.isOver && $0.waiting.isEmpty && $0.inFlight.isEmpty } }
      defer { state.newLoops = [] }
      return (state.lines, state.newLoops)
    }
    loops += new.map(Loop.init)
    for line in lines {
      line.state.withLock { state in
        while state.inFlight.count < line.workers, !state.waiting.isEmpty {
          state.inFlight.append((now + time(of: line), state.waiting.removeFirst()))
        }
      }
    }
  }

  /// How long a piece of work takes: usually a moment, sometimes long.
  private func time(of line: SimulatedQueue) -> Int64 {
    let usual = Int64(chance.once(in: 8) ? chance.below(20_000_000) : chance.below(200_000))
    return line.name == slowLine ? usual * 50 : usual
  }

  private func choices(_ outside: Outside) -> [Choice] {
    let now = simulated_now()
    var choices: [Choice] = []
    Stage.only.state.withLock { state in
      if state.jobs.contains(where: { !isPaused($0.owner) }) { choices += [.job, .job] }
      if state.mainJobs.contains(where: { !isPaused($0.owner) }) { choices.append(.mainJob) }
      for (number, line) in state.lines.enumerated()
      where !isPaused(line.owner) && line.state.withLock({ $0.inFlight.contains { $0.end <= now } }) {
        choices.append(.line(number))
      }
    }
    for (number, loop) in loops.enumerated() where !isPaused(loop.loop.owner) && loop.isReady {
      choices.append(.loop(number))
    }
    if outside.next() <= now { choices.append(.outside) }
    return choices
  }

  /// Lets time pass until something can be played. Returns false if nothing can be played any more.
  private func pass(_ outside: Outside) -> Bool {
    var next: [Int64] = Stage.only.state.withLock { state in
      (state.sleeps.first.map { [$0.end] } ?? [])
        + state.lines.filter { !isPaused($0.owner) }.compactMap { line in
          line.state.withLock { $0.inFlight.map(\.end).min() }
        }
    }
    next += loops.filter { !isPaused($0.loop.owner) }.compactMap(\.next) + pauses.values.filter { $0 > simulated_now() }
    let turn = outside.next()
    if turn < .max { next.append(turn) }
    guard let first = next.min() else { return false }
    simulated_advance_to(first)
    return true
  }

  // MARK: Playing

  private func playJob() {
    let isRandom = chance.once(in: 3)
    let piece = Stage.only.state.withLock { state in
      guard !pauses.isEmpty else { return state.jobs.remove(at: isRandom ? chance.below(state.jobs.count) : 0) }
      let playable = state.jobs.indices.filter { !isPaused(state.jobs[$0].owner) }
      return state.jobs.remove(at: playable[isRandom ? chance.below(playable.count) : 0])
    }
    Stage.only.act(as: piece.owner)
    piece.job.runSynchronously(on: SimulatedPool.only.asUnownedTaskExecutor())
  }

  private func playMainJob() {
    let piece = Stage.only.state.withLock { state in
      state.mainJobs.remove(at: state.mainJobs.firstIndex { !isPaused($0.owner) } ?? 0)
    }
    Stage.only.act(as: piece.owner)
    piece.job.runSynchronously(on: SimulatedMain.only.asUnownedSerialExecutor())
  }

  private func playLine(_ number: Int) {
    let now = simulated_now()
    let line = Stage.only.state.withLock { $0.lines[number] }
    let work = line.state.withLock { state in
      let ready = state.inFlight.indices.filter { state.inFlight[$0].end <= now }
      return state.inFlight.remove(at: chance.one(of: ready)).work
    }
    Stage.only.act(as: line.owner)
    work()
  }

  private func playLoop(_ number: Int) {
    let loop = loops[number]
    Stage.only.act(as: loop.loop.owner)
    guard loop.rounds.round(waitingAtMost: .zero) else {
      loops.remove(at: number)
      return loop.loop.ended()
    }
    let pause = loop.rounds.pause
    loop.next = pause.map { simulated_now() + $0.nanoseconds }
    loop.awake = pause.map { $0 <= .zero } ?? false ? loop.awake + 1 : 0
    if loop.awake > Self.mostAwake { sleepless = loop.loop.name }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs a task to its end on the simulated executors, before a `Simulation` exists.
  static func finish<Value: Sendable>(_ task: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await task()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    let player = Player(seed: 0)
    while true {
      if let result = outcome.result.withLock({ $0 }) { return try result.get() }
      guard player.step(Outside(next: { .max }, play: {})) else { preconditionFailure("the task waits for nobody") }
    }
  }
}
