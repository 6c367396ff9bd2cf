import Glibc
import Linux
import Testing

/// The receiving end of sd_notify(3).
final class NotifySocket {
  let path: String
  private let socket: Descriptor

  init(_ directory: String) throws {
    path = "\(directory)/told"
    socket = try Descriptor.socket(.localDatagram)
    try socket.bind(to: SocketAddress(path: path))
  }

  /// Receives messages until one contains `text`.
  ///
  /// - Returns: All messages, with that one at the end.
  @discardableResult
  func until(_ text: String) throws -> [String] {
    var all: [String] = []
    while all.last?.contains(text) != true {
      guard Polling.isReady(.readable(socket.number), atMost: .seconds(300)) else {
        Issue.record("nothing came with \(text): \(all)")
        return all
      }
      all.append(String(decoding: try socket.receive(atMost: 4096), as: UTF8.self))
    }
    return all
  }

  var isEmpty: Bool { !Polling.isReady(.readable(socket.number), atMost: .zero) }

  /// Sends to the socket until it accepts no more.
  func fill() {
    let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(sender) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isTaken = {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(sender, "x", 1, Int32(MSG_DONTWAIT), $0, size) }
      } == 1
    }
    while isTaken() {}
  }

  /// For a regd whose service manager is the test. The shell notifies the service manager that waits for the start.
  func starter(_ watchdog: String = "") -> [String] {
    ["/bin/sh", "-c", "systemd-notify --ready; NOTIFY_SOCKET=\(path) \(watchdog) exec \"$0\" \"$@\""]
  }
}
