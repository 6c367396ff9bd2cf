internal import Glibc

/// A port of 127.0.0.1 that stays ours while nobody listens on it: a socket is bound to it and never used. Listening
/// sockets come and go beside it, which SO_REUSEADDR allows and which ports that the kernel hands out take care not to.
///
/// Shutting a listening socket down would not do: Linux gives back a port that it chose itself.
final class Port: Sendable {
  let number: UInt16
  private let holder: Descriptor

  init() throws(Hindrance) {
    holder = try Self.bound(to: 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = holder.number
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { throw Hindrance("getsockname", errno) }
    number = UInt16(bigEndian: address.sin_port)
  }

  /// A socket that listens on it.
  func listen(backlog: Int32) throws(Hindrance) -> Descriptor {
    let descriptor = try Self.bound(to: number)
    guard Glibc.listen(descriptor.number, backlog) == 0 else { throw Hindrance("listen on port \(number)", errno) }
    return descriptor
  }

  /// A connection to whoever listens on it; nil where nobody does.
  func connected() throws(Hindrance) -> Descriptor? {
    let descriptor = try Self.socket()
    var result: Int32
    repeat {
      result = Self.withAddress(number) { connect(descriptor.number, $0, $1) }
    } while result < 0 && errno == EINTR
    if result == 0 { return descriptor }
    // a listening socket that is closed in the meantime resets
    guard errno == ECONNREFUSED || errno == ECONNRESET else { throw Hindrance("connect to port \(number)", errno) }
    return nil
  }

  private static func bound(to number: UInt16) throws(Hindrance) -> Descriptor {
    let descriptor = try socket()
    var yes: Int32 = 1
    setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard withAddress(number, { bind(descriptor.number, $0, $1) }) == 0 else {
      throw Hindrance("bind 127.0.0.1:\(number)", errno)
    }
    return descriptor
  }

  private static func socket() throws(Hindrance) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = Glibc.socket(AF_INET, kind, 0)
    guard number >= 0 else { throw Hindrance("socket", errno) }
    return Descriptor(number)
  }

  private static func withAddress(
    _ number: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
