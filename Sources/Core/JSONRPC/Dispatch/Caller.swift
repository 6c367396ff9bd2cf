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
  /// The user that the server itself runs as, who may signal it (kill(2)), and administrators.
  case owner
  /// Administrators (`access.admin`).
  case admin

  package static func < (one: Access, other: Access) -> Bool { one.rank < other.rank }

  @inline(__always)
  var rank: UInt8 {
    switch self {
    case .open: 0
    case .owner: 1
    case .admin: 2
    }
  }

  /// - Parameter rank: Of one of them.
  @inline(__always)
  init(rank: UInt8) { self = rank == 0 ? .open : rank == 1 ? .owner : .admin }
}

/// Which callers are administrators: root, and the users and groups that the configuration names.
package struct AccessRules: Equatable, Sendable {
  package var uids: Set<UInt32>
  package var gids: Set<UInt32>
  /// The user that the server runs as; nil for none.
  package var owner: UInt32?

  package init(uids: Set<UInt32> = [], gids: Set<UInt32> = [], owner: UInt32? = nil) {
    self.owner = owner
    self.uids = uids
    self.gids = gids
  }

  /// - Parameter groups: The caller's supplementary groups.
  package func access(uid: UInt32, gid: UInt32, groups: [UInt32]) -> Access {
    if uid == 0 || uids.contains(uid) || gids.contains(gid) || groups.contains(where: gids.contains) { return .admin }
    return uid == owner ? .owner : .open
  }
}
