internal import CSimulation
internal import Daemon
internal import Linux
internal import RegdClient

/// Prints the results of all runs.
struct Report {
  let tally: Tally
  let from: Int64

  /// The arguments of `--config` and `--minutes`, for the command that repeats a run.
  let config: String?
  let minutes: Int?
  let daemons: Int

  /// The operator's configuration, if one is simulated. The JSON report lists its settings that are not simulated as
  /// `notPlayed`, a name that programs may know.
  let own: OwnConfiguration?
  let isJSON: Bool

  /// - Parameter actions: The actions that suffice to break the promise, or nil if they were not searched for.
  func broken(_ seed: UInt64, _ promise: Promise?, _ actions: [Int]?) {
    if isJSON {
      return say([
        .init("broken", .string(promise?.name ?? "")), .init("seed", .number("\(seed)")),
        .init("article", .string(promise?.article ?? "")), .init("sentence", .string(promise?.sentence ?? "")),
        .init("actions", .array((actions ?? []).map { .number("\($0)") })),
      ])
    }
    guard let actions else { return }
    print(actions.count == 1 ? "This action suffices:" : "These \(actions.count) actions suffice:")
    let given = [
      config.map { " --config \($0)" }, minutes.map { " --minutes \($0)" }, daemons > 1 ? " --daemons \(daemons)" : nil,
    ].compactMap { $0 }.joined()
    let numbers = actions.map(String.init).joined(separator: ",")
    // the whole path, because regctl may have started a simulator that is not in PATH
    print("  \(ThisProcess.program)\(given) --seeds \(seed) --only \(numbers) --transcript")
  }

  func whole(_ count: Int) {
    if isJSON { return say([.init("seeds", .number("\(count)")), .init("steps", .number("\(tally.steps)"))]) }
    let milliseconds = max(1, Int(simulated_real_time() - from) / 1_000_000)
    print("\(Self.counted(count, "seed")), \(Self.counted(Int(tally.steps), "step")): every promise was kept.")
    LastWords.warn("\(Self.counted(count * 10_000 / milliseconds, "seed")) in ten seconds")
  }

  /// A number with its noun, in the plural unless it is one.
  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private func say(_ members: [JSONValue.Member]) {
    let left = JSONValue.Member("notPlayed", .array((own?.notPlayed ?? []).map { .string($0) }))
    print(JSONValue.object(members + [left]).text)
  }

  /// Prints the counts.
  ///
  /// - Returns: Whether each promise was checked, and each fault happened, at least once.
  func counts() -> Bool {
    var isWhole = true
    func tell(_ name: String, _ count: Int64) {
      print("  \(name) \(count)\(count == 0 ? "  NEVER MET" : "")")
      if count == 0 { isWhole = false }
    }
    print("Promises, and how often each was checked:")
    let isPlain = AdmissionRules.isPlain(daemons: daemons, own)
    let others = (daemons > 1 ? [] : Promise.ofSeveral).union(isPlain ? Promise.ofAdmission : [])
    for promise in Promise.allCases where !others.contains(promise) { tell(promise.name, tally.count(promise)) }
    print("Faults, and how often each occurred:")
    let never = (daemons > 1 ? Fault.ofTheDisk : Fault.ofSeveral).union(isPlain ? Fault.ofAdmission : [])
    for fault in Fault.allCases where !never.contains(fault) { tell(fault.name, tally.count(fault)) }
    return isWhole
  }
}
