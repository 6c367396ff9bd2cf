internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Checks the configuration, and whether regd runs with it.
enum ConfigurationChecks {
  static func file(_ facts: Facts) -> Finding? {
    let path = facts.configuration.path
    switch facts.configuration.check {
    case .good: return .ok(said(.good, ["file": .text(path)]))
    case .defaults: return .ok(said(.defaults, ["file": .text(path)]))
    case .bad(let problems):
      return .problem(
        said(.problems, ["problems": .text(problems)]), type: "editor \(path); regd --check-config --config \(path)")
    case .notDone(let reason):
      return .unknown(said(.notChecked, ["file": .text(path), "reason": reason]), type: "sudo regctl doctor")
    }
  }

  static func reload(_ facts: Facts) -> Finding? {
    // there is no file to read again
    if facts.configuration.check == .defaults { return nil }
    let path = facts.configuration.path
    switch facts.daemon.dryRun {
    case .result(let result):
      let changed = (result["changed"]?.array ?? []).map { $0.string ?? $0["key"]?.string ?? $0.text }
      if changed.isEmpty { return .ok(said(.same, ["file": .text(path)])) }
      return .warning(said(.differs, ["file": .text(path), "keys": .list(changed)]), type: "regctl reload")
    // an earlier regd lacks the method (-32601) or the dry run (-32602)
    case .refused(let code, let message, let problems):
      if code == -32001 { return nil }
      guard [-32601, -32602].contains(code) else {
        let reasons = problems.isEmpty ? message : problems.joined(separator: "; ")
        return .problem(
          said(.reloadRefused, ["file": .text(path), "reasons": .text(reasons)]), type: "regctl reload --dry-run")
      }
      return byTime(facts)
    case .none: return nil
    }
  }

  private static func byTime(_ facts: Facts) -> Finding {
    let configuration = facts.configuration
    guard let modified = configuration.modified, let loaded = configuration.loaded else {
      return .unknown(said(.notTold, ["file": .text(configuration.path)]))
    }
    guard modified > loaded else { return .ok(said(.older, ["file": .text(configuration.path)])) }
    return .warning(
      said(.changed, ["file": .text(configuration.path), "seconds": .number(modified - loaded)]),
      type: "systemctl restart \(facts.daemon.unit)")
  }

  private static func said(
    _ key: DoctorConfigurationMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  static func rehearsal(_ facts: Facts) -> Finding? {
    guard let info = facts.daemon.info.result else { return nil }
    let restart = "systemctl restart \(facts.daemon.unit)"
    let edit = "editor \(facts.configuration.path)"
    if let environment = info["environment"] {
      return .warning(
        said(.environment, ["name": .text(environment.shown("name"))]),
        type: Finding.typing(edit, .withoutEnvironment, ["command": .text(restart)]))
    }
    if let network = info["network"]?["backend"]?.string, !["none", "http"].contains(network) {
      return .warning(
        said(.network, ["backend": .text(network)]),
        type: Finding.typing(edit, .networkThenRestart, ["command": .text(restart)]))
    }
    if info["store"]?["backend"]?.string == "memory" {
      return .warning(
        said(.memory),
        type: Finding.typing(
          edit, .thenRestart, ["setting": "store.backend: sqlite", "command": .text(restart)]))
    }
    return nil
  }

  static func approval(_ facts: Facts) -> Finding? {
    let values = facts.configuration.values
    guard values["registration.approval"] != "none", !values["registration.approvedDomains"].isEmpty,
      values["registration.verification"] == "none"
    else { return nil }
    return .warning(
      said(.approvalUnverified),
      type: Finding.typing(
        "editor \(facts.configuration.path)", .thenRestart,
        ["setting": "registration.verification: required", "command": "regctl reload"]))
  }
}
