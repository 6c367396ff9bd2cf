internal import CSimulation
internal import Daemon

/// The printed lines about all runs.
struct Report {
  let tally: Tally
  let from: Int64

  init(tally: Tally, from: Int64) { (self.tally, self.from) = (tally, from) }

  func broken(_ seed: UInt64, _ actions: [Int]) {
    print("These \(actions.count) actions suffice:")
    print("  regd-simulate --seeds \(seed) --only \(actions.map(String.init).joined(separator: ",")) --transcript")
  }

  func whole(_ count: Int) {
    let milliseconds = max(1, Int(simulated_real_time() - from) / 1_000_000)
    print("\(count) seeds, \(tally.steps) steps: every promise was kept.")
    LastWords.warn("\(count * 10_000 / milliseconds) seeds in ten seconds")
  }

  /// - Returns: Whether each promise was checked, and each fault happened.
  func counts() -> Bool {
    var isWhole = true
    func tell(_ name: String, _ count: Int64) {
      print("  \(name) \(count)\(count == 0 ? "  NEVER MET" : "")")
      if count == 0 { isWhole = false }
    }
    print("promises, and how often each was held against what happened:")
    for promise in Promise.allCases { tell(promise.name, tally.count(promise)) }
    print("faults, and how often each happened:")
    for fault in Fault.allCases { tell(fault.name, tally.count(fault)) }
    return isWhole
  }
}
