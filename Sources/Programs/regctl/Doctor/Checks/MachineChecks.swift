internal import RegdClient

/// What the machine gives to regd.
enum MachineChecks {
  private static let day = 86_400

  static func clock(_ facts: Facts) -> Finding? {
    let machine = facts.machine
    let advice = "timedatectl; timedatectl set-ntp true"
    if machine.now + day < machine.programBuilt {
      return .problem(
        "the clock is \((machine.programBuilt - machine.now) / day) days before this program was made", type: advice)
    }
    if let newest = facts.places.compactMap(\.newest).max(), newest > machine.now + 60 {
      return .problem("the clock is \(newest - machine.now) s before the store's last change", type: advice)
    }
    switch machine.isClockSynchronized {
    case true: return .ok("the clock is kept by a time server")
    case false:
      return .warning("no time server keeps the clock; waits, the audit and certificates go by it", type: advice)
    case nil: return .unknown("the kernel does not say whether the clock is kept", type: "timedatectl")
    }
  }

  static func processors(_ facts: Facts) -> Finding? {
    guard facts.daemon.pid != nil else { return nil }
    let machine = facts.machine
    let advice = "systemctl edit \(facts.daemon.unit)   # CPUQuota="
    if machine.periods > 100, machine.throttledPeriods * 10 > machine.periods {
      let share = machine.throttledPeriods * 100 / machine.periods
      return .warning(
        "regd's control group had to wait for its share of the processors in \(share) % of its time", type: advice)
    }
    guard let quota = machine.processorQuota else { return .ok("no control group bounds regd's time") }
    if quota < 1 {
      return .warning(
        "regd may have \(Int(quota * 100)) % of one processor: each hash takes that much longer", type: advice)
    }
    return .ok("regd may have \(Int(quota * 100)) % of a processor")
  }

  /// As regd's start counts: hashing may have half of what regd may use.
  static func memory(_ facts: Facts) -> Finding? {
    guard let workers = facts.daemon.status.result?["hashing"]?["workers"]?.integer else { return nil }
    let machine = facts.machine
    let each = Int(facts.configuration.values["hashing.memoryKiB"]) ?? 19_456
    let (needed, allowed) = (workers * each, min(machine.memoryLimitKiB ?? .max, machine.memoryTotalKiB))
    let seen = "\(workers == 1 ? "a hash takes" : "\(workers) hashes at once take") \(needed / 1024) MiB"
    if machine.outOfMemoryKills > 0 {
      return .problem(
        "the kernel has killed in regd's control group for want of memory, \(machine.outOfMemoryKills) times",
        type: "systemctl edit \(facts.daemon.unit)   # MemoryMax=")
    }
    if needed * 2 > allowed {
      return .problem(
        "\(seen), more than half of the \(allowed / 1024) MiB that regd may use: its next start is refused",
        type:
          "editor \(facts.configuration.path)   # hashing.workers; or systemctl edit \(facts.daemon.unit) for MemoryMax="
      )
    }
    if needed > machine.memoryAvailableKiB {
      return .warning("\(seen), and the machine has \(machine.memoryAvailableKiB / 1024) MiB left", type: "free -m")
    }
    return .ok("\(seen) of \(allowed / 1024) MiB")
  }

  /// What regd needs beside its connections: the store, the event loops, callers that are being refused.
  private static let ownDescriptors = 128

  static func descriptors(_ facts: Facts) -> Finding? {
    guard facts.daemon.pid != nil, let limits = facts.daemon.info.result?["limits"] else { return nil }
    guard let limit = facts.daemon.descriptorLimit, let connections = limits["connections"]?.integer else {
      return .unknown("the limit of regd's open files cannot be seen", type: "sudo regctl doctor")
    }
    let needed = connections + ownDescriptors
    if limit < needed {
      return .warning(
        "regd may have \(limit) open files, and limits.connections needs \(needed)",
        type: "systemctl edit \(facts.daemon.unit)   # LimitNOFILE=\(needed)")
    }
    return .ok("regd may have \(limit) open files, and needs \(needed)")
  }
}
