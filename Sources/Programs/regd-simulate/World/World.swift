internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// Everything around regd, on one thread with it: callers, the upstream, faults. Checks regd's answers.
final class World: Checking {
  enum Phase { case acting, quieting, probing, settling, draining, over }

  let seed: UInt64
  let oracle: Oracle
  let player: Player
  var chance: Chance
  let daemons: [SimulatedDaemon]
  /// The ids of accounts that wait for the upstream, and whose latest request to it was by a regd that never runs
  /// again.
  var abandoned: Set<String> = []
  var callers: [SimulatedCaller] = []
  var plan: [Action]
  /// When the next action is due.
  var due: Int64
  var phase = Phase.acting
  /// The time since which no requests are sent.
  var quietSince: Int64 = 0
  /// The number of restarts of all regd processes, plus 1.
  var lives = 1
  var numbers = 0
  var probe: Probe?
  var hasSettled = false
  /// Whether the last requests were made, and regd has been asked to stop.
  var isClosing = false
  var twins: [Twins] = []
  /// The error that all wrong passwords got so far, or nil before the first.
  var rejection: String?

  init(_ parameters: RunParameters, tally: Tally, only: [Int]?) {
    seed = parameters.seed
    let scenario = parameters.scenario
    let backends = Backends(seed: seed, scenario)
    oracle = Oracle(scenario, backends, tally)
    player = Player(seed: seed)
    player.slowLine = scenario.faults.slowLine
    chance = Chance(seed: seed, purpose: 5)
    plan = parameters.plan.filter { only?.contains($0.number) ?? true }.reversed()
    due = simulated_now()
    SimulatedBackend.current.withLock { [upstream = backends.upstream] in $0 = upstream }
    SimulatedMailBackend.current.withLock { [mails = backends.mails] in $0 = mails }
    daemons = Self.makeDaemons(scenario, backends, tally)
    if !scenario.faults.slowLine.isEmpty { tally.met(.slowLane) }
  }

  // MARK: Playing

  /// Plays until the end, or until a promise is broken.
  func play(atMost steps: Int) {
    for daemon in daemons { daemon.process.start() }
    let outside = Player.Outside(next: { [unowned self] in next }, play: { [unowned self] in turn() })
    while phase != .over, oracle.broken == nil {
      guard player.steps < steps else {
        return hold(
          .inTime, false, "nothing came to an end in \(steps) steps; \(phase), \(callers.map(\.waiting.count))")
      }
      let goesOn = player.step(outside)
      watch()
      if !goesOn, phase != .over { hold(.inTime, false, "nothing will ever happen again") }
    }
    tally.stepped(player.steps)
  }

  /// Checks the new output of each step.
  private func watch() {
    for fault in upstream.takeMet() { tally.met(fault) }
    mailChecks.watch()
    if let line = Leaks.found.withLock({ $0 }) { hold(.secrets, false, "the log says \(line)") }
    watchShortages()
    if simulated_disk_is_cut() { restart(.atDisk, daemons[0]) }
    watchSeveral()
    for daemon in daemons where !daemon.isOver { if let end = daemon.process.end { ended(end, daemon) } }
  }

  /// When the world wants its next turn.
  private var next: Int64 { min(nextTurn, daemons.lazy.compactMap(\.returnsAt).min() ?? .max) }

  private var nextTurn: Int64 {
    if callers.contains(where: \.wantsTurn) { return 0 }
    let readers = callers.lazy.map(\.goesOn).min() ?? .max
    switch phase {
    case .acting: return min(readers, due)
    case .quieting, .probing: return min(readers, isQuiet && isUp && probe == nil ? 0 : quietSince + patience)
    case .settling: return min(readers, due)
    case .draining: return min(readers, (terminatedAt ?? 0) + drainTime)
    case .over: return .max
    }
  }

  /// How long all open requests together may take.
  var patience: Int64 {
    Int64((scenario.terms.requestSeconds + 6) * (scenario.faults.slowLine.isEmpty ? 1 : 4)) * 1_000_000_000
  }
  private var drainTime: Int64 { Int64(scenario.terms.graceSeconds + 3) * 1_000_000_000 }

  /// The earliest time at which a regd that still runs was asked to stop, or nil if no regd was.
  var terminatedAt: Int64? { daemons.lazy.filter { !$0.isOver }.compactMap(\.terminatedAt).min() }
  var isUp: Bool { daemons.allSatisfy { $0.isUp || $0.returnsAt != nil } }
  var isQuiet: Bool { callers.allSatisfy { $0.isIdle || !$0.isOpen } }

  private func turn() {
    if let daemon = daemons.first(where: { ($0.returnsAt ?? .max) <= simulated_now() }) { return bringBack(daemon) }
    let busy = callers.filter(\.wantsTurn)
    let isDue = phase == .acting && due <= simulated_now()
    if let caller = busy.isEmpty || (isDue && chance.once(in: 4)) ? nil : chance.one(of: busy) { return serve(caller) }
    switch phase {
    case .acting: actNext()
    case .quieting: quieten()
    case .probing: if simulated_now() >= quietSince + patience { tooLate() }
    case .settling: beginQuiet()
    case .draining:
      hold(.ends, false, "regd was told to stop \(simulated_now() - (terminatedAt ?? 0)) ns ago, and runs")
    case .over: break
    }
  }

  private func actNext() {
    guard let action = plan.last else { return beginSettling() }
    // actions that call regd wait until it is up
    guard daemons.contains(where: \.isUp) || action.isOfProcess else {
      due = simulated_now() + 1_000_000
      return
    }
    plan.removeLast()
    due = simulated_now() + (plan.last?.pause ?? 0)
    Transcript.only.note("action \(action.number) \(action.kind)")
    var own = Chance(seed: action.seed, purpose: 6)
    act(action.kind, &own)
  }
}
