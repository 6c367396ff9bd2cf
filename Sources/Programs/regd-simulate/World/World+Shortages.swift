internal import CSimulation

/// How often, and when last, the machine lacked descriptors or memory.
struct Shortages {
  private(set) var descriptors = (met: Int64(0), last: Int64(-1))
  private(set) var memory = (met: Int64(0), last: Int64(-1))

  /// - Returns: How often a descriptor and memory were lacking since the last call.
  mutating func look() -> (descriptors: Int64, memory: Int64) {
    (Self.look(&descriptors, SIMULATED_DESCRIPTORS), Self.look(&memory, SIMULATED_MEMORY))
  }

  private var refusedLocks = Int64(0)

  /// - Returns: How often another program had the database's lock since the last call.
  mutating func lookAtLock() -> Int64 {
    let refused = simulated_disk_refused_locks()
    defer { refusedLocks = refused }
    return refused - refusedLocks
  }

  private static func look(_ known: inout (met: Int64, last: Int64), _ resource: simulated_resource) -> Int64 {
    let met = simulated_lacked(resource)
    defer { known.met = met }
    if met > known.met { known.last = simulated_now() }
    return met - known.met
  }
}

extension World {
  func watchShortages() {
    let (descriptors, memory) = shortages.look()
    tally.met(.noDescriptor, descriptors)
    tally.met(.noMemory, memory)
    tally.met(.foreignLock, shortages.lookAtLock())
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
    let daemon = anyDaemon(&chance)
    tally.met(.paused)
    daemon.wakesAt = simulated_now() + Int64(chance.within(1...60)) * 1_000_000_000
    player.pause(daemon.number, until: daemon.wakesAt)
    asks.paused(daemon.number, until: daemon.wakesAt)
  }

  func wake(_ daemon: SimulatedDaemon) {
    guard daemon.wakesAt > simulated_now() else { return }
    daemon.wakesAt = simulated_now()
    player.pause(daemon.number, until: daemon.wakesAt)
    asks.paused(daemon.number, until: daemon.wakesAt)
  }

  /// Whether a caller may have waited in the kernel's queue because regd had no descriptor for it.
  func hasWaited(_ caller: SimulatedCaller) -> Bool { shortages.descriptors.last >= caller.began }

  /// Checks that an error about regd itself, and not about the request, has a fault as its cause.
  func judgeFailure(_ reason: String, _ request: Request, _ caller: SimulatedCaller) {
    if reason.hasPrefix("store.") {
      hold(
        .comesUp, mayHaveFailed(at: caller.daemon, since: request.since),
        "\(request.method): \(reason) without a fault of the store")
    }
    if reason == "rpc.internal" {
      hold(.oneReply, shortages.memory.last >= request.since, "\(request.method): \(reason), and there was memory")
    }
  }
}
