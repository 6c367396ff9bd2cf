internal import CLinux
internal import Glibc
internal import JSONRPC

/// Who connected, as the kernel noted it at that moment (SO_PEERCRED and SO_PEERGROUPS, unix(7)).
enum PeerCredentials {
  /// - Returns: Nil where the kernel does not say.
  static func caller(of descriptor: Int32, _ rules: AccessRules) -> Caller? {
    var credentials = linux_ucred()
    var length = socklen_t(MemoryLayout<linux_ucred>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return Caller(
      uid: credentials.uid, gid: credentials.gid, pid: credentials.pid,
      access: rules.access(uid: credentials.uid, gid: credentials.gid, groups: groups(of: descriptor)))
  }

  /// The supplementary groups; none where the kernel does not say.
  private static func groups(of descriptor: Int32) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var length = socklen_t(groups.count * MemoryLayout<gid_t>.size)
      if getsockopt(descriptor, SOL_SOCKET, linux_SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.size))
      }
      // a user may be in 65 536 groups (NGROUPS_MAX); the kernel says how much room they need
      guard errno == ERANGE, groups.count < 65_536 else { return [] }
      groups = [gid_t](repeating: 0, count: 65_536)
    }
  }
}
