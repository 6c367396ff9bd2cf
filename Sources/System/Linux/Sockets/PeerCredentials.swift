internal import CLinux
internal import Glibc

/// Credentials of the peer of a Unix socket at the time of the connect (SO_PEERCRED).
package struct PeerCredentials: Equatable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
}

extension Descriptor {
  package func peerCredentials() throws(SystemError) -> PeerCredentials {
    var peer = linux_ucred()
    var length = socklen_t(MemoryLayout<linux_ucred>.size)
    _ = try checked("getsockopt") { getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length) }
    return PeerCredentials(uid: peer.uid, gid: peer.gid, pid: peer.pid)
  }

  /// Supplementary groups of the peer at the time of the connect. Nil if the kernel does not report them, such as Linux before 4.13.
  package func peerGroups() -> [UInt32]? {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var length = socklen_t(groups.count * MemoryLayout<gid_t>.size)
      if getsockopt(number, SOL_SOCKET, linux_SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.size))
      }
      // a user may be in 65 536 groups (NGROUPS_MAX), which need a larger buffer
      guard errno == ERANGE, groups.count < 65_536 else { return nil }
      groups = [gid_t](repeating: 0, count: 65_536)
    }
  }
}
