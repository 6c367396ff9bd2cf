internal import Linux

/// The receiving end of sd_notify(3).
struct Readiness: ~Copyable {
  let path: String
  private let socket: Descriptor

  init(_ directory: String) throws(SystemError) {
    let path = "\(directory)/notify"
    FileSystem.remove(path)
    let socket = try Descriptor.socket(.localDatagram)
    try socket.bind(to: SocketAddress(path: path))
    self.path = path
    self.socket = socket
  }

  /// Waits at most five minutes, because a busy machine may take long, and a process that hangs must be ended.
  ///
  /// - Returns: Whether the process has sent READY=1. It is false if it ended first, or the time is up.
  func wait(for pid: Int32) throws(SystemError) -> Bool {
    let process = try Descriptor.ofProcess(pid)
    while Polling.wait(for: [.readable(socket.number), .readable(process.number)], atMost: .seconds(300))[0] {
      let message = String(decoding: try socket.receive(atMost: 4096), as: UTF8.self)
      if message.split(separator: "\n").contains("READY=1") { return true }
    }
    return false
  }
}
