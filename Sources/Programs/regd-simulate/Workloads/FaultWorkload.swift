internal import CSimulation

/// Causes the faults of the scenario: to the processes, the disk, the store, the machine, the upstream and the mail
/// system.
final class FaultWorkload: Workload {
  let oracle: Oracle
  let callers: Callers
  private let cluster: Cluster
  private var daemons: Daemons { cluster.daemons }

  init(_ cluster: Cluster) {
    (callers, oracle, self.cluster) = (cluster.callers, cluster.oracle, cluster)
  }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    switch kind {
    case .kill, .killAtDisk, .power, .powerAtDisk, .terminate, .diskFault, .readOnly: actOnProcess(kind, &chance)
    case .storeCondition, .killAtStore, .leave: actOnSeveral(kind, &chance)
    case .foreignLock:
      oracle.faultLog.hadDiskFault = true
      simulated_disk_lock_until(simulated_now() + Int64(chance.within(1...8000)) * 1_000_000)
    case .sleep: sleep(&chance)
    case .upstream: upstream.set(chance.one(of: SimulatedUpstream.Condition.allCases))
    case .mailCondition: mails.set(chance.once(in: 3) ? .works : chance.one(of: SimulatedMail.Condition.allCases))
    case .giveAway: upstream.giveAway(address(&chance).lowercased())
    case .wall:
      let isBack = chance.once(in: 2)
      tally.met(isBack ? .wallBack : .wallForward)
      simulated_set_wall(Int64(chance.below(7200)) * (isBack ? -1_000_000_000 : 1_000_000_000))
    case .noDescriptor: simulated_lack(SIMULATED_DESCRIPTORS, Int32(chance.within(1...3)))
    default:
      // only if all regd processes run, because a regd that starts ends if memory for a hash is missing
      if daemons.all.allSatisfy(\.isUp) { simulated_lack(SIMULATED_MEMORY, Int32(chance.within(1...3))) }
    }
  }

  private func actOnProcess(_ kind: Action.Kind, _ chance: inout Chance) {
    let operations = Int32(chance.once(in: 3) ? chance.within(1...60) : chance.within(1...12))
    switch kind {
    case .kill:
      tally.met(.kill)
      cluster.restart(.kill, daemons.anyDaemon(&chance))
    case .power:
      tally.met(.power)
      cluster.restart(.power, daemons.all[0])
    case .killAtDisk:
      tally.met(.killAtDisk)
      simulated_disk_cut_at(operations, SIMULATED_KILL)
    case .powerAtDisk:
      tally.met(.powerAtDisk)
      simulated_disk_cut_at(operations, SIMULATED_POWER)
    case .terminate: if daemons.terminatedAt == nil { cluster.terminate(daemons.anyDaemon(&chance)) }
    case .readOnly:
      oracle.faultLog.failDisk()
      tally.met(.readOnly)
      // SQLITE_IOERR_WRITE is what SQLite reports for a write that the kernel refuses with EROFS
      simulated_disk_fail_at(operations, 778, Int32(chance.within(2...60)))
    default:
      oracle.faultLog.failDisk()
      let fault = chance.one(of: [Fault.diskFull, .diskError, .syncError])
      tally.met(fault)
      // SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC
      simulated_disk_fail_at(operations, fault == .diskFull ? 13 : fault == .diskError ? 778 : 1034, 1)
    }
  }

  private func actOnSeveral(_ kind: Action.Kind, _ chance: inout Chance) {
    let daemon = daemons.anyDaemon(&chance)
    switch kind {
    case .storeCondition: rows?.set(chance.one(of: SharedRows.Condition.allCases), for: daemon.number)
    case .killAtStore: rows?.cut(daemon.number, at: chance.within(1...6))
    default:
      // the others continue, and take over the work that this regd has left
      guard daemons.all.count(where: \.isUp) > 1 else { return }
      tally.met(.left)
      cluster.restart(.kill, daemon, at: simulated_now() + Int64(chance.below(60_000)) * 1_000_000)
    }
  }

  /// Suspends the machine. Several regd processes are on separate machines, so then only one regd is paused.
  private func sleep(_ chance: inout Chance) {
    guard rows != nil else {
      tally.met(.asleep)
      let nanoseconds = Int64(chance.within(1...chance.one(of: [5, 60, 3600]))) * 1_000_000_000
      simulated_suspend(nanoseconds)
      upstream.pass(nanoseconds)
      // timers of the continuous clock may count suspended time or not, so chance decides
      if chance.once(in: 2) { Stage.only.hasten(by: nanoseconds) }
      return
    }
    let daemon = daemons.anyDaemon(&chance)
    tally.met(.paused)
    daemon.wakesAt = simulated_now() + Int64(chance.within(1...60)) * 1_000_000_000
    cluster.player.pause(daemon.number, until: daemon.wakesAt)
    asks.paused(daemon.number, until: daemon.wakesAt)
  }
}
