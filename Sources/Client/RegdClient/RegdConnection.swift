internal import Glibc

/// A connection to regd's socket: bytes out, lines in. Blocks; one thread at a time.
public final class RegdConnection {
  private let descriptor: Int32
  private let timeoutSeconds: Int
  private var received: [UInt8] = []
  private var next = 0

  /// - Parameters:
  ///   - path: Of the Unix socket; at most 107 bytes.
  ///   - timeoutSeconds: How long a line or a write may take; 1 or more.
  public init(path: String, timeoutSeconds: Int) throws(RegdClientFailure) {
    self.timeoutSeconds = timeoutSeconds
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .cannotConnect(path: path, reason: Self.reason()) }
    var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard Self.connect(descriptor, path) else {
      let reason = Self.reason()
      close(descriptor)
      throw .cannotConnect(path: path, reason: reason)
    }
  }

  deinit { close(descriptor) }

  /// Sends all of `bytes`.
  public func send(_ bytes: [UInt8]) throws(RegdClientFailure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      sent += count
    }
  }

  public func send(_ text: String) throws(RegdClientFailure) { try send(Array(text.utf8)) }

  /// Says that nothing more will be sent; replies still come.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next line without its line feed; nil when the connection has ended.
  public func receiveLine() throws(RegdClientFailure) -> [UInt8]? {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var searched = next
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { next = end + 1 }
        return Array(received[next..<end])
      }
      received.removeFirst(next)
      next = 0
      searched = received.count
      guard try fill(by: deadline) else {
        defer { received = [] }
        return received.isEmpty ? nil : received
      }
    }
  }

  /// For poll(2).
  var pollable: Int32 { descriptor }

  /// The lines that have come, without their line feeds and without waiting; empty where none is whole yet.
  ///
  /// - Throws: `.disconnected` when the connection has ended and its lines have been given.
  func receiveAvailableLines() throws(RegdClientFailure) -> [[UInt8]] {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    let isNothingYet = count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
    guard count >= 0 || isNothingYet else { throw .disconnected }
    received.append(contentsOf: chunk[..<max(0, count)])
    var lines: [[UInt8]] = []
    while let end = received[next...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(received[next..<end]))
      next = end + 1
    }
    received.removeFirst(next)
    next = 0
    guard count != 0 || !lines.isEmpty else { throw .disconnected }
    return lines
  }

  /// - Returns: Whether anything came; without it the connection has ended.
  private func fill(by deadline: ContinuousClock.Instant) throws(RegdClientFailure) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = (deadline - .now).components
      guard left.seconds >= 0, left.attoseconds >= 0 else { throw .timedOut(seconds: timeoutSeconds) }
      var events = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      // rounded up, so that the last part of a millisecond is waited for and not spun through
      let milliseconds = min(left.seconds, 1_000_000) * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1
      guard poll(&events, 1, Int32(milliseconds)) > 0 else { continue }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      received.append(contentsOf: chunk[..<count])
      return count > 0
    }
  }

  private func failure() -> RegdClientFailure {
    errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut(seconds: timeoutSeconds) : .disconnected
  }

  private static func connect(_ descriptor: Int32, _ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      guard path.utf8.count < bytes.count else { return false }
      bytes.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return false
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
