/// Which faults a run has, decided by its seed. Their times are the times of the run's actions.
struct FaultPlan {
  let hasProcessFaults: Bool
  let hasDiskFaults: Bool
  let hasClockFaults: Bool
  let hasMachineFaults: Bool
  /// Whether there are rare faults: a disk that is read-only for a while, a database that another program has locked, a
  /// machine that sleeps.
  let hasRareFaults: Bool
  /// The name of a line of work that is slow, or empty if no line is slow.
  let slowLine: String
  /// How far the clock of each regd is ahead.
  private(set) var skews: [Duration] = []

  /// - Parameter chance: The random numbers of the scenario. Their order decides what a seed means.
  init(seed: UInt64, daemons: Int, _ chance: inout Chance) {
    hasProcessFaults = !chance.once(in: 4)
    let hasDiskFaults = chance.once(in: 4)
    self.hasDiskFaults = hasDiskFaults && daemons == 1
    let hasClockFaults = chance.once(in: 8)
    slowLine = chance.once(in: 6) ? chance.one(of: ["regd-sqlite", "regd-sqlite-r", "regd-hash", "regd-texts"]) : ""
    // both purposes are chosen so that the seeds in older tests, written before there were such faults, still play the
    // same
    var machine = Chance(seed: seed, purpose: 21)
    hasMachineFaults = machine.once(in: 4)
    var rare = Chance(seed: seed, purpose: 22)
    hasRareFaults = rare.once(in: 4)
    self.hasClockFaults = hasClockFaults || hasRareFaults
  }

  /// Decides how far the clocks of the regd processes differ. The first clock is right.
  mutating func skewClocks(of daemons: Int, _ chance: inout Chance) {
    skews = (0..<daemons).map { $0 > 0 && chance.once(in: 2) ? .seconds(chance.within(-5...5)) : .zero }
  }
}
