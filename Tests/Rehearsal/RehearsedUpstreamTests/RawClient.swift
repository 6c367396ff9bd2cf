import CLinux
import Glibc
import RehearsedUpstream
import Testing

/// A client that reads the bytes on the wire.
final class RawClient {
  enum Ending: Equatable {
    case finished, reset
  }

  let descriptor: Int32
  private var pending: [UInt8] = []

  /// Connects without waiting.
  ///
  /// - Parameter port: A port of 127.0.0.1.
  init(beginningTo port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    _ = fcntl(descriptor, F_SETFL, 0)
    // a minute, longer than any answer takes, so that a hanging server fails the test instead of blocking it
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  convenience init(_ server: UpstreamServer) throws {
    self.init(beginningTo: server.port)
    try #require(connection == 0)
  }

  deinit { close(descriptor) }

  /// The result of connecting: 0, or an errno.
  var connection: Int32 {
    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&event, 1, -1) < 0, errno == EINTR {}
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
    return error
  }

  /// Whether nothing has happened so far: no connection, no refusal, no bytes, no end.
  var isSilent: Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
    return poll(&event, 1, 0) == 0
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// One answer, by its Content-Length.
  func answer() -> String {
    while true {
      let text = String(decoding: pending, as: UTF8.self)
      if let end = text.range("\r\n\r\n"), let length = text.range("Content-Length: ") {
        let digits = text.utf8[length.upperBound...].prefix { 0x30...0x39 ~= $0 }
        let total = text.utf8.distance(from: text.startIndex, to: end.upperBound) + (Int(String(digits) ?? "") ?? 0)
        if pending.count >= total {
          defer { pending.removeFirst(total) }
          return String(decoding: pending[..<total], as: UTF8.self)
        }
      }
      guard receive() > 0 else { return "END AFTER: " + text }
    }
  }

  /// Everything until the connection ends, and how it ends.
  func rest() -> (text: String, ending: Ending) {
    while true {
      let count = receive()
      if count > 0 { continue }
      return (String(decoding: pending, as: UTF8.self), count == 0 ? .finished : .reset)
    }
  }

  /// This number of bytes, or fewer if the connection ends first.
  func text(of count: Int) -> String {
    while pending.count < count, receive() > 0 {}
    defer { pending.removeFirst(min(count, pending.count)) }
    return String(decoding: pending.prefix(count), as: UTF8.self)
  }

  private func receive() -> Int {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 { pending += chunk[..<count] }
    if count < 0, errno != ECONNRESET { Issue.record("recv: errno \(errno)") }
    return count
  }
}

extension UpstreamServer {
  /// The port of the base URL.
  var port: UInt16 { UInt16(baseURL.split(separator: ":")[2].prefix { $0 != "/" }) ?? 0 }
}

extension String {
  func range(_ part: String) -> Range<String.Index>? {
    var start = utf8.startIndex
    while start < utf8.endIndex {
      if utf8[start...].starts(with: part.utf8) { return start..<utf8.index(start, offsetBy: part.utf8.count) }
      start = utf8.index(after: start)
    }
    return nil
  }
}
