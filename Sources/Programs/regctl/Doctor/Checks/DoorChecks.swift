internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Checks whether doors (sockets for other programs' protocols) answer, and whether their users can reach them.
enum DoorChecks {
  static func doors(_ facts: Facts) -> Finding? {
    // if regd does not answer, the check `socket` has a finding already
    guard case .result = facts.daemon.info else { return nil }
    let held = heldSockets(facts)
    guard !facts.doors.isEmpty || !held.isEmpty else { return nil }
    let found = facts.doors.compactMap { finding($0, facts) } + held
    let verdicts: [Finding.Verdict] = [.problem, .warning, .unknown]
    let sorted = verdicts.flatMap { verdict in found.filter { $0.verdict == verdict } }
    guard let worst = sorted.first else {
      let names = facts.doors.map { "\($0.name) (\($0.wire))" }
      return .ok(
        LocalizedMessage(DoctorDoorMessageKey.answers, ["count": .number(names.count), "doors": .list(names)]))
    }
    let seen = sorted.dropFirst().reduce(worst.seen) { all, next in
      LocalizedMessage(DoctorDoorMessageKey.both, ["first": .sentence(all), "second": .sentence(next.seen)])
    }
    return Finding(verdict: worst.verdict, seen: seen, advice: worst.advice)
  }

  /// Finds the sockets that systemd has passed in for doors that the configuration no longer has.
  private static func heldSockets(_ facts: Facts) -> [Finding] {
    (facts.daemon.status.result?["heldSockets"]?.array ?? []).map { socket in
      let name = socket.shown("name")
      return .warning(
        LocalizedMessage(DoctorDoorMessageKey.held, ["door": .text(name), "address": .text(socket.shown("address"))]),
        type: Finding.typing(
          "editor \(facts.configuration.path)", .thenRestart,
          ["setting": .text("doors.\(name)"), "command": .text("systemctl restart \(facts.daemon.unit)")]))
    }
  }

  /// The finding about a door, or nil if the door works.
  private static func finding(_ door: DoorFacts, _ facts: Facts) -> Finding? {
    let restart = "systemctl restart \(facts.daemon.unit)"
    func said(_ key: DoctorDoorMessageKey, _ reason: LocalizedMessage.Content = "") -> LocalizedMessage {
      LocalizedMessage(
        key,
        [
          "door": .text(door.name), "address": .text(door.address), "protocol": .text(door.wire),
          "user": .text(facts.user.name), "chroot": .text(door.chroot ?? ""), "reason": reason,
        ])
    }
    switch (door.file, door.answer) {
    case (.missing, _): return .problem(said(.missing), type: restart)
    case (.other, _):
      return .problem(said(.noSocket), type: "mv \(door.address) \(door.address).old && \(restart)")
    case (_, .refused): return .problem(said(.refused), type: restart)
    case (_, .failed(let reason)):
      return .problem(said(.failed, reason), type: "journalctl -u \(facts.daemon.unit) -n 50")
    case (_, .silent):
      return .problem(said(.silent), type: "journalctl -u \(facts.daemon.unit) -n 50")
    case (_, .answered), (_, .denied): break
    }
    if let finding = denied(door, facts) ?? keptOut(door, facts) { return finding }
    if let chroot = door.chroot, !door.address.hasPrefix("\(chroot)/") {
      return .problem(
        said(.chroot),
        type: Finding.typing(
          "editor \(facts.configuration.path)", .thenRestart,
          ["setting": .text("doors.\(door.name).path: \(chroot)/private/regd"), "command": .text(restart)]))
    }
    return door.answer == .denied ? .unknown(said(.notForUser), type: "sudo regctl doctor") : nil
  }

  /// Finds a peer that `access.deny` keeps from the door. Returns nil if no peer is kept out.
  private static func denied(_ door: DoorFacts, _ facts: Facts) -> Finding? {
    guard let peer = door.deniedPeers.first else { return nil }
    return .warning(
      LocalizedMessage(DoctorDoorMessageKey.deniedPeer, ["door": .text(door.name), "user": .text(peer.name)]),
      type: Finding.typing(
        "editor \(facts.configuration.path)", .thenRestart, ["setting": "access.deny", "command": "regctl reload"]))
  }

  /// Finds a caller that file permissions keep from the socket. Returns nil if all callers that must reach the socket
  /// can.
  private static func keptOut(_ door: DoorFacts, _ facts: Facts) -> Finding? {
    let barred = door.callers.filter { $0.obstacle(on: door.way) != nil }
    // if the configuration names no peers, it suffices that one possible caller reaches the socket
    guard door.hasPeers || barred.count == door.callers.count, let caller = barred.first,
      let place = caller.obstacle(on: door.way)
    else { return nil }
    let isSocket = place == door.way.last
    let key: DoctorDoorMessageKey =
      switch (door.hasPeers, isSocket) {
      case (true, true): .mayNotConnect
      case (true, false): .mayNotEnter
      case (false, true): .nobodyConnects
      case (false, false): .nobodyEnters
      }
    let seen = LocalizedMessage(
      key,
      [
        "door": .text(door.name), "user": .text(caller.name), "place": .text(place.path),
        "mode": .text("0" + String(place.permissions, radix: 8)), "owner": .text(place.owners),
      ])
    let setting = ["group", "mode"].map { "doors.\(door.name).\($0)" }.joined(separator: ", ")
    let advice =
      isSocket
      ? Finding.typing(
        "editor \(facts.configuration.path)", .thenRestart,
        ["setting": .text(setting), "command": .text("systemctl restart \(facts.daemon.unit)")])
      : "chmod o+x \(place.path)"
    return door.hasPeers ? .problem(seen, type: advice) : .warning(seen, type: advice)
  }
}
