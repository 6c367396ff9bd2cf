package import Linux
package import Localization

/// The process's controlling terminal, used as a full screen in raw mode. Leaving restores the previous screen and settings.
package final class TerminalScreen {
  /// Why the terminal cannot be used.
  package struct Unusable: Error, CustomStringConvertible {
    package let sentence: LocalizedMessage

    package var description: String { sentence.english }
  }

  private let terminal: Descriptor
  private let settings: TerminalSettings
  private let isStyled: Bool
  private var isEntered = false
  /// The drawing on the screen, or nil if another program may have written there.
  private var shown: (drawing: Drawing, columns: Int, rows: Int)?

  // xterm's alternate screen and bracketed paste
  private static let begin = "\u{1B}[?1049h\u{1B}[?2004h"
  private static let end = "\u{1B}[?2004l\u{1B}[?1049l"

  /// - Parameter styled: Whether to use colours.
  package init(styled: Bool) throws(Unusable) {
    let name = ThisProcess.variable("TERM") ?? ""
    guard !["", "dumb"].contains(name) else {
      throw Unusable(sentence: LocalizedMessage(FailureMessageKey.noScreen, ["term": .text(name)]))
    }
    isStyled = styled
    do throws(SystemError) { terminal = try Descriptor.controllingTerminal() } catch {
      throw Unusable(sentence: LocalizedMessage(FailureMessageKey.noTerminalToDraw))
    }
    do throws(SystemError) { settings = try terminal.terminalSettings() } catch {
      throw Unusable(sentence: LocalizedMessage(FailureMessageKey.noTerminalSettings, ["reason": .text(error.text)]))
    }
  }

  deinit { leave() }

  /// The descriptor for poll(2): readable when keys were pressed.
  package var number: Int32 { terminal.number }

  /// Switches to the full screen. May be called again, after another program may have changed the terminal.
  package func enter() {
    terminal.setTerminal(settings.raw, forgettingInput: false)
    isEntered = true
    shown = nil
    write(Self.begin)
  }

  /// Restores the terminal. Unread input is discarded, so that no shell reads it.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    write("\u{1B}[?25h" + Self.end)
    terminal.setTerminal(settings, forgettingInput: true)
  }

  /// The numbers of columns and rows, or 80 and 24 if the terminal does not report them.
  package var size: (columns: Int, rows: Int) {
    guard let size = terminal.terminalSize, size.rows > 0 else { return (80, 24) }
    return size
  }

  /// Shows a drawing, but sends only the rows that differ from the shown ones.
  package func draw(_ drawing: Drawing) {
    let size = size
    // a terminal moves its content when its size changes
    let isKnown = shown.map { $0.columns == size.columns && $0.rows == size.rows } ?? false
    guard !isKnown || shown?.drawing != drawing else { return }
    write(drawing.sequences(styled: isStyled, over: isKnown ? shown?.drawing : nil))
    shown = (drawing, size.columns, size.rows)
  }

  /// Restores the terminal and stops this process until another one continues it (SIGCONT).
  package func suspend() {
    leave()
    Signal.stop.send(to: ThisProcess.id)
    enter()
  }

  package func ring() { write("\u{7}") }

  /// Waits for input. Returns nil when the terminal has gone.
  package func read() -> [UInt8]? {
    guard let bytes = try? terminal.read(atMost: 4096), !bytes.isEmpty else { return nil }
    return bytes
  }

  /// Ignores a failure: `read` reports a terminal that has gone.
  private func write(_ text: String) { try? terminal.writeAll(text) }
}

extension Signal {
  /// Signals that end the program.
  package static let endings = [interrupt, terminate, hangUp, quit]

  /// Signals that a program with a full screen handles itself: those that end it, stop and continue, and a change of the window
  /// size.
  package static let ofScreen = endings + [windowSize, suspend, resume]
}
