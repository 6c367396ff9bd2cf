internal import Localization
internal import RegdClient

/// Checks the resources that the machine gives to regd.
enum MachineChecks {
  private static let day = 86_400

  static func clock(_ facts: Facts) -> Finding? {
    let machine = facts.machine
    let advice = "timedatectl; timedatectl set-ntp true"
    if machine.now + day < machine.programBuilt {
      return .problem(
        said(.clockBeforeProgram, ["days": .number((machine.programBuilt - machine.now) / day)]), type: advice)
    }
    if let newest = facts.places.compactMap(\.newest).max(), newest > machine.now + 60 {
      return .problem(said(.clockBeforeStore, ["seconds": .number(newest - machine.now)]), type: advice)
    }
    switch machine.isClockSynchronized {
    case true: return .ok(said(.clockKept))
    case false: return .warning(said(.clockNotKept), type: advice)
    case nil: return .unknown(said(.clockUnknown), type: "timedatectl")
    }
  }

  private static func said(
    _ key: DoctorMachineMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  static func processors(_ facts: Facts) -> Finding? {
    guard facts.daemon.pid != nil else { return nil }
    let machine = facts.machine
    let advice = "systemctl edit \(facts.daemon.unit)   # CPUQuota="
    if machine.periods > 100, machine.throttledPeriods * 10 > machine.periods {
      let share = machine.throttledPeriods * 100 / machine.periods
      return .warning(said(.throttled, ["percent": .number(share)]), type: advice)
    }
    guard let quota = machine.processorQuota else { return .ok(said(.unbounded)) }
    if quota < 1 {
      return .warning(said(.partOfProcessor, ["percent": .number(Int(quota * 100))]), type: advice)
    }
    return .ok(said(.processors, ["percent": .number(Int(quota * 100))]))
  }

  /// Applies the same rule as regd at startup: hashing may take at most half of regd's memory.
  static func memory(_ facts: Facts) -> Finding? {
    guard let workers = facts.daemon.status.result?["hashing"]?["workers"]?.integer else {
      return AccessChecks.statusIsMissing(facts)
    }
    let machine = facts.machine
    let each = Int(facts.configuration.values["hashing.memoryKiB"]) ?? 19_456
    let (needed, allowed) = (workers * each, min(machine.memoryLimitKiB ?? .max, machine.memoryTotalKiB))
    func hashes(_ key: DoctorMachineMessageKey) -> LocalizedMessage {
      said(
        key,
        [
          "count": .number(workers), "needed": .number(needed / 1024), "allowed": .number(allowed / 1024),
          "left": .number(machine.memoryAvailableKiB / 1024),
        ])
    }
    if machine.outOfMemoryKills > 0 {
      return .problem(
        said(.killed, ["count": .number(machine.outOfMemoryKills)]),
        type: "systemctl edit \(facts.daemon.unit)   # MemoryMax=")
    }
    if needed * 2 > allowed {
      return .problem(
        hashes(.hashesTooMany),
        type: Finding.typing(
          "editor \(facts.configuration.path)", .workersOrMemory,
          ["command": "systemctl edit \(facts.daemon.unit)"]))
    }
    if needed > machine.memoryAvailableKiB {
      return .warning(hashes(.hashesLow), type: "free -m")
    }
    return .ok(hashes(.hashes))
  }

  /// Descriptors that regd needs besides its connections: for the store, the event loops, callers that are being
  /// refused.
  private static let ownDescriptors = 128

  static func descriptors(_ facts: Facts) -> Finding? {
    guard facts.daemon.pid != nil, let limits = facts.daemon.info.result?["limits"] else { return nil }
    guard let limit = facts.daemon.descriptorLimit, let connections = limits["connections"]?.integer else {
      return .unknown(said(.filesUnknown), type: "sudo regctl doctor")
    }
    let needed = connections + ownDescriptors
    if limit < needed {
      return .warning(
        said(.filesTooFew, ["limit": .number(limit), "needed": .number(needed)]),
        type: "systemctl edit \(facts.daemon.unit)   # LimitNOFILE=\(needed)")
    }
    return .ok(said(.files, ["limit": .number(limit), "needed": .number(needed)]))
  }
}
