internal import CSimulation

/// The quiet phases, in which only an administrator (`Probe`) sends requests, and the end of the run.
extension World {
  // MARK: Quiet, and probes

  func beginQuiet() {
    guard phase != .quieting, phase != .probing else { return }
    for caller in callers { caller.readOn() }
    for daemon in daemons { wake(daemon) }
    (phase, quietSince) = (.quieting, simulated_now())
  }

  func quieten() {
    guard isQuiet else { return tooLate() }
    guard isUp else {
      if simulated_now() >= quietSince + patience {
        hold(.comesUp, false, "regd has not come up: \(daemons.map { String(describing: $0.process.end) })")
      }
      return
    }
    closeHalfClosed()
    phase = .probing
    probe = Probe(self)
    probe?.begin()
  }

  func tooLate() {
    guard let caller = callers.first(where: { $0.isOpen && !$0.isIdle }) else { return }
    hold(
      caller.isAccepted || !faultLog.hasWaited(caller) ? .oneReply : .accepted, false,
      "caller \(caller.number) waits for \(caller.waiting.map { "\($0.method) \($0.id)" }), \(caller.batches), \(caller.nulls) nulls"
    )
  }

  /// Called by the probe at its end.
  func probed() {
    probe = nil
    if hasSettled { return beginDraining() }
    (phase, due) = (.acting, simulated_now())
  }

  // MARK: The end

  /// Ends all faults, after which regd must settle all waiting work.
  func beginSettling() {
    for daemon in daemons { wake(daemon) }
    upstream.set(.works)
    mails.set(.works)
    simulated_disk_fail_at(-1, 0, 0)
    simulated_disk_lock_until(0)
    player.slowLine = ""
    oracle.faultLog.hasSlowLine = false
    calm()
    hasSettled = true
    settle()
  }

  /// Gives waiting registrations and requests in flight the time to end.
  func settle() {
    phase = .settling
    due = simulated_now() + Int64(scenario.terms.outboxSeconds + scenario.terms.requestSeconds + 15) * 1_000_000_000
  }

  private func beginDraining() {
    (phase, isClosing) = (.draining, true)
    for _ in 0..<chance.within(0...3) { act(.register, &chance) }
    // some requests are sent, some are not
    for caller in callers where caller.hasOutgoing && chance.once(in: 2) { _ = caller.send(&chance) }
    terminate()
  }

  private func terminate() {
    for daemon in daemons where daemon.isUp { terminate(daemon) }
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

  func ended(_ end: SimulatedProcess.End, _ daemon: SimulatedDaemon) {
    Transcript.only.note("the process has ended: \(end)")
    switch end {
    case .stopped:
      hold(.ends, daemon.terminatedAt != nil, "regd has stopped without being told to")
      for caller in callers where caller.daemon == daemon.number { drained(caller) }
      if phase == .draining {
        daemon.isOver = true
        if daemons.allSatisfy({ $0.isOver || $0.returnsAt != nil }) { phase = .over }
        return
      }
    case .failed(let why): hold(.comesUp, faultLog.hasFailingDisk, "regd has ended by itself: \(why)")
    }
    restart(.ended, daemon)
  }
}
