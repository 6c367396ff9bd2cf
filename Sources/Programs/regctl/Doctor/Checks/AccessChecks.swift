internal import RegdClient

/// Who may do what.
enum AccessChecks {
  /// A group that was given after the session began is in the database, and not in the session (credentials(7)).
  static func groups(_ facts: Facts) -> Finding? {
    let user = facts.user
    guard !user.isRoot else { return nil }
    let late = user.regdGroups.filter { user.groupsToBe.contains($0.value) && !user.groups.contains($0.value) }.keys
      .sorted()
    if let first = late.first {
      let names = late.joined(separator: " and ")
      return .warning(
        "\(user.name) is in \(names) by the machine's database, and not in this session, which began before",
        type: "newgrp \(first)   # or log in again")
    }
    let own = user.regdGroups.filter { user.groups.contains($0.value) }.keys.sorted()
    return .ok("\(user.name) is in \(own.isEmpty ? "none of regd's groups" : own.joined(separator: " and "))")
  }

  static func administration(_ facts: Facts) -> Finding? {
    switch facts.daemon.status {
    case .result: return .ok("\(facts.user.name) may administer")
    case .refused(-32001, _, _):
      let group = facts.configuration.values["access.admin.groups"].split(separator: ",").first ?? "regd-admin"
      return .unknown(
        "\(facts.user.name) is no administrator, and is not told how regd is",
        type: "sudo regctl doctor   # or sudo usermod -aG \(group) \(facts.user.name), and log in again")
    case .refused(_, let message, _):
      return .problem("daemon.status: \(message)", type: "journalctl -u \(facts.daemon.unit) -n 50")
    case .none: return nil
    }
  }
}
