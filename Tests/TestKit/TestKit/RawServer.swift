internal import CLinux
internal import Glibc
internal import Synchronization
internal import WorkerThreads

/// An upstream or a mail server that each test scripts byte by byte, with blocking calls on separate threads.
package final class RawServer: Sendable {
  private let held: HeldPort
  private let listener: Int32
  private let accepted = Atomic<Int>(0)

  /// - Parameter serve: Handles one connection. The server closes the connection afterwards if `serve` has not.
  package init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
    held = try HeldPort()
    listener = try held.listen(backlog: 1024)
    try WorkerThreads(name: "accept", count: 1).submit {
      while case let descriptor = accept(self.listener, nil, nil), descriptor >= 0 {
        let connection = RawConnection(descriptor, index: self.accepted.wrappingAdd(1, ordering: .relaxed).oldValue)
        do {
          try WorkerThreads(name: "serve", count: 1).submit {
            serve(connection)
            connection.close()
          }
        } catch { connection.close() }
      }
      // also if accept fails: connected peers then see the end instead of waiting for an answer
      self.close()
    }
  }

  deinit { Glibc.close(listener) }

  package var port: Int { held.number }

  package var acceptedCount: Int { accepted.load(ordering: .relaxed) }

  /// Refuses new connections from now on.
  package func close() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The server's end of a connection. One thread uses it.
package final class RawConnection: Sendable {
  /// 0 for the first connection.
  package let index: Int
  private let descriptor: Mutex<Int32>
  private let state = Atomic<Bool>(true)

  init(_ descriptor: Int32, index: Int) {
    self.index = index
    self.descriptor = Mutex(descriptor)
  }

  private var socket: Int32 { descriptor.withLock { $0 } }

  /// Nil at the end of the connection.
  package func readRequest() -> RawRequest? {
    var bytes: [UInt8] = []
    var needed: Int?
    while bytes.count < needed ?? .max {
      guard let more = readSome() else { return nil }
      bytes += more
      if needed == nil, let head = RawRequest.headLength(bytes) {
        needed = head + RawRequest(bytes, head).contentLength
      }
    }
    return RawRequest.headLength(bytes).map { RawRequest(bytes, $0) }
  }

  /// Nil at the end of the connection.
  package func readSome() -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &room, room.count, 0)
    return count > 0 ? Array(room.prefix(count)) : nil
  }

  /// Bytes in transit that the peer's kernel has not acknowledged.
  package var unreadByPeer: Int {
    var count: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// Whether the last write succeeded.
  package private(set) var isOpen: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }

  package func waitForEnd() { while readSome() != nil {} }

  package func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else {
        isOpen = false
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  package func answer(_ status: Int, _ body: String, _ headers: String = "") {
    write("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
  }

  package func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  /// Stops writing, but reading still works.
  package func finish() { shutdown(socket, Int32(SHUT_WR)) }

  /// Closes with an RST instead of a FIN.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }
}

package struct RawRequest: Equatable, Sendable {
  package let head: String
  package let body: String

  init(_ bytes: [UInt8], _ headLength: Int) {
    head = String(decoding: bytes.prefix(headLength), as: UTF8.self)
    body = String(decoding: bytes.dropFirst(headLength), as: UTF8.self)
  }

  var contentLength: Int {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
    return line.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
  }

  static func headLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual("\r\n\r\n".utf8) }
  }
}

/// A port of 127.0.0.1 that no other process can get, even while no process listens on it. Connections to it are
/// refused until a listener is opened.
package final class HeldPort: Sendable {
  package let number: Int
  private let descriptor: Int32

  package init() throws {
    descriptor = try bindOnLoopback(port: 0)
    number = try portNumber(of: descriptor)
  }

  deinit { close(descriptor) }

  /// - Returns: A socket that listens on the port.
  package func listen(backlog: Int32) throws -> Int32 {
    let listener = try bindOnLoopback(port: number)
    guard Glibc.listen(listener, backlog) == 0 else { throw SocketFailure(errorNumber: errno) }
    return listener
  }
}

private struct SocketFailure: Error { let errorNumber: Int32 }

private func bindOnLoopback(port: Int) throws -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var one: Int32 = 1
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<Int32>.size))
  var address = loopback(port: port)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard result == 0 else { throw SocketFailure(errorNumber: errno) }
  return descriptor
}

private func portNumber(of descriptor: Int32) throws -> Int {
  var address = loopback(port: 0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
  }
  guard result == 0 else { throw SocketFailure(errorNumber: errno) }
  return Int(UInt16(bigEndian: address.sin_port))
}

/// A connection attempt that may never complete.
package func beginConnecting(to port: Int) -> Int32 {
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, type, 0)
  var address = loopback(port: port)
  withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      _ = connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return descriptor
}

private func loopback(port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  return address
}
