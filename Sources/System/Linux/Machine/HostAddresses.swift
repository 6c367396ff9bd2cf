internal import Glibc

/// The IP addresses of hosts (getaddrinfo(3)).
package enum HostAddresses {
  package struct Failure: Error, Equatable {
    /// The reason in the C library's words.
    package let text: String
    /// Whether a name server has answered that the host does not exist. Otherwise no name server has answered.
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
