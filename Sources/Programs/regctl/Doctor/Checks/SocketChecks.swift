internal import RegdClient

/// Whether regd is reached.
enum SocketChecks {
  static func socket(_ facts: Facts) -> Finding? {
    let (socket, unit) = (facts.socket, facts.daemon.unit)
    switch (socket.connection, socket.file) {
    case (.accepted, _): return answer(facts)
    case (_, .missing):
      return .problem(
        "there is no \(socket.path): regd does not run, or listens elsewhere", type: "systemctl start \(unit)")
    case (_, .hidden(let directory)):
      return .problem("\(facts.user.name) may not enter \(directory)", type: "sudo regctl doctor")
    case (_, .other(let kind)):
      return .problem(
        "\(socket.path) is a \(kind), and no socket; regd leaves it alone and does not start",
        type: "mv \(socket.path) \(socket.path).old && systemctl restart \(unit)")
    case (.denied, .socket(let owner, let group, let permissions)): return denied(facts, owner, group, permissions)
    case (.refused, .socket):
      return .problem(
        "\(socket.path) is there, and no process listens: regd has ended without removing it, and takes it over at its start",
        type: "systemctl restart \(unit)")
    case (.failed(let reason), .socket):
      return .problem("\(socket.path): \(reason)", type: "systemctl status \(unit)")
    }
  }

  private static func answer(_ facts: Facts) -> Finding {
    switch facts.daemon.info {
    case .result(let info):
      return .ok("regd \(info["version"]?.string ?? "?") answers on \(facts.socket.path)")
    case .refused(_, let message, _):
      return .problem("\(facts.socket.path): \(message)", type: "journalctl -u \(facts.daemon.unit) -n 50")
    case .none(let reason):
      return .problem(
        "\(facts.socket.path) accepts connections, and does not answer: \(reason)",
        type: "journalctl -u \(facts.daemon.unit) -n 50; systemctl restart \(facts.daemon.unit)")
    }
  }

  private static func denied(_ facts: Facts, _ owner: UInt32, _ group: UInt32, _ permissions: UInt32) -> Finding {
    let (user, name) = (facts.user, facts.user.groupName(group))
    let seen = "\(facts.socket.path) has mode 0\(String(permissions, radix: 8)) and group \(name)"
    guard permissions & 0o020 != 0 else {
      return .problem("\(seen): its group may not connect", type: "grep -A3 '^socket:' \(facts.configuration.path)")
    }
    guard group != 0 else {
      return .problem(
        "\(seen): only root may connect",
        type: "editor \(facts.configuration.path)   # socket.group: regd; then systemctl restart \(facts.daemon.unit)")
    }
    if user.groupsToBe.contains(group) {
      return .problem(
        "\(seen); \(user.name) is a member, but was not when this session began", type: "newgrp \(name)")
    }
    return .problem(
      "\(seen), in which \(user.name) is not", type: "sudo usermod -aG \(name) \(user.name)   # and log in again")
  }

  static func service(_ facts: Facts) -> Finding? {
    let (unit, state) = (facts.daemon.unit, facts.daemon.unitState)
    guard let active = state["ActiveState"], state["LoadState"] != "not-found" else { return nil }
    let restarts = Int(state["NRestarts"] ?? "") ?? 0
    switch active {
    case "failed":
      return .problem(
        "\(unit) has failed (\(state["Result"] ?? "?"))",
        type: "journalctl -u \(unit) -n 20; systemctl reset-failed \(unit); systemctl start \(unit)")
    case "active" where restarts > 0:
      return .warning("\(unit) runs, and was restarted \(restarts) times", type: "journalctl -u \(unit) -p warning")
    case "active", "reloading": return .ok("\(unit) is active")
    default: return .unknown("\(unit) is \(active)", type: "systemctl status \(unit)")
    }
  }

  /// By the rules of `LockFile`: which files regd does not take.
  static func lock(_ facts: Facts) -> Finding? {
    guard let lock = facts.socket.lock else { return nil }
    let path = "\(facts.socket.path).lock"
    let advice = "mv \(path) \(path).old && systemctl restart \(facts.daemon.unit)"
    func bad(_ what: String) -> Finding { .problem("\(path) \(what): regd does not start", type: advice) }
    if !lock.isRegular { return bad("is not a regular file") }
    if lock.links != 1 { return bad("has a second name") }
    // what listens now has shown that it may take it
    if facts.socket.connection != .accepted, lock.owner != lock.directoryOwner, lock.owner != 0 {
      return bad("belongs to uid \(lock.owner), and its directory to uid \(lock.directoryOwner)")
    }
    guard let content = lock.content else {
      if facts.socket.connection == .accepted { return .ok("a regd listens beside \(path)") }
      return .unknown("\(path) may not be read by \(facts.user.name)")
    }
    let digits = content.hasSuffix("\n") ? content.dropLast() : content[...]
    guard content.isEmpty || content.utf8.count < 16 && digits.allSatisfy(\.isNumber) else {
      return bad("has something else in it than a process id")
    }
    if lock.holderRuns == false { return .ok("\(path) was left by a regd that has ended; the next one takes it over") }
    return .ok("\(path) is regd's")
  }
}
