internal import CLinux
internal import Glibc

/// A caller that misbehaves: writes without waiting, and reads when and as much as it likes.
package final class RawCaller {
  private let descriptor: Int32

  package struct Failure: Error { package let reason: String }

  /// Connects as another user, which only root can.
  package convenience init(_ path: String, as uid: UInt32) throws {
    // Changes the user of this thread only. The kernel records it at connect(2) for SO_PEERCRED.
    guard linux_set_thread_user(uid) == 0 else {
      throw Failure(reason: "setresuid: \(String(cString: strerror(errno)))")
    }
    defer { _ = linux_set_thread_user(0) }
    try self.init(path)
  }

  /// - Parameter waits: Whether to wait until the backlog has room for this caller.
  package init(_ path: String, waits: Bool = true) throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_UNIX, waits ? type : type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(reason: "socket: \(String(cString: strerror(errno)))") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1))) }
    let failure = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard failure == 0 else { throw Failure(reason: "connect: \(String(cString: strerror(errno)))") }
  }

  /// Connects to a port of 127.0.0.1.
  package init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(reason: "socket: \(String(cString: strerror(errno)))") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7F00_0001).bigEndian)
    let failure = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard failure == 0 else { throw Failure(reason: "connect: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Writes the bytes again and again, as long as the socket takes them.
  ///
  /// - Returns: How many bytes the socket took.
  package func flood(_ bytes: [UInt8], at most: Int = .max) -> Int {
    var sent = 0
    while sent < most {
      let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  /// Writes all bytes, waiting for the socket if necessary.
  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(reason: "send: \(String(cString: strerror(errno)))") }
      sent += count
    }
  }

  /// Writes all bytes, with a descriptor (SCM_RIGHTS, unix(7)).
  package func send(_ bytes: [UInt8], with passed: Int32) throws {
    var bytes = bytes
    // a header of control data: its length, level and type, and then the descriptor, padded
    var control: [UInt64] = [20, UInt64(SOL_SOCKET) | 1 << 32, UInt64(passed)]
    let count = bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (part, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    guard count == bytes.count else { throw Failure(reason: "sendmsg: \(String(cString: strerror(errno)))") }
  }

  /// Writes a byte out of band (MSG_OOB).
  ///
  /// - Returns: Whether the kernel supports that for Unix sockets.
  package func sendOutOfBand(_ byte: UInt8) -> Bool {
    var byte = byte
    return Glibc.send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_OOB)) == 1
  }

  /// Reads at most `count` bytes, waiting for the first. Returns an empty array at the end of the connection.
  package func read(_ count: Int) throws -> [UInt8] { try receive(count, 0) }

  /// - Parameter flags: The flags of recv(2).
  private func receive(_ count: Int, _ flags: Int32) throws -> [UInt8] {
    var events = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    guard poll(&events, 1, Patience.milliseconds) == 1 else { throw Failure(reason: "nothing came for five minutes") }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = recv(descriptor, &bytes, count, flags)
    guard got >= 0 else { throw Failure(reason: "recv: \(String(cString: strerror(errno)))") }
    return Array(bytes.prefix(got))
  }

  /// Reads everything up to the end of the connection.
  package func readAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let piece = try read(65_536)
      if piece.isEmpty { return all }
      all += piece
    }
  }

  /// Reads up to the next line feed, which is not part of it.
  ///
  /// - Returns: Nil at the end of the connection.
  package func readLine() throws -> String? {
    var line: [UInt8] = []
    while line.last != 0x0A {
      let next = try receive(4096, Int32(MSG_PEEK))
      if next.isEmpty { return nil }
      line += try read(next.firstIndex(of: 0x0A).map { $0 + 1 } ?? next.count)
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// How many bytes can be read now.
  package var readable: Int {
    var bytes: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &bytes) == 0 ? Int(bytes) : 0
  }

  /// Whether the peer has read all that was written.
  package var isTaken: Bool { linux_bytes_in_send_queue(descriptor) == 0 }

  /// The number of bytes that can be read, once it has stayed the same for 20 looks.
  ///
  /// - Parameter meanwhile: Called before each look. Must make regd finish all earlier requests.
  package func settledReadable(_ meanwhile: () throws -> Void) throws -> Int {
    var seen = -1
    var rounds = 0
    while rounds < 20 {
      try meanwhile()
      var bytes: Int32 = 0
      guard ioctl(descriptor, UInt(FIONREAD), &bytes) == 0 else { throw Failure(reason: "FIONREAD") }
      rounds = Int(bytes) == seen ? rounds + 1 : 0
      seen = Int(bytes)
    }
    return seen
  }

  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

}
