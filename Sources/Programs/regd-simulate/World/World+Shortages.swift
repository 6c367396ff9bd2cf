internal import CSimulation

extension World {
  func watchShortages() {
    let (descriptors, memory) = oracle.faultLog.shortages.look()
    tally.met(.noDescriptor, descriptors)
    tally.met(.noMemory, memory)
    tally.met(.foreignLock, oracle.faultLog.shortages.lookAtLock())
    if let name = player.sleepless { hold(.accepted, false, "\(name) does not sleep") }
  }

  /// Suspends the machine. Several regd processes are on separate machines, so then only one regd is paused.
  func sleep(_ chance: inout Chance) {
    guard rows != nil else {
      tally.met(.asleep)
      let nanoseconds = Int64(chance.within(1...chance.one(of: [5, 60, 3600]))) * 1_000_000_000
      simulated_suspend(nanoseconds)
      upstream.pass(nanoseconds)
      // timers may count suspended time or not, so chance decides
      if chance.once(in: 2) { Stage.only.hasten(by: nanoseconds) }
      return
    }
    let daemon = daemons.anyDaemon(&chance)
    tally.met(.paused)
    daemon.wakesAt = simulated_now() + Int64(chance.within(1...60)) * 1_000_000_000
    player.pause(daemon.number, until: daemon.wakesAt)
    asks.paused(daemon.number, until: daemon.wakesAt)
  }
}
