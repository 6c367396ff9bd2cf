/// The process on the other end of a connection, as the kernel names it (SO_PEERCRED, unix(7)).
package struct Caller: Hashable, Sendable {
  package var uid: UInt32
  package var gid: UInt32
  /// 0 where it is not known.
  package var pid: Int32
  /// The highest class of methods that the caller may call.
  package var access: Access

  package init(uid: UInt32, gid: UInt32, pid: Int32, access: Access = .open) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.access = access
  }
}

/// The class of callers that a method is for.
package enum Access: String, Sendable, Comparable {
  /// Every caller that may connect.
  case open
  /// Administrators (`access.admin`).
  case admin

  package static func < (one: Access, other: Access) -> Bool { one == .open && other == .admin }
}

/// Which callers are administrators: root, and the users and groups that the configuration names.
package struct AccessRules: Equatable, Sendable {
  package var uids: Set<UInt32>
  package var gids: Set<UInt32>

  package init(uids: Set<UInt32> = [], gids: Set<UInt32> = []) {
    self.uids = uids
    self.gids = gids
  }

  /// - Parameter groups: The caller's supplementary groups.
  package func access(uid: UInt32, gid: UInt32, groups: [UInt32]) -> Access {
    uid == 0 || uids.contains(uid) || gids.contains(gid) || groups.contains(where: gids.contains) ? .admin : .open
  }
}
