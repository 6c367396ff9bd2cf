internal import CSimulation
internal import Registration
internal import Synchronization

/// The part of a world in which several regd processes share a store.
extension World {
  static func makeDaemons(
    _ scenario: Scenario, _ backends: Backends, _ tally: Tally
  ) -> [SimulatedDaemon] {
    let log = SimulatedLog { [mails = backends.mails] line in
      Transcript.only.note("log: \(line)")
      if Leaks.isLeak(line) || mails.isTold(in: line) { Leaks.note(line) }
    }
    // A single regd whose configuration is not an operator's gets the upstream from the configuration, also at each
    // reload. In all other cases it comes from here.
    let isPut = scenario.network != .none && (scenario.daemons > 1 || scenario.own != nil)
    return (0..<scenario.daemons).map { number in
      let place = SimulatedProcess.Place(
        number: number,
        network: isPut ? SimulatedBackend(backends.upstream, AskingDaemon(number, backends.asks)) : nil,
        isOwn: scenario.own != nil, arguments: scenario.arguments, log: log, rows: backends.rows,
        skew: scenario.faults.skews[number])
      if place.skew != .zero { tally.met(.skewedClock) }
      return SimulatedDaemon(number, SimulatedProcess(place))
    }
  }

  // MARK: Which one

  /// The number of a regd that runs, or 0 if none runs. Uses `chance` only if several run.
  func anyUp(_ chance: inout Chance) -> Int {
    let up = daemons.filter(\.isUp)
    return up.count > 1 ? chance.one(of: up).number : up.first?.number ?? 0
  }

  func anyDaemon(_ chance: inout Chance) -> SimulatedDaemon { daemons[anyUp(&chance)] }

  // MARK: Acting

  func actOnSeveral(_ kind: Action.Kind, _ chance: inout Chance) {
    let daemon = anyDaemon(&chance)
    switch kind {
    case .storeMood: rows?.set(chance.one(of: SharedRows.Mood.allCases), for: daemon.number)
    case .killAtStore: rows?.cut(daemon.number, at: chance.within(1...6))
    default:
      // the others continue, and take over the work that this regd has left
      guard daemons.count(where: \.isUp) > 1 else { return }
      tally.met(.left)
      restart(.kill, daemon, at: simulated_now() + Int64(chance.below(60_000)) * 1_000_000)
    }
  }

  func bringBack(_ daemon: SimulatedDaemon) {
    Transcript.only.note("regd \(daemon.number) is started again")
    daemon.returnsAt = nil
    start(daemon)
  }

  /// Takes the faults and conflicts that only several regd processes can have.
  func watchSeveral() {
    guard let rows else { return }
    for fault in rows.takeMet() {
      tally.met(fault)
      if fault != .storeSlow { oracle.faultLog.hadDiskFault = true }
    }
    for clash in asks.takeNews() { hold(.oneAtATime, clash == nil, clash ?? "") }
    if let number = rows.takeCut() { restart(.atStore, daemons[number]) }
  }

  /// Ends the faults of the shared store, and starts all regd processes that are down. Sometimes then kills one regd,
  /// which is never started again.
  func calm() {
    guard let rows else { return }
    rows.calm()
    for daemon in daemons where daemon.returnsAt != nil { daemon.returnsAt = simulated_now() }
    let up = daemons.filter(\.isUp)
    guard up.count > 1, chance.once(in: 2) else { return }
    let gone = chance.one(of: up)
    restart(.kill, gone, at: .max)
    let pending = Set(rows.pending)
    let last = Dictionary(asks.all.map { ($0.id, $0.daemon) }) { $1 }
    abandoned = Set(last.filter { pending.contains($0.key) && $0.value == gone.number }.keys)
  }

  func endProbe() { probe = nil }
}
