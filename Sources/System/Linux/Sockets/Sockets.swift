internal import CLinux
internal import Glibc

/// Sockets.
extension Descriptor {
  package enum SocketKind: Sendable { case localStream, localDatagram, internetStream }

  /// - Parameter waits: Whether calls on it wait; else they throw `wouldBlock`.
  package static func socket(_ kind: SocketKind, waits: Bool = true) throws(SystemError) -> Descriptor {
    let type = Int32((kind == .localDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let waiting = waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)
    let family = kind == .internetStream ? AF_INET : AF_UNIX
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

  package func bind(to address: SocketAddress) throws(SystemError) {
    _ = try checked("bind") { address.withPointer { Glibc.bind(number, $0, $1) } }
  }

  /// - Parameter backlog: How many callers may wait to be accepted.
  package func listen(backlog: Int32) throws(SystemError) {
    _ = try checked("listen") { Glibc.listen(number, backlog) }
  }

  /// The next caller.
  package func accept() throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("accept") { linux_accept(number) })
  }

  package func localAddress() throws(SystemError) -> SocketAddress { try SocketAddress(of: number) }

  package enum Direction: Sendable { case reading, writing, both }

  /// Ends one direction, or both, for all who have the socket. Calls that wait in it return.
  package func shutdown(_ direction: Direction) {
    let how: Int =
      switch direction {
      case .reading: SHUT_RD
      case .writing: SHUT_WR
      case .both: SHUT_RDWR
      }
    Glibc.shutdown(number, Int32(how))
  }

  /// Sends once. A peer that has gone is an error, and no signal.
  ///
  /// - Returns: How many bytes the kernel has taken.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try checked("send") { Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Sends all of `bytes`.
  package func sendAll(_ bytes: [UInt8]) throws(SystemError) {
    try pass(bytes) { (rest) throws(SystemError) in try send(rest) }
  }

  /// Receives once.
  ///
  /// - Parameter waits: Whether it waits for bytes; else it throws `wouldBlock` where there are none yet.
  /// - Returns: `count` bytes or fewer; none at the end.
  package func receive(atMost count: Int, waits: Bool = true) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
      do throws(SystemError) {
        received = try checked("recv") { recv(number, buffer.baseAddress, count, waits ? 0 : Int32(MSG_DONTWAIT)) }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Options of sockets.
extension Descriptor {
  /// How long a connect or a send may wait before it throws `wouldBlock`.
  package func setSendTimeout(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Lets a port be bound again whose earlier connections are still ending.
  package func allowReuseOfAddress() {
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Has its close reset the connection.
  package func setResetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Bytes that can be read at once; nil where the kernel does not say.
  package var readableBytes: Int? {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
  }

  /// Bytes that the peer has not taken, with what the kernel needs to keep them; 0 where it does not say.
  package var unsentBytes: Int { Int(linux_bytes_in_send_queue(number)) }
}
