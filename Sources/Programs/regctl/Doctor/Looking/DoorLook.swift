internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient

/// Connects to each door as its protocol requires, without a login, and examines the directories on the path to its
/// socket.
enum DoorLook {
  static func look(_ daemon: DaemonFacts, _ values: ConfiguredValues, timeout: Int) -> [DoorFacts] {
    guard case .result = daemon.info else { return [] }
    let regd = daemon.pid.flatMap { try? FileStatus("/proc/\($0)") }?.owner
    let denied = callers(in: "access.deny", values)
    return doors(daemon, values).map { door in
      var door = door
      door.answer = answer(door, seconds: timeout)
      guard door.address.hasPrefix("/") else { return door }
      door.file = SocketLook.file(door.address)
      if case .socket = door.file { door.way = way(to: door.address) }
      door.callers = callers(in: "doors.\(door.name).peers", values)
      // regd denies root nothing
      door.deniedPeers = door.callers.filter { peer in peer.id != 0 && denied.contains { $0.includes(peer) } }
      // names that this machine does not have count as well: they leave the door to root
      door.hasPeers = ["uids", "users", "groups"].contains { !values["doors.\(door.name).peers.\($0)"].isEmpty }
      if !door.hasPeers { door.callers = others(on: door.way, besides: regd) }
      let group = door.way.last.flatMap { UserDatabase.name(ofGroup: $0.group) }
      if group == "postfix" || door.callers.contains(where: { $0.name == "postfix" }) { door.chroot = postfixChroot }
      return door
    }
  }

  /// The doors that the running regd reports or, if this user may not see them, those in its configuration.
  private static func doors(_ daemon: DaemonFacts, _ values: ConfiguredValues) -> [DoorFacts] {
    if let told = daemon.status.result?["doors"]?.array {
      return told.map { DoorFacts(name: $0.shown("name"), wire: $0.shown("protocol"), address: $0.shown("address")) }
    }
    return values.names(in: "doors").compactMap { name in
      let (path, listen) = (values["doors.\(name).path"], values["doors.\(name).listen"])
      // a socket that systemd passes in has neither key, and only regd knows its address
      guard !(path + listen).isEmpty else { return nil }
      return DoorFacts(name: name, wire: values["doors.\(name).protocol"], address: path.isEmpty ? listen : path)
    }
  }

  private static func way(to socket: String) -> [DoorFacts.Place] {
    let names = socket.split(separator: "/")
    return (0...names.count).compactMap { count in
      let path = "/" + names.prefix(count).joined(separator: "/")
      guard let status = try? FileStatus(path) else { return nil }
      let owner = UserDatabase.name(ofUser: status.owner) ?? "\(status.owner)"
      let group = UserDatabase.name(ofGroup: status.group) ?? "\(status.group)"
      return DoorFacts.Place(
        path: path, owner: status.owner, group: status.group, permissions: status.permissions,
        owners: "\(owner):\(group)")
    }
  }

  /// The users and groups that a section with `uids`, `users` and `groups` names.
  private static func callers(in section: String, _ values: ConfiguredValues) -> [DoorFacts.Caller] {
    func list(_ kind: String) -> [String] {
      values["\(section).\(kind)"].split { $0 == "," || $0 == " " }.map(String.init)
    }
    let ids = list("uids").compactMap { UInt32($0) } + list("users").compactMap { try? UserDatabase.user(named: $0) }
    return ids.map(caller)
      + list("groups").compactMap { name in
        (try? UserDatabase.group(named: name)).map { DoorFacts.Caller(name: name, groups: [$0]) }
      }
  }

  private static func caller(_ id: UInt32) -> DoorFacts.Caller {
    .init(name: UserDatabase.name(ofUser: id) ?? "uid \(id)", id: id, groups: UserDatabase.groups(ofUser: id))
  }

  /// The possible users of a door that names no peers: the members of the socket's group, the owners of the directories
  /// on the path, and all other users.
  private static func others(on way: [DoorFacts.Place], besides regd: UInt32?) -> [DoorFacts.Caller] {
    guard let socket = way.last else { return [] }
    let members = socket.group == 0 ? [] : [DoorFacts.Caller(name: "", groups: [socket.group])]
    let owners = Set(way.map(\.owner)).subtracting([0, regd ?? 0]).sorted().map(caller)
    return members + owners + [DoorFacts.Caller(name: "")]
  }

  /// Postfix's queue directory, if master.cf runs smtpd in a chroot, as Debian ships it, otherwise nil.
  private static var postfixChroot: String? {
    let lines = ((try? FileReading.text("/etc/postfix/master.cf")) ?? "").split(separator: "\n")
    let isChrooted = lines.contains { line in
      let words = line.split(separator: " ")
      return words.count > 7 && !line.hasPrefix("#") && words[4] == "y" && words[7] == "smtpd"
    }
    return isChrooted ? "/var/spool/postfix" : nil
  }
}
