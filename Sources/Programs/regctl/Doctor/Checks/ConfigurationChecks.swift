internal import RegdClient

/// What regd was told, and whether it runs by it.
enum ConfigurationChecks {
  static func file(_ facts: Facts) -> Finding? {
    let path = facts.configuration.path
    switch facts.configuration.check {
    case .good: return .ok("\(path) is good")
    case .bad(let problems): return .problem(problems, type: "editor \(path); regd --check-config --config \(path)")
    case .notDone(let reason): return .unknown("\(path) is not checked: \(reason)", type: "sudo regctl doctor")
    }
  }

  static func reload(_ facts: Facts) -> Finding? {
    let path = facts.configuration.path
    switch facts.daemon.dryRun {
    case .result(let result):
      let changed = (result["changed"]?.array ?? []).map { $0.string ?? $0["key"]?.string ?? $0.text }
      if changed.isEmpty { return .ok("regd runs by \(path) as it is") }
      return .warning("\(path) differs from what runs: \(changed.joined(separator: ", "))", type: "regctl reload")
    // -32601: an earlier regd has no such method; -32602: or none that only tries
    case .refused(let code, let message, let problems):
      if code == -32001 { return nil }
      guard [-32601, -32602].contains(code) else {
        let reasons = problems.isEmpty ? message : problems.joined(separator: "; ")
        return .problem("a reload of \(path) would be refused: \(reasons)", type: "regctl reload --dry-run")
      }
      return byTime(facts)
    case .none: return nil
    }
  }

  private static func byTime(_ facts: Facts) -> Finding {
    let configuration = facts.configuration
    guard let modified = configuration.modified, let loaded = configuration.loaded else {
      return .unknown("this regd does not tell whether \(configuration.path) differs from what runs")
    }
    guard modified > loaded else { return .ok("\(configuration.path) is older than the start of regd") }
    return .warning(
      "\(configuration.path) was changed after regd was started, \(modified - loaded) s later",
      type: "systemctl restart \(facts.daemon.unit)")
  }

  static func rehearsal(_ facts: Facts) -> Finding? {
    guard let info = facts.daemon.info.result else { return nil }
    let restart = "systemctl restart \(facts.daemon.unit)"
    if let environment = info["environment"] {
      return .warning(
        "regd plays the environment \(environment["name"]?.string ?? "?"), which is for rehearsing",
        type: "editor \(facts.configuration.path)   # without the section environment; then \(restart)")
    }
    if let network = info["network"]?["backend"]?.string, !["none", "http"].contains(network) {
      return .warning(
        "network.backend is \(network), which is for rehearsing",
        type: "editor \(facts.configuration.path)   # network.backend: none, or http; then \(restart)")
    }
    if info["store"]?["backend"]?.string == "memory" {
      return .warning(
        "store.backend is memory: every account is gone when regd ends",
        type: "editor \(facts.configuration.path)   # store.backend: sqlite; then \(restart)")
    }
    return nil
  }
}
