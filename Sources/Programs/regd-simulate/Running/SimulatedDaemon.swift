internal import Registration

/// One simulated regd: its present process, and the times of its stop, restart and pause.
final class SimulatedDaemon {
  let number: Int
  var process: SimulatedProcess
  /// When it was asked to stop, or nil if it was not.
  var terminatedAt: Int64?
  /// When its next process is started, nil while it runs, or `Int64.max` for never.
  var returnsAt: Int64?

  /// When it continues after its latest pause.
  var wakesAt: Int64 = 0
  /// Whether the daemon has stopped and will not start again.
  var isOver = false

  init(_ number: Int, _ process: SimulatedProcess) { (self.number, self.process) = (number, process) }

  var isUp: Bool { process.isReady && process.end == nil && terminatedAt == nil && returnsAt == nil }
}

/// All simulated regd. Several share a store.
final class Daemons {
  let all: [SimulatedDaemon]
  /// The number of restarts of all regd processes, plus 1.
  var lives = 1

  init(_ scenario: Scenario, _ backends: Backends, _ tally: Tally) {
    let log = SimulatedLog { [mails = backends.mails] line in
      Transcript.only.note("log: \(line)")
      if Leaks.isLeak(line) || mails.isTold(in: line) { Leaks.note(line) }
    }
    // A single regd whose configuration is not an operator's gets the upstream from the configuration, also at each
    // reload. In all other cases it comes from here.
    let isPut = scenario.network != .none && (scenario.daemons > 1 || scenario.own != nil)
    all = (0..<scenario.daemons).map { number in
      let place = SimulatedProcess.Place(
        number: number,
        network: isPut ? SimulatedBackend(backends.upstream, AskingDaemon(number, backends.asks)) : nil,
        isOwn: scenario.own != nil, arguments: scenario.arguments, log: log, rows: backends.rows,
        skew: scenario.faults.skews[number])
      if place.skew != .zero { tally.met(.skewedClock) }
      return SimulatedDaemon(number, SimulatedProcess(place))
    }
  }

  /// The earliest time at which a regd that still runs was asked to stop, or nil if no regd was.
  var terminatedAt: Int64? { all.lazy.filter { !$0.isOver }.compactMap(\.terminatedAt).min() }
  var isUp: Bool { all.allSatisfy { $0.isUp || $0.returnsAt != nil } }

  /// The number of a regd that runs, or 0 if none runs. Uses `chance` only if several run.
  func anyUp(_ chance: inout Chance) -> Int {
    let up = all.filter(\.isUp)
    return up.count > 1 ? chance.one(of: up).number : up.first?.number ?? 0
  }

  func anyDaemon(_ chance: inout Chance) -> SimulatedDaemon { all[anyUp(&chance)] }
}

/// The clock of a machine that is ahead of simulated time.
struct SkewedTime: TimeSource {
  let clock: any TimeSource
  let offset: Duration

  func now() -> Timestamp { clock.now().advanced(by: offset) }
}
