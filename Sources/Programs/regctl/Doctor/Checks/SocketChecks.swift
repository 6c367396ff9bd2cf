internal import Localization
internal import RegctlCommandLine
internal import RegdClient

/// Checks whether callers reach regd.
enum SocketChecks {
  static func socket(_ facts: Facts) -> Finding? {
    let (socket, unit) = (facts.socket, facts.daemon.unit)
    switch (socket.connection, socket.file) {
    case (.accepted, _): return answer(facts)
    case (_, .missing):
      return .problem(
        said(.missing, ["socket": .text(socket.path)]), type: "systemctl start \(unit)")
    case (_, .hidden(let directory)):
      return .problem(
        said(.hidden, ["user": .text(facts.user.name), "directory": .text(directory)]), type: "sudo regctl doctor")
    case (_, .other(let kind)):
      return .problem(
        said(kind, ["socket": .text(socket.path)]),
        type: "mv \(socket.path) \(socket.path).old && systemctl restart \(unit)")
    case (.denied, .socket(let owner, let group, let permissions)): return denied(facts, owner, group, permissions)
    case (.refused, .socket):
      return .problem(
        said(.refused, ["socket": .text(socket.path)]),
        type: "systemctl restart \(unit)")
    case (.failed(let reason), .socket):
      return .problem(
        said(.failed, ["socket": .text(socket.path), "reason": reason]), type: "systemctl status \(unit)")
    }
  }

  private static func said(
    _ key: DoctorSocketMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  private static func answer(_ facts: Facts) -> Finding {
    switch facts.daemon.info {
    case .result(let info):
      return .ok(
        said(
          .answers, ["version": .text(info.shown("version")), "socket": .text(facts.socket.path)]))
    // every caller may ask for this, so that regd denies this user everything
    case .refused(-32001, let message, _):
      return .problem(
        said(.failed, ["socket": .text(facts.socket.path), "reason": .text(message)]),
        type: Finding.typing(
          "sudo editor \(facts.configuration.path)", .thenRestart,
          ["setting": "access.deny", "command": "sudo regctl reload"]))
    case .refused(_, let message, _):
      return .problem(
        said(.failed, ["socket": .text(facts.socket.path), "reason": .text(message)]),
        type: "journalctl -u \(facts.daemon.unit) -n 50")
    case .none(let reason):
      return .problem(
        said(.silent, ["socket": .text(facts.socket.path), "reason": reason]),
        type: "journalctl -u \(facts.daemon.unit) -n 50; systemctl restart \(facts.daemon.unit)")
    }
  }

  private static func denied(_ facts: Facts, _ owner: UInt32, _ group: UInt32, _ permissions: UInt32) -> Finding {
    let (user, name) = (facts.user, facts.user.groupName(group))
    func seen(_ key: DoctorSocketMessageKey) -> LocalizedMessage {
      said(
        key,
        [
          "socket": .text(facts.socket.path), "mode": "0\(String(permissions, radix: 8))", "group": .text(name),
          "user": .text(user.name),
        ])
    }
    guard permissions & 0o020 != 0 else {
      return .problem(seen(.groupMayNot), type: "grep -A3 '^socket:' \(facts.configuration.path)")
    }
    guard group != 0 else {
      return .problem(
        seen(.onlyRoot),
        type: Finding.typing(
          "editor \(facts.configuration.path)", .thenRestart,
          ["setting": "socket.group: regd", "command": "systemctl restart \(facts.daemon.unit)"]))
    }
    if user.groupsToBe.contains(group) {
      return .problem(seen(.notYetMember), type: "newgrp \(name)")
    }
    return .problem(
      seen(.notMember), type: Finding.typing("sudo usermod -aG \(name) \(user.name)", .andLogInAgain))
  }

  static func service(_ facts: Facts) -> Finding? {
    let (unit, state) = (facts.daemon.unit, facts.daemon.unitState)
    guard let active = state["ActiveState"], state["LoadState"] != "not-found" else { return nil }
    let restarts = Int(state["NRestarts"] ?? "") ?? 0
    switch active {
    case "failed":
      return .problem(
        said(.serviceFailed, ["unit": .text(unit), "result": .text(state["Result"] ?? "?")]),
        type: "journalctl -u \(unit) -n 20; systemctl reset-failed \(unit); systemctl start \(unit)")
    case "active" where restarts > 0:
      return .warning(
        said(.serviceRestarted, ["unit": .text(unit), "count": .number(restarts)]),
        type: "journalctl -u \(unit) -p warning")
    case "active", "reloading": return .ok(said(.serviceActive, ["unit": .text(unit)]))
    default:
      return .unknown(
        said(.serviceIs, ["unit": .text(unit), "state": .text(active)]), type: "systemctl status \(unit)")
    }
  }

  /// Judges by the rules of `LockFile` whether regd accepts the lock file.
  static func lock(_ facts: Facts) -> Finding? {
    guard let lock = facts.socket.lock else { return nil }
    let path = "\(facts.socket.path).lock"
    let advice = "mv \(path) \(path).old && systemctl restart \(facts.daemon.unit)"
    func seen(_ key: DoctorSocketMessageKey) -> LocalizedMessage {
      said(
        key,
        [
          "file": .text(path), "user": .text(facts.user.name), "owner": "\(lock.owner)",
          "directoryOwner": "\(lock.directoryOwner)",
        ])
    }
    if !lock.isRegular { return .problem(seen(.lockNotAFile), type: advice) }
    if lock.links != 1 { return .problem(seen(.lockSecondName), type: advice) }
    // a regd that listens has shown that it may take the lock
    if facts.socket.connection != .accepted, lock.owner != lock.directoryOwner, lock.owner != 0 {
      return .problem(seen(.lockOwner), type: advice)
    }
    guard let content = lock.content else {
      if facts.socket.connection == .accepted { return .ok(seen(.lockBeside)) }
      return .unknown(seen(.lockUnreadable))
    }
    let digits = content.hasSuffix("\n") ? content.dropLast() : content[...]
    guard content.isEmpty || content.utf8.count < 16 && digits.allSatisfy(\.isNumber) else {
      return .problem(seen(.lockContent), type: advice)
    }
    if lock.holderRuns == false { return .ok(seen(.lockLeft)) }
    return .ok(seen(.lock))
  }
}
