internal import Localization
internal import RegdClient
internal import UserMessages

/// Checks whether the user is in regd's groups, and whether regd treats the user as an administrator.
enum AccessChecks {
  /// Finds groups that the user got after the session began: the user database has them, the session does not
  /// (credentials(7)).
  static func groups(_ facts: Facts) -> Finding? {
    let user = facts.user
    guard !user.isRoot else { return nil }
    let late = user.regdGroups.filter { user.groupsToBe.contains($0.value) && !user.groups.contains($0.value) }.keys
      .sorted()
    if let first = late.first {
      return .warning(
        said(.lateGroups, ["user": .text(user.name), "groups": .list(late, .and)]),
        type: Finding.typing("newgrp \(first)", .logInAgain))
    }
    let own = user.regdGroups.filter { user.groups.contains($0.value) }.keys.sorted()
    return .ok(said(own.isEmpty ? .noGroups : .groups, ["user": .text(user.name), "groups": .list(own, .and)]))
  }

  private static func said(
    _ key: DoctorAccessMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content>
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  static func administration(_ facts: Facts) -> Finding? {
    switch facts.daemon.status {
    case .result: return .ok(said(.administrator, ["user": .text(facts.user.name)]))
    case .refused(-32001, _, _):
      let group = facts.configuration.values["access.admin.groups"].split(separator: ",").first ?? "regd-admin"
      let asRoot = "sudo regctl doctor"
      let join = Finding.typing(asRoot, .orAddUser, ["command": "sudo usermod -aG \(group) \(facts.user.name)"])
      return .unknown(
        said(.noAdministrator, ["user": .text(facts.user.name)]),
        type: facts.user.regdGroups["\(group)"] == nil ? asRoot : join)
    case .refused(_, let message, _):
      return .problem(
        said(.refused, ["message": .text(message)]), type: "journalctl -u \(facts.daemon.unit) -n 50")
    case .none(let reason):
      guard case .result = facts.daemon.info else { return nil }
      return .problem(said(.refused, ["message": reason]), type: "journalctl -u \(facts.daemon.unit) -n 50")
    }
  }

  /// A finding if regd failed to give its status, for checks that need the status. Nil if regd gave it, was not asked,
  /// or does not show it to this user.
  static func statusIsMissing(_ facts: Facts) -> Finding? {
    guard case .result = facts.daemon.info else { return nil }
    switch facts.daemon.status {
    case .result, .refused(-32001, _, _): return nil
    case .refused(_, let message, _): return .unknown(said(.refused, ["message": .text(message)]))
    case .none(let reason): return .unknown(said(.refused, ["message": reason]))
    }
  }
}
