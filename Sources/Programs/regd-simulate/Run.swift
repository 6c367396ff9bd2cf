internal import CSimulation
internal import Linux

/// The parameters of a run. Equal parameters give the same run.
struct RunParameters {
  let seed: UInt64
  var own: OwnConfiguration?
  /// How many simulated minutes the run lasts, or nil if its seed decides.
  var minutes: Int?
  /// How many regd processes share a store. A single regd has SQLite.
  var daemons = 1

  var scenario: Scenario { Scenario(seed: seed, own: own, daemons: daemons) }
  var plan: [Action] { Action.plan(seed: seed, scenario, minutes: minutes) }
}

/// One seed, played in a separate process.
struct Run {
  let parameters: RunParameters
  let tally: Tally
  let steps: Int
  let isPrinted: Bool

  var seed: UInt64 { parameters.seed }

  /// A run's process exits with 0, or with this plus the number of the broken promise.
  private static let broken = 10

  /// The broken promise that the end of a run's process names, or nil for any other end, such as by a signal.
  static func promise(of end: Int) -> Promise? { Promise(rawValue: end - broken) }

  /// Begins the run's process.
  ///
  /// - Parameters:
  ///   - only: The actions to play, or nil for all.
  ///   - isTold: Whether to print the broken promise.
  func begin(only: [Int]?, isTold: Bool) -> Int32 {
    let process = simulated_fork()
    if process == 0 { live(only, isTold) }
    return process
  }

  /// Waits for the end of the run's process.
  ///
  /// - Returns: Its exit status, or 128 plus the signal that ended it.
  func end(_ process: Int32, isTold: Bool) -> Int {
    let end = Int(simulated_await(process))
    if end >= 128, isTold { print("seed \(seed): the process was killed by signal \(end - 128)") }
    return end
  }

  private func play(only: [Int]) -> Int { end(begin(only: only, isTold: false), isTold: false) }

  private func live(_ only: [Int]?, _ isTold: Bool) -> Never {
    guard simulated_enter_place() else { ThisProcess.exit(3) }
    simulated_begin(seed)
    _ = simulated_disk_install()
    if isPrinted, isTold { Transcript.only.keep() }
    let simulation = Simulation(parameters, tally: tally, only: only)
    do { try FileWriting.write(simulation.scenario.configuration, to: SimulatedProcess.file) } catch {
      ThisProcess.exit(3)
    }
    simulation.play(atMost: steps)
    simulated_leave_place()
    if isTold {
      if isPrinted { print(Transcript.only.text, terminator: "") }
      if isPrinted { print("seed \(seed): \(String(Transcript.only.hash, radix: 16))") }
      if let broken = simulation.oracle.broken {
        print(
          "seed \(seed): \(broken.promise.name) is broken: \(broken.detail)\n  \(broken.promise.article): \(broken.promise.sentence)"
        )
      }
    }
    ThisProcess.exit(Int32(simulation.oracle.broken.map { Self.broken + $0.promise.rawValue } ?? 0))
  }

  /// Leaves out ever smaller groups of actions, as long as the same promise breaks.
  ///
  /// - Returns: The numbers of the actions that suffice.
  func shrink(from only: [Int]?) -> [Int] {
    var left = only ?? parameters.plan.map(\.number)
    let end = play(only: left)
    var size = max(1, left.count / 2)
    var tries = 0
    while size >= 1, tries < 200 {
      var start = 0
      while start < left.count, tries < 200 {
        let rest = Array(left[..<start] + left[min(left.count, start + size)...])
        tries += 1
        if play(only: rest) == end { left = rest } else { start += size }
      }
      size /= 2
    }
    return left
  }
}
