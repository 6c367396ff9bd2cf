internal import CLinux
internal import Glibc
internal import Synchronization

/// The signal that ended the reading of a password; 0 for none.
private let interruption = Atomic<Int32>(0)
/// Where its coming is written to, so that it is seen also when it comes just before a read.
private let alarm = Atomic<Int32>(-1)

/// Standard streams and the terminal behind them.
enum Terminal {
  static func complain(_ message: String?) {
    guard let message else { return }
    let line = "regctl: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }

  /// - Throws: Where what was printed could not be written: a script must not take half of an output for all of it.
  static func checkOutput() throws {
    guard linux_standard_output_failed() == 0 else {
      throw Refusal(message: "standard output cannot be written")
    }
  }

  /// Whether standard output is a terminal that wants colours.
  static var wantsColour: Bool { isatty(STDOUT_FILENO) == 1 && allowsColour }

  /// Columns of standard output's terminal; where it is none, or does not say, as many as most have.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 120 }
    return Int(size.ws_col)
  }

  /// Whether the user lets a terminal be colourful (no-color.org).
  static var allowsColour: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

  /// Asks on the terminal itself something that is no secret.
  ///
  /// - Returns: Nil where there is no terminal.
  static func ask(_ question: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    _ = write(terminal, question, question.utf8.count)
    return readLine(from: terminal)
  }

  /// Asks on the terminal itself, whatever the standard streams are, and does not show what is typed.
  ///
  /// - Returns: Nil where there is no terminal, or what was typed is no UTF-8.
  static func readPassword(_ prompt: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else { return nil }
    alarm.store(pipeEnds[1], ordering: .relaxed)
    defer { for end in pipeEnds { close(end) } }
    let interruptions = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    for number in interruptions { catchInterruption(number) }
    tcsetattr(terminal, TCSAFLUSH, &silent)
    _ = write(terminal, prompt, prompt.utf8.count)
    let line = readLine(from: terminal, until: pipeEnds[0])
    _ = write(terminal, "\n", 1)
    tcsetattr(terminal, TCSAFLUSH, &settings)
    for number in interruptions { signal(number, SIG_DFL) }
    // the terminal shows again what is typed: now the signal may do what it does
    let number = interruption.load(ordering: .relaxed)
    if number != 0 { raise(number) }
    return line
  }

  /// Has a signal end the reading instead of the process, so that the terminal can be put right first.
  private static func catchInterruption(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      interruption.store(number, ordering: .relaxed)
      _ = write(alarm.load(ordering: .relaxed), "!", 1)
    }
    sigaction(number, &action, nil)
  }

  /// Bytes up to a line feed, which is not among them.
  ///
  /// - Parameter alarm: A descriptor; the reading ends when there is something to read from it.
  /// - Returns: Nil where they are no UTF-8: another password must not become the same by being repaired.
  private static func readLine(from descriptor: Int32, until alarm: Int32 = -1) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while isReady(descriptor, alarm), read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    defer { for index in bytes.indices { bytes[index] = 0 } }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Waits for the first descriptor; not if there is something to read from the second.
  private static func isReady(_ descriptor: Int32, _ alarm: Int32) -> Bool {
    guard alarm >= 0 else { return true }
    var events = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&events, 2, -1) < 0, errno == EINTR {}
    return events[1].revents == 0
  }

  /// All of standard input.
  static func readStandardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The first line of standard input; nil where it is no UTF-8.
  static func readPasswordFromStandardInput() -> String? { readLine(from: STDIN_FILENO) }
}
