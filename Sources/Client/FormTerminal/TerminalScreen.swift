internal import Glibc

/// The terminal that the process belongs to, whatever its standard streams are: as a screen of its own with every key
/// read as it is, and as it was before when that is over.
package final class TerminalScreen {
  /// Why there is no screen to draw on.
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
  }

  let descriptor: Int32
  private let settings: termios
  private let isStyled: Bool
  private var isEntered = false

  // xterm's names for them: the alternate screen, and paste in brackets
  private static let begin = "\u{1B}[?1049h\u{1B}[?2004h"
  private static let end = "\u{1B}[?2004l\u{1B}[?1049l"

  /// - Parameter styled: Whether the terminal wants colours.
  package init(styled: Bool) throws(Unusable) {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !["", "dumb"].contains(name) else {
      throw Unusable(description: "the terminal (TERM=\(name)) cannot show a form")
    }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unusable(description: "there is no terminal to show a form on") }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      close(descriptor)
      throw Unusable(description: "the terminal does not tell its settings: \(String(cString: strerror(errno)))")
    }
    (self.descriptor, self.settings, isStyled) = (descriptor, settings, styled)
  }

  deinit {
    leave()
    close(descriptor)
  }

  /// Takes the terminal over.
  func enter() {
    var raw = settings
    cfmakeraw(&raw)
    tcsetattr(descriptor, TCSADRAIN, &raw)
    isEntered = true
    write(Self.begin)
  }

  /// Gives the terminal back as it was. What was typed and not read yet is forgotten: a shell must not get it.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write(Self.end)
    var settings = settings
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Columns and rows; those of a VT100 where the terminal does not tell.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func draw(_ drawing: Drawing) { write(drawing.sequences(styled: isStyled)) }

  func ring() { write("\u{7}") }

  /// What was typed; nil when the terminal has gone.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    defer { for index in bytes.indices { bytes[index] = 0 } }
    if count < 0, errno == EINTR { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // a terminal that has gone is noticed where it is read
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
