internal import CSimulation
internal import Synchronization

/// One run: regd and everything around it, on one thread, in turns that the schedule decides.
final class Simulation: Checking {
  let seed: UInt64
  let oracle: Oracle
  let player: Player
  let schedule: Schedule
  let daemons: Daemons
  let callers: Callers
  let cluster: Cluster
  private let workloads: Workloads

  init(_ parameters: RunParameters, tally: Tally, only: [Int]?) {
    seed = parameters.seed
    let scenario = parameters.scenario
    let backends = Backends(seed: seed, scenario)
    oracle = Oracle(scenario, backends, tally)
    player = Player(seed: seed)
    player.slowLine = scenario.faults.slowLine
    schedule = Schedule(parameters, only: only)
    SimulatedBackend.current.withLock { [upstream = backends.upstream] in $0 = upstream }
    SimulatedMailBackend.current.withLock { [mails = backends.mails] in $0 = mails }
    daemons = Daemons(scenario, backends, tally)
    callers = Callers(oracle, daemons, schedule)
    cluster = Cluster(oracle, player, callers)
    workloads = Workloads(seed: seed, cluster)
    if !scenario.faults.slowLine.isEmpty { tally.met(.slowLane) }
  }

  // MARK: Playing

  /// Plays until the end, or until a promise is broken.
  func play(atMost steps: Int) {
    for daemon in daemons.all { daemon.process.start() }
    let outside = Player.Outside(next: { [unowned self] in next }, play: { [unowned self] in turn() })
    while schedule.phase != .over, oracle.broken == nil {
      guard player.steps < steps else {
        return hold(
          .inTime, false,
          "nothing came to an end in \(steps) steps; \(schedule.phase), \(callers.all.map(\.waiting.count))")
      }
      let goesOn = player.step(outside)
      watch()
      if !goesOn, schedule.phase != .over { hold(.inTime, false, "nothing will ever happen again") }
    }
    tally.stepped(player.steps)
  }

  /// Checks the new output of each step.
  private func watch() {
    for fault in upstream.takeMet() { tally.met(fault) }
    mailChecks.watch()
    if let line = Leaks.found.withLock({ $0 }) { hold(.secrets, false, "the log says \(line)") }
    watchShortages()
    cluster.watch()
  }

  private func watchShortages() {
    let (descriptors, memory) = oracle.faultLog.shortages.look()
    tally.met(.noDescriptor, descriptors)
    tally.met(.noMemory, memory)
    tally.met(.foreignLock, oracle.faultLog.shortages.lookAtLock())
    if let name = player.sleepless { hold(.accepted, false, "\(name) does not sleep") }
  }

  /// When the next turn outside regd is due.
  private var next: Int64 { min(nextTurn, daemons.all.lazy.compactMap(\.returnsAt).min() ?? .max) }

  private var nextTurn: Int64 {
    if callers.all.contains(where: \.wantsTurn) { return 0 }
    let readers = callers.all.lazy.map(\.goesOn).min() ?? .max
    switch schedule.phase {
    case .acting: return min(readers, schedule.due)
    case .quieting, .probing:
      return min(
        readers, callers.isQuiet && daemons.isUp && schedule.probe == nil ? 0 : schedule.quietSince + schedule.patience)
    case .settling, .erasing: return min(readers, schedule.due)
    case .draining: return min(readers, (daemons.terminatedAt ?? 0) + schedule.drainTime)
    case .over: return .max
    }
  }

  private func turn() {
    if let daemon = daemons.all.first(where: { ($0.returnsAt ?? .max) <= simulated_now() }) {
      return cluster.bringBack(daemon)
    }
    let busy = callers.all.filter(\.wantsTurn)
    let isDue = schedule.phase == .acting && schedule.due <= simulated_now()
    if let caller = busy.isEmpty || (isDue && schedule.chance.once(in: 4)) ? nil : schedule.chance.one(of: busy) {
      return callers.serve(caller)
    }
    switch schedule.phase {
    case .acting: actNext()
    case .quieting: quieten()
    case .probing: if simulated_now() >= schedule.quietSince + schedule.patience { tooLate() }
    case .settling: beginQuiet()
    case .draining:
      hold(.ends, false, "regd was told to stop \(simulated_now() - (daemons.terminatedAt ?? 0)) ns ago, and runs")
    case .erasing: endErasing()
    case .over: break
    }
  }

  private func actNext() {
    guard let action = schedule.nextAction else { return beginSettling() }
    // actions that call regd wait until it is up
    guard daemons.all.contains(where: \.isUp) || action.isOfProcess else {
      schedule.due = simulated_now() + 1_000_000
      return
    }
    schedule.takeAction()
    Transcript.only.note("action \(action.number) \(action.kind)")
    var own = Chance(seed: action.seed, purpose: 6)
    act(action.kind, &own)
  }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let workload = workloads.workload(of: kind) else { return beginQuiet() }
    workload.act(kind, &chance)
  }
}
