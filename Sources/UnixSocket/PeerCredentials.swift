internal import CLinux
internal import Glibc
internal import JSONRPC

/// Who connected, as the kernel noted it at that moment (SO_PEERCRED, unix(7)).
enum PeerCredentials {
  /// - Returns: Nil where the kernel does not say.
  static func caller(of descriptor: Int32) -> Caller? {
    var credentials = linux_ucred()
    var length = socklen_t(MemoryLayout<linux_ucred>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return Caller(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid)
  }
}
