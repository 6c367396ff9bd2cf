internal import CLinux
internal import Glibc

/// The receiving end of sd_notify(3).
final class Readiness {
  let path: String
  private let descriptor: Int32

  init(_ directory: String) throws {
    path = "\(directory)/notify"
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = path
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard descriptor >= 0, bound == 0 else {
      throw RegdProcess.Failure(description: "\(path) cannot be bound: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Waits for READY=1, for the end of the process, or for a minute, which no start takes.
  func wait(for pid: Int32) -> Bool {
    let process = linux_pidfd_open(pid)
    defer { close(process) }
    while true {
      var events = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: process, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&events, 2, 60_000)
      if count < 0, errno == EINTR { continue }
      guard count > 0, events[0].revents != 0 else { return false }
      var message = [UInt8](repeating: 0, count: 4096)
      let length = recv(descriptor, &message, message.count, 0)
      guard length > 0 else { return false }
      let lines = String(decoding: message[..<length], as: UTF8.self).split(separator: "\n")
      if lines.contains("READY=1") { return true }
    }
  }
}
