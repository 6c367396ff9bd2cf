internal import Glibc

/// Address of a socket: a path, or a port of this machine.
package struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  /// Bytes of the longest path, without its terminating 0 (unix(7)).
  package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Address of a Unix socket.
  ///
  /// - Throws: `nameTooLong`, or `notFound` for an empty path and `invalidArgument` for a path with a NUL, because
  ///   these name abstract sockets (unix(7)), which any user may bind.
  package init(path: String) throws(SystemError) {
    guard path.utf8.count <= Self.longestPath else { throw SystemError("socket address", ENAMETOOLONG) }
    guard !path.isEmpty else { throw SystemError("socket address", ENOENT) }
    guard !path.utf8.contains(0) else { throw SystemError("socket address", EINVAL) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_un.self) }
  }

  /// A TCP port of 127.0.0.1.
  ///
  /// - Parameter port: 0 lets the kernel choose one.
  package init(loopbackPort port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
  }

  /// A TCP port of a loopback address, written as `127.0.0.1:389` or `[::1]:389`.
  ///
  /// - Returns: Nil if the text is not such an address, or has no port from 1 to 65535.
  package init?(loopback text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      return nil
    }
    let host = String(text[..<colon])
    guard Self.isLoopback(host), host.contains(":") == host.hasPrefix("[") else { return nil }
    if host.hasPrefix("[") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      guard host.hasSuffix("]"), inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address.sin6_addr) == 1
      else { return nil }
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
    }
  }

  /// Whether the host is a loopback address, which only this machine reaches.
  package var isLoopback: Bool { host.map(Self.isLoopback) ?? false }

  /// `127.0.0.1:389`, `[::1]:389`, or a path. Empty for an unnamed socket.
  package var text: String {
    guard let host, let port else { return path ?? "" }
    return "\(host):\(port)"
  }

  /// The IPv4 or IPv6 address, the latter in brackets, or nil for other families.
  private var host: String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = Int32(storage.ss_family)
    guard [AF_INET, AF_INET6].contains(family) else { return nil }
    // the address comes after the port, and in IPv6 also after the flow label
    let offset = family == AF_INET ? 4 : 8
    let isWritten = withUnsafeBytes(of: storage) { bytes in
      inet_ntop(
        family, UnsafeRawBufferPointer(rebasing: bytes[offset...]).baseAddress, &text, socklen_t(text.count)) != nil
    }
    guard isWritten else { return nil }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return family == AF_INET ? host : "[\(host)]"
  }

  package var isInternet: Bool { port != nil }

  var isInternet6: Bool { Int32(storage.ss_family) == AF_INET6 }

  /// The address that a socket is bound to.
  init(of descriptor: Int32) throws(SystemError) {
    var (storage, length) = (storage, socklen_t(MemoryLayout<sockaddr_storage>.size))
    _ = try checked("getsockname") {
      withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
    }
    (self.storage, self.length) = (storage, length)
  }

  /// Path of a Unix socket, or nil for an unnamed socket and for other families.
  package var path: String? {
    guard storage.ss_family == sa_family_t(AF_UNIX) else { return nil }
    let path = withUnsafeBytes(of: storage) { bytes in
      String(decoding: bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }, as: UTF8.self)
    }
    return path.isEmpty ? nil : path
  }

  /// Port of an IPv4 or IPv6 address, or nil for other families.
  package var port: UInt16? {
    guard [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return nil }
    // both families have the port in the same place
    return withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
  }

  /// Whether a host is a loopback address: one of 127.0.0.0/8, or ::1 with or without brackets.
  package static func isLoopback(_ host: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(host.drop { $0 == "[" }.prefix { $0 != "]" }), &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
