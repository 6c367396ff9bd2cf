internal import CSimulation

/// The faults so far, which excuse some of regd's errors.
struct FaultLog {
  /// Whether the disk fails for the present process of regd.
  var hasFailingDisk = false
  /// Whether the disk, or the shared store, has failed at any time.
  var hadDiskFault = false
  /// Whether a line of work is slow now.
  var hasSlowLine: Bool
  var shortages = Shortages()

  init(hasSlowLine: Bool) { self.hasSlowLine = hasSlowLine }

  mutating func failDisk() { (hasFailingDisk, hadDiskFault) = (true, true) }

  /// Whether a caller may have waited in the kernel's queue because regd had no descriptor for it.
  func hasWaited(_ caller: SimulatedCaller) -> Bool { shortages.descriptors.last >= caller.began }
}

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
