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
}
