internal import CLinux
internal import Glibc

/// A program that listens on a port for us, with all that it forks. It dies with us, whatever we die of: beside it waits a
/// shell that kills their process group when our end of a socket is closed. The other end is theirs, so that when it is
/// closed the last of them is gone.
final class ServingProcess: Sendable {
  private let pid: pid_t
  /// Our end.
  let leash: Descriptor

  /// Returns when it listens.
  init(_ program: String, _ arguments: [String], on port: Port, log: String) throws(Hindrance) {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw Hindrance("socketpair", errno)
    }
    leash = Descriptor(pair[0])
    let theirs = Descriptor(pair[1])
    let script = "(read -r _ <&3; kill -KILL 0) & exec \"$@\""
    pid = try Spawning.start(
      try Programs.shell(), ["-c", script, "sh", program] + arguments, log: log, third: theirs.number)
    theirs.close()
    do { try waitUntilListening(port) } catch {
      stop()
      throw Hindrance("\(program): \(error.description) \(TextFile.read(log) ?? "")")
    }
  }

  deinit { stop() }

  /// Kills it and what it forked, and returns when all are gone and the port is free.
  func stop() {
    // once: the number may be another's afterwards
    guard leash.isOpen else { return }
    kill(-pid, SIGKILL)
    var byte: UInt8 = 0
    while recv(leash.number, &byte, 1, 0) < 0, errno == EINTR {}
    Spawning.wait(for: pid)
    leash.close()
  }

  /// Connects until somebody is there; between two attempts it waits for the process's end.
  private func waitUntilListening(_ port: Port) throws(Hindrance) {
    let process = Descriptor(linux_pidfd_open(pid))
    for _ in 0..<10_000 {
      if try port.connected() != nil { return }
      var event = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
      if poll(&event, 1, 2) > 0 { throw Hindrance("ended before it listened.") }
    }
    throw Hindrance("did not listen within 20 seconds.")
  }
}
