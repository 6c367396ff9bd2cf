internal import CSimulation

/// The quiet phases, in which only an administrator (`Probe`) sends requests, and the end of the run.
extension Simulation {
  // MARK: Quiet, and probes

  func beginQuiet() {
    guard schedule.phase != .quieting, schedule.phase != .probing else { return }
    callers.readOn()
    for daemon in daemons.all { cluster.wake(daemon) }
    (schedule.phase, schedule.quietSince) = (.quieting, simulated_now())
  }

  func quieten() {
    guard callers.isQuiet else { return tooLate() }
    guard daemons.isUp else {
      if simulated_now() >= schedule.quietSince + schedule.patience {
        hold(.comesUp, false, "regd has not come up: \(daemons.all.map { String(describing: $0.process.end) })")
      }
      return
    }
    callers.closeHalfClosed()
    schedule.phase = .probing
    schedule.probe = Probe(seed: seed, cluster) { [unowned self] in probed() }
    schedule.probe?.begin()
  }

  func tooLate() {
    guard let caller = callers.all.first(where: { $0.isOpen && !$0.isIdle }) else { return }
    hold(
      caller.isAccepted || !faultLog.hasWaited(caller) ? .oneReply : .accepted, false,
      "caller \(caller.number) waits for \(caller.waiting.map { "\($0.method) \($0.id)" }), \(caller.batches), \(caller.nulls) nulls"
    )
  }

  /// Called by the probe at its end.
  func probed() {
    schedule.probe = nil
    if schedule.hasSettled { return beginDraining() }
    (schedule.phase, schedule.due) = (.acting, simulated_now())
  }

  // MARK: The end

  /// Ends all faults, after which regd must settle all waiting work.
  func beginSettling() {
    for daemon in daemons.all { cluster.wake(daemon) }
    upstream.set(.works)
    mails.set(.works)
    simulated_disk_fail_at(-1, 0, 0)
    simulated_disk_lock_until(0)
    player.slowLine = ""
    oracle.faultLog.hasSlowLine = false
    cluster.calm()
    schedule.hasSettled = true
    schedule.settle()
  }

  private func beginDraining() {
    (schedule.phase, schedule.isClosing) = (.draining, true)
    for _ in 0..<schedule.chance.within(0...3) { act(.register, &schedule.chance) }
    // some requests are sent, some are not
    for caller in callers.all where caller.hasOutgoing && schedule.chance.once(in: 2) {
      _ = caller.send(&schedule.chance)
    }
    cluster.terminate()
  }

  /// Ends the run with a search of the disk for erased addresses.
  func endErasing() {
    hold(.comesUp, daemons.isUp, "regd has not come up: \(daemons.all.map { String(describing: $0.process.end) })")
    erasureChecks.judge()
    schedule.phase = .over
  }
}
