internal import Glibc

/// The machine's name (gethostname(2)).
package enum HostName {
  /// The host's name (in a container, the container's), or "localhost" if it cannot be read.
  package static var own: String {
    // HOST_NAME_MAX is 64 (gethostname(2)), and the last byte remains 0
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The IP addresses of hosts (getaddrinfo(3)).
package enum HostAddresses {
  package struct Failure: Error, Equatable {
    /// The reason in the C library's words.
    package let text: String
    /// Whether a name server has answered that the host does not exist. After any other failure, the host may still have the addresses
    /// that it had before.
    package let isAnswer: Bool

    package init(text: String, isAnswer: Bool = false) { (self.text, self.isAnswer) = (text, isAnswer) }
  }

  /// The addresses of a host, in the order in which to try them.
  ///
  /// Blocks until DNS answers or the C library gives up, which often takes longer than half a minute. Nothing can end the wait.
  package static func of(_ host: String) throws(Failure) -> [String] {
    let found = try lookUp(host, 0)
    defer { freeaddrinfo(found) }
    var addresses: [String] = []
    var next: UnsafeMutablePointer<addrinfo>? = found
    while let entry = next?.pointee {
      if let address = text(of: entry), !addresses.contains(address) { addresses.append(address) }
      next = entry.ai_next
    }
    return addresses
  }

  /// Whether the text is an IPv4 or IPv6 address, so that `of` would not ask DNS.
  package static func isAddress(_ text: String) -> Bool {
    guard let found = try? lookUp(text, AI_NUMERICHOST) else { return false }
    freeaddrinfo(found)
    return true
  }

  private static func lookUp(
    _ host: String, _ flags: Int32
  ) throws(Failure) -> UnsafeMutablePointer<addrinfo> {
    var hints = addrinfo()
    hints.ai_flags = flags
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    let number = errno
    guard code == 0, let found else {
      throw Failure(
        text: code == EAI_SYSTEM ? SystemError("getaddrinfo", number).text : String(cString: gai_strerror(code)),
        isAnswer: code == EAI_NONAME)
    }
    return found
  }

  private static func text(of entry: addrinfo) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
      return nil
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

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
