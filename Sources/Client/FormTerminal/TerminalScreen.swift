internal import Linux

/// The terminal that the process belongs to, whatever its standard streams are: as a screen of its own with every key
/// read as it is, and as it was before when that is over.
package final class TerminalScreen {
  /// Why there is no screen to draw on.
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
  }

  private let terminal: Descriptor
  private let settings: TerminalSettings
  private let isStyled: Bool
  private var isEntered = false

  // xterm's names for them: the alternate screen, and paste in brackets
  private static let begin = "\u{1B}[?1049h\u{1B}[?2004h"
  private static let end = "\u{1B}[?2004l\u{1B}[?1049l"

  /// - Parameter styled: Whether the terminal wants colours.
  package init(styled: Bool) throws(Unusable) {
    let name = ThisProcess.variable("TERM") ?? ""
    guard !["", "dumb"].contains(name) else {
      throw Unusable(description: "the terminal (TERM=\(name)) cannot show a form")
    }
    isStyled = styled
    do throws(SystemError) { terminal = try Descriptor.controllingTerminal() } catch {
      throw Unusable(description: "there is no terminal to show a form on")
    }
    do throws(SystemError) { settings = try terminal.terminalSettings() } catch {
      throw Unusable(description: "the terminal does not tell its settings: \(error.text)")
    }
  }

  deinit { leave() }

  /// For poll(2): readable when keys were pressed.
  var number: Int32 { terminal.number }

  /// Takes the terminal over.
  func enter() {
    terminal.setTerminal(settings.raw, forgettingInput: false)
    isEntered = true
    write(Self.begin)
  }

  /// Gives the terminal back as it was. What was typed and not read yet is forgotten: a shell must not get it.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write(Self.end)
    terminal.setTerminal(settings, forgettingInput: true)
  }

  /// Columns and rows; those of a VT100 where the terminal does not tell.
  var size: (columns: Int, rows: Int) {
    guard let size = terminal.terminalSize, size.rows > 0 else { return (80, 24) }
    return size
  }

  func draw(_ drawing: Drawing) { write(drawing.sequences(styled: isStyled)) }

  func ring() { write("\u{7}") }

  /// What was typed; nil when the terminal has gone.
  func read() -> [UInt8]? {
    guard let bytes = try? terminal.read(atMost: 4096), !bytes.isEmpty else { return nil }
    return bytes
  }

  /// A terminal that has gone is noticed where it is read.
  private func write(_ text: String) { try? terminal.writeAll(text) }
}
