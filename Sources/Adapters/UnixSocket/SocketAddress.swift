internal import CLinux
internal import Glibc

/// `sockaddr_un`.
enum SocketAddress {
  /// Bytes of a path, its closing zero included.
  static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Lends the address of `path`, which has fewer bytes than `maximumPathBytes`.
  static func with<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.enumerated().prefix(bytes.count - 1) { bytes[index] = byte }
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Whether somebody listens at `path`; yes where it cannot be found out.
  static func hasListener(_ path: String) -> Bool {
    let probe = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { return true }
    defer { close(probe) }
    // Nobody there is ECONNREFUSED, nothing there ENOENT. Everything else is somebody: one whose queue is full (EAGAIN),
    // who does not let us in (EACCES), or whose socket is of another type (EPROTOTYPE).
    return with(path, { connect(probe, $0, $1) }) == 0 || errno != ECONNREFUSED && errno != ENOENT
  }

  /// The path that a socket is bound to; "" where it has none.
  static func path(of descriptor: Int32) -> String {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let failure = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard failure == 0 else { return "" }
    return withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
