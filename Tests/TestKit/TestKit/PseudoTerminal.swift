internal import CLinux
internal import Glibc
internal import Linux

/// A program on its own pseudoterminal: a test types keys and reads the output. Blocks. Only one thread may use it at a time.
package final class PseudoTerminal {
  private let master: Int32
  private let pid: Int32
  /// All output so far.
  package private(set) var screen = ""

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package init(program: String, arguments: [String]) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 256)
    guard openpty(&master, &slave, &name, nil, nil) == 0 else {
      throw Failure(description: "no pseudo terminal: \(String(cString: strerror(errno)))")
    }
    defer { close(slave) }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    self.master = master
    // The child leads a session, and the first terminal that it opens becomes the controlling terminal, whose keys send
    // signals. resetsSignals unblocks them, because a test's threads block signals.
    let terminal = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      pid = try ChildProcess.start(
        program, arguments, [0: .terminal(path: terminal), 1: .child(0), 2: .child(0)],
        resetsSignals: true)
    } catch {
      close(master)
      throw error
    }
  }

  deinit { close(master) }

  /// Reads until the new output, since the last call, contains `text`.
  package func wait(for text: String) throws {
    var seen = ""
    while !seen.contains(text) {
      guard let more = read() else { throw Failure(description: "it ended without \"\(text)\": \(screen)") }
      seen += more
    }
  }

  package func type(_ text: String) { _ = write(master, text, text.utf8.count) }

  /// Kills the program, and nothing that it has started.
  package func kill() { _ = Glibc.kill(pid, SIGKILL) }

  /// Reads to the end.
  ///
  /// - Returns: The exit status.
  package func finish() -> Int32 {
    while read() != nil {}
    // kills processes that still run, because none has the terminal open any more, or none wrote anything for
    // `Patience`
    _ = Glibc.kill(-pid, SIGKILL)
    return ChildProcess.reap(pid) ?? -1
  }

  /// Reads some output. Returns nil if no process has the terminal open any more, or if nothing came for `Patience`.
  private func read() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var descriptors = [pollfd(fd: master, events: Int16(POLLIN), revents: 0)]
    guard poll(&descriptors, 1, Patience.milliseconds) > 0 else { return nil }
    let count = Glibc.read(master, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    screen += text
    return text
  }
}
