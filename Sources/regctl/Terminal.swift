internal import Glibc

/// Standard streams and the terminal behind them.
enum Terminal {
  static func complain(_ message: String?) {
    guard let message else { return }
    let line = "regctl: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }

  /// Whether standard output is a terminal that wants colours (no-color.org).
  static var wantsColour: Bool { isatty(STDOUT_FILENO) == 1 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true) }

  /// Asks on the terminal itself, whatever the standard streams are, and does not show what is typed.
  ///
  /// - Returns: Nil where there is no terminal.
  static func readPassword(_ prompt: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &settings) }
    _ = write(terminal, prompt, prompt.utf8.count)
    let line = readLine(from: terminal)
    _ = write(terminal, "\n", 1)
    return line
  }

  /// Bytes up to a line feed, which is not among them.
  private static func readLine(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    defer { for index in bytes.indices { bytes[index] = 0 } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first line of standard input.
  static func readPasswordFromStandardInput() -> String { readLine(from: STDIN_FILENO) }
}
