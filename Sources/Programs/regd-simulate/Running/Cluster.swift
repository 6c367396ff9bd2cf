internal import CSimulation

/// Starts, stops and restarts the regd processes.
final class Cluster: Checking {
  enum Cause { case kill, power, atDisk, atStore, ended }

  let oracle: Oracle
  let player: Player
  let daemons: Daemons
  let callers: Callers
  let schedule: Schedule
  /// The ids of accounts that wait for the upstream, and whose latest request to it was by a regd that never runs
  /// again.
  private(set) var abandoned: Set<String> = []

  init(_ oracle: Oracle, _ player: Player, _ callers: Callers) {
    (self.oracle, self.player, self.callers) = (oracle, player, callers)
    (daemons, schedule) = (callers.daemons, callers.schedule)
  }

  // MARK: Starts and ends

  private func start(_ daemon: SimulatedDaemon) {
    simulated_lack(SIMULATED_MEMORY, 0)
    daemon.process.start()
  }

  func bringBack(_ daemon: SimulatedDaemon) {
    Transcript.only.note("regd \(daemon.number) is started again")
    daemon.returnsAt = nil
    start(daemon)
  }

  /// Ends a process of regd, and begins the next one.
  ///
  /// - Parameter later: When the next process is started, or nil for now.
  func restart(_ cause: Cause, _ daemon: SimulatedDaemon, at later: Int64? = nil) {
    Transcript.only.note("life \(daemons.lives) ends: \(cause)")
    let before = (simulated_disk_lost(), simulated_disk_torn())
    if case .atDisk = cause, !daemon.process.isReady { tally.met(.recoveryCut) }
    player.kill(daemon.number)
    asks.end(of: daemon.number)
    simulated_disk_restart(cause == .power ? SIMULATED_POWER : SIMULATED_KILL)
    tally.met(.lost, simulated_disk_lost() - before.0)
    tally.met(.torn, simulated_disk_torn() - before.1)
    callers.loseAll(of: daemon)
    daemons.lives += 1
    mails.beginLife(daemons.lives)
    oracle.doorway.beginUnderFile()
    oracle.faultLog.hasFailingDisk = false
    daemon.terminatedAt = nil
    schedule.restarted(daemon.number)
    // the next process may die during its recovery
    if cause != .ended, !schedule.hasSettled, daemons.all.count == 1, schedule.chance.once(in: 4) {
      simulated_disk_cut_at(
        Int32(schedule.chance.within(1...12)), schedule.chance.once(in: 2) ? SIMULATED_KILL : SIMULATED_POWER)
    }
    daemon.process = daemon.process.successor()
    daemon.returnsAt = later
    if later == nil { start(daemon) }
  }

  func terminate() {
    for daemon in daemons.all where daemon.isUp { terminate(daemon) }
  }

  func terminate(_ daemon: SimulatedDaemon) {
    guard daemon.terminatedAt == nil else { return }
    tally.met(.terminate)
    // callers that could not be accepted for lack of a descriptor are accepted and answered now
    simulated_lack(SIMULATED_DESCRIPTORS, 0)
    wake(daemon)
    daemon.terminatedAt = simulated_now()
    daemon.process.terminate()
  }

  private func ended(_ end: SimulatedProcess.End, _ daemon: SimulatedDaemon) {
    Transcript.only.note("the process has ended: \(end)")
    switch end {
    case .stopped:
      hold(.ends, daemon.terminatedAt != nil, "regd has stopped without being told to")
      for caller in callers.all where caller.daemon == daemon.number { callers.drained(caller) }
      if schedule.phase == .draining {
        daemon.isOver = true
        if daemons.all.allSatisfy({ $0.isOver || $0.returnsAt != nil }) { finish() }
        return
      }
    case .failed(let why): hold(.comesUp, faultLog.hasFailingDisk, "regd has ended by itself: \(why)")
    }
    restart(.ended, daemon)
  }

  /// Ends the run after all regd processes have stopped, or starts regd once more to erase addresses.
  private func finish() {
    guard scenario.hasErasure, let daemon = daemons.all.first else {
      schedule.phase = .over
      return
    }
    daemon.isOver = false
    simulated_set_wall(ErasureChecks.absence)
    schedule.erase()
    restart(.ended, daemon)
  }

  func wake(_ daemon: SimulatedDaemon) {
    guard daemon.wakesAt > simulated_now() else { return }
    daemon.wakesAt = simulated_now()
    player.pause(daemon.number, until: daemon.wakesAt)
    asks.paused(daemon.number, until: daemon.wakesAt)
  }

  // MARK: Faults

  /// Restarts the processes that have ended, or have met a fault that kills them.
  func watch() {
    if simulated_disk_is_cut() { restart(.atDisk, daemons.all[0]) }
    watchStore()
    for daemon in daemons.all where !daemon.isOver { if let end = daemon.process.end { ended(end, daemon) } }
  }

  /// Takes the faults and conflicts that only several regd processes can have.
  private func watchStore() {
    guard let rows else { return }
    for fault in rows.takeMet() {
      tally.met(fault)
      if fault != .storeSlow { oracle.faultLog.hadDiskFault = true }
    }
    for clash in asks.takeNews() { hold(.oneAtATime, clash == nil, clash ?? "") }
    if let number = rows.takeCut() { restart(.atStore, daemons.all[number]) }
  }

  /// Ends the faults of the shared store, and starts all regd processes that are down. Sometimes then kills one regd,
  /// which is never started again.
  func calm() {
    guard let rows else { return }
    rows.calm()
    for daemon in daemons.all where daemon.returnsAt != nil { daemon.returnsAt = simulated_now() }
    let up = daemons.all.filter(\.isUp)
    guard up.count > 1, schedule.chance.once(in: 2) else { return }
    let gone = schedule.chance.one(of: up)
    restart(.kill, gone, at: .max)
    let pending = Set(rows.pending)
    let last = Dictionary(asks.all.map { ($0.id, $0.daemon) }) { $1 }
    abandoned = Set(last.filter { pending.contains($0.key) && $0.value == gone.number }.keys)
  }
}
