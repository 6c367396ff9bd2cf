import Glibc
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl matrix, interrupted", .blocking, .timeLimit(.minutes(10)))
struct InterruptedMatrixTests {
  /// A regd that is never ready. When a process watches it (a process that has its id as an argument), it writes into a
  /// FIFO whether it has a terminal, and the path of the cell's directory. It keeps the FIFO open until it ends.
  private static func program(_ directory: String) -> String {
    """
    #!/bin/sh
    [ "$1" = --config ] || exit 0
    exec 9>'\(directory)/fifo'
    until grep -qsxz "$$" /proc/[0-9]*/cmdline; do :; done
    { (: </dev/tty) && echo "terminal ${NOTIFY_SOCKET%/*}" >&9 || echo "none ${NOTIFY_SOCKET%/*}" >&9; } 2>/dev/null
    exec sleep 120
    """
  }

  /// The next text from a FIFO: "" if its writers have ended, nil if nothing arrives in time.
  private static func next(_ fifo: Int32) -> String? {
    var events = [pollfd(fd: fifo, events: Int16(POLLIN), revents: 0)]
    guard poll(&events, 1, Patience.milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(fifo, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test(
    "regctl matrix starts each regd without its terminal, and leaves nothing behind when it is interrupted or killed",
    arguments: ["\u{3}", nil])
  func interrupted(_ key: String?) throws {
    try TemporaryDirectory.with { directory in
      let regd = "\(directory)/regd"
      try TextFile.write(Self.program(directory), to: regd)
      try #require(chmod(regd, 0o700) == 0 && mkfifo("\(directory)/fifo", 0o600) == 0)
      let fifo = open("\(directory)/fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(fifo >= 0)
      defer { close(fifo) }
      let terminal = try PseudoTerminal(
        program: Places.regctl,
        arguments: ["matrix", "--jobs", "1", "--regd", regd, "--filter", "success", Places.environments])
      let words = try #require(Self.next(fifo)).split { $0.isWhitespace }
      #expect(words.first == "none")
      let used = String(try #require(words.last))
      #expect(access(used, F_OK) == 0)
      if let key { terminal.type(key) } else { terminal.kill() }
      #expect(terminal.finish() == 128 + (key == nil ? SIGKILL : SIGINT))
      #expect(Self.next(fifo) == "", "a regd is still there")
      #expect(Self.isRemoved(used), "its directory is still there")
    }
  }

  /// Waits until a directory is removed.
  private static func isRemoved(_ directory: String) -> Bool {
    let end = ContinuousClock.now + .seconds(Patience.seconds)
    while access(directory, F_OK) == 0, ContinuousClock.now < end { usleep(10_000) }
    return access(directory, F_OK) != 0
  }
}
