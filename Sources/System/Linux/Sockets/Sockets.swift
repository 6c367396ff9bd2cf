internal import CLinux
internal import Glibc

extension Descriptor {
  package enum SocketKind: Sendable { case localStream, localDatagram, internetStream, internet6Stream }

  /// - Parameter waits: Whether calls on the socket wait. If not, they throw `wouldBlock`.
  package static func socket(_ kind: SocketKind, waits: Bool = true) throws(SystemError) -> Descriptor {
    let type = Int32((kind == .localDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let waiting = waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)
    let family =
      switch kind {
      case .localStream, .localDatagram: AF_UNIX
      case .internetStream: AF_INET
      case .internet6Stream: AF_INET6
      }
    return Descriptor(owning: try checked("socket") { Glibc.socket(family, type | waiting, 0) })
  }

  /// Two Unix sockets that are connected to each other.
  package static func socketPair() throws(SystemError) -> DescriptorPair {
    var ends: [Int32] = [-1, -1]
    _ = try checked("socketpair") {
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    return DescriptorPair(Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  package func connect(to address: SocketAddress) throws(SystemError) {
    _ = try checked("connect") { address.withPointer { Glibc.connect(number, $0, $1) } }
  }

  /// A non-blocking TCP socket of an internet address's family.
  package static func socket(for address: SocketAddress) throws(SystemError) -> Descriptor {
    try socket(address.isInternet6 ? .internet6Stream : .internetStream, waits: false)
  }

  package func bind(to address: SocketAddress) throws(SystemError) {
    _ = try checked("bind") { address.withPointer { Glibc.bind(number, $0, $1) } }
  }

  /// - Parameter backlog: Most connections that wait to be accepted.
  package func listen(backlog: Int32) throws(SystemError) {
    _ = try checked("listen") { Glibc.listen(number, backlog) }
  }

  /// Accepts the next connection.
  package func accept() throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("accept") { linux_accept(number) })
  }

  package func localAddress() throws(SystemError) -> SocketAddress { try SocketAddress(of: number) }

  /// Numbered like SHUT_RD, SHUT_WR and SHUT_RDWR (shutdown(2)).
  package enum Direction: Int32, Sendable { case reading, writing, both }

  /// Shuts down one direction or both, for all processes that share the socket. Calls that wait on the socket return.
  /// Ignores failures.
  package func shutdown(_ direction: Direction) {
    Glibc.shutdown(number, direction.rawValue)
  }

  /// Sends once. If the peer has gone, throws an error instead of raising SIGPIPE.
  ///
  /// - Returns: Number of bytes that the kernel has taken.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try checked("send") { Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Sends as much as the kernel accepts without waiting. Throws `wouldBlock` if it accepts nothing now.
  ///
  /// - Returns: The number of bytes accepted.
  package func sendSome(_ bytes: [UInt8]) throws(SystemError) -> Int {
    try checked("send") {
      bytes.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
    }
  }

  /// Sends all of `bytes`. After a failure, a part of them may be sent.
  ///
  /// - Parameter sent: Called each time the kernel has accepted a part, with the part's number of bytes.
  package func sendAll(_ bytes: [UInt8], sent: (Int) -> Void = { _ in }) throws(SystemError) {
    try pass(bytes) { (rest) throws(SystemError) in
      let count = try send(rest)
      sent(count)
      return count
    }
  }

  /// Receives once.
  ///
  /// - Parameter waits: Whether to wait for bytes. If not, throws `wouldBlock` if no bytes have arrived yet.
  /// - Returns: At most `count` bytes, or none at the end.
  package func receive(atMost count: Int, waits: Bool = true) throws(SystemError) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { (buffer, received) throws(SystemError) in
      received = try checked("recv") { recv(number, buffer.baseAddress, count, waits ? 0 : Int32(MSG_DONTWAIT)) }
    }
  }
}

/// Options of sockets.
extension Descriptor {
  /// Limits the wait of a connect or a send, which throws `wouldBlock` after that time.
  package func setSendTimeout(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Allows binding a port whose earlier connections are still closing (SO_REUSEADDR).
  package func allowReuseOfAddress() {
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes the close reset the connection (SO_LINGER).
  package func setResetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Bytes that can be read without waiting, or nil if the kernel does not report them.
  package var readableBytes: Int? {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
  }

  /// Bytes of kernel memory taken by output that the peer has not read, or 0 if the kernel does not report them.
  package var unsentBytes: Int { Int(linux_bytes_in_send_queue(number)) }
}

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

/// Lists the Unix sockets that another process listens on, from /proc (proc(5), unix(7)).
package enum ListeningSockets {
  /// The sockets' paths, in the order of the descriptors' names. Empty if the process does not exist or belongs to
  /// another user.
  package static func paths(of pid: Int32) -> [String] {
    guard let names = try? FileSystem.names(in: "/proc/\(pid)/fd"),
      let table = try? FileReading.text("/proc/\(pid)/net/unix")
    else { return [] }
    let listening = Dictionary(table.split(separator: "\n").compactMap(entry)) { first, _ in first }
    return names.sorted().compactMap { name in
      guard let target = FileSystem.linkTarget("/proc/\(pid)/fd/\(name)"), target.hasPrefix("socket:[") else {
        return nil
      }
      return listening[String(target.dropFirst("socket:[".count).dropLast())]
    }
  }

  /// __SO_ACCEPTCON: set if the socket listens.
  private static let accepting: UInt32 = 0x10000

  /// Parses a line of /proc/PID/net/unix: a socket's number, references, protocol, flags, type, state, inode and path.
  ///
  /// - Returns: The inode and path of a listening socket, or nil if the socket does not listen or has no path in the
  ///   file system.
  private static func entry(_ line: Substring) -> (String, String)? {
    let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
    guard fields.count == 8, let flags = UInt32(fields[3], radix: 16), flags & accepting != 0, fields[7].hasPrefix("/")
    else { return nil }
    return (String(fields[6]), String(fields[7]))
  }
}
