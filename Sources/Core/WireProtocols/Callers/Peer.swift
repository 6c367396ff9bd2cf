/// The process on the other end of a connection, as the kernel names it (SO_PEERCRED, unix(7)).
package struct Peer: Hashable, Sendable {
  package var uid: UInt32
  package var gid: UInt32
  /// The process's id, or 0 if the kernel does not name it.
  package var pid: Int32
  /// The highest class of methods that the caller may call.
  package var access: Access
  /// The configured name of the door (additional listening socket) through which the caller came, or nil for regd's own
  /// socket.
  package var door: String?

  package init(uid: UInt32, gid: UInt32, pid: Int32, access: Access = .open) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.access = access
  }

  /// Whether the kernel names the caller. It does not name the peers of TCP connections. They get the gid `.max`, which
  /// means "none" in the kernel, and a uid that their listening point makes up.
  package var isNamed: Bool { gid != .max }
}

/// The class of callers that may call a method. Callers of one class may also call the methods of the classes before
/// it.
package enum Access: String, Sendable, Comparable {
  /// Every caller that may connect.
  case open
  /// Observers (`access.observe`): they see the daemon's state and its events, without any address.
  case observe
  /// Administrators (`access.admin`).
  case admin

  package static func < (one: Access, other: Access) -> Bool { one.rank < other.rank }

  package var rank: Int {
    switch self {
    case .open: 0
    case .observe: 1
    case .admin: 2
    }
  }
}

/// Which callers are administrators and observers, and which may not connect: the users and groups that the configuration
/// names, and root.
package struct AccessRules: Equatable, Sendable {
  /// The users and groups of one class.
  package struct Members: Equatable, Sendable {
    package var uids: Set<UInt32>
    package var gids: Set<UInt32>

    package init(uids: Set<UInt32> = [], gids: Set<UInt32> = []) {
      self.uids = uids
      self.gids = gids
    }

    package func have(uid: UInt32, gid: UInt32) -> Bool { uids.contains(uid) || gids.contains(gid) }

    /// - Parameter groups: A caller's supplementary groups.
    package func have(groups: [UInt32]) -> Bool { groups.contains(where: gids.contains) }

    fileprivate func have(_ uid: UInt32, _ gid: UInt32, _ groups: [UInt32]) -> Bool {
      have(uid: uid, gid: gid) || have(groups: groups)
    }
  }

  package var administrators: Members
  package var observers: Members
  /// Callers that may not connect, whatever else names them.
  package var denied: Members
  /// Whether uid 0 is an administrator without being named.
  package var isRootAdministrator: Bool

  package init(
    administrators: Members = Members(), observers: Members = Members(), denied: Members = Members(),
    isRootAdministrator: Bool = true
  ) {
    self.administrators = administrators
    self.observers = observers
    self.denied = denied
    self.isRootAdministrator = isRootAdministrator
  }

  /// Whether a caller's supplementary groups can affect its class.
  package var haveGroups: Bool { !administrators.gids.isEmpty || !observers.gids.isEmpty }

  /// - Parameter groups: The caller's supplementary groups.
  package func access(uid: UInt32, gid: UInt32, groups: [UInt32]) -> Access {
    if uid == 0 && isRootAdministrator || administrators.have(uid, gid, groups) { return .admin }
    return observers.have(uid, gid, groups) ? .observe : .open
  }

  /// Whether the caller may not connect at all. Root always may.
  ///
  /// - Parameter groups: The caller's supplementary groups. Nil if they are unknown: then the caller may be in any denied group.
  package func denies(uid: UInt32, gid: UInt32, groups: [UInt32]?) -> Bool {
    guard uid != 0 else { return false }
    guard let groups else { return denied.have(uid: uid, gid: gid) || !denied.gids.isEmpty }
    return denied.have(uid, gid, groups)
  }
}
