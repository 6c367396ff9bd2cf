internal import Glibc

/// The machine's own IP addresses.
package enum OwnAddress {
  /// The address with which this machine reaches another one, by the kernel's routes. Nothing is sent.
  ///
  /// - Parameter remote: An IPv4 or IPv6 address, never a name.
  /// - Returns: Nil if `remote` is not an address, or if there is no route to it.
  package static func towards(_ remote: String) -> String? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(remote, "9", &hints, &found) == 0, let found else { return nil }
    defer { freeaddrinfo(found) }
    let socket = socket(found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    guard connect(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
    var (storage, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isRead = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(socket, address, &length) == 0
          && getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      }
    }
    guard isRead else { return nil }
    // a link-local address ends with its interface, which means nothing to another machine
    let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the text is an IPv4 address, or an IPv6 address if `six`.
  package static func isAddress(_ text: String, six: Bool) -> Bool {
    var address = in6_addr()
    return inet_pton(six ? AF_INET6 : AF_INET, text, &address) == 1
  }
}
