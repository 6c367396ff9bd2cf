internal import CLinux
internal import Glibc

/// Settings of a terminal (termios(3)).
package struct TerminalSettings: Sendable {
  private var settings: termios

  fileprivate init(_ settings: termios) { self.settings = settings }

  /// The same settings in raw mode: each key is read as it is pressed, and nothing is echoed.
  package var raw: TerminalSettings {
    var raw = self
    cfmakeraw(&raw.settings)
    return raw
  }

  /// The same settings without echo of typed characters.
  package var silent: TerminalSettings {
    var silent = self
    silent.settings.c_lflag &= ~tcflag_t(ECHO)
    return silent
  }

  fileprivate func apply(_ descriptor: Int32, _ when: Int32) {
    var settings = settings
    tcsetattr(descriptor, when, &settings)
  }
}

extension Descriptor {
  /// Opens the process's controlling terminal, even if the standard streams are redirected.
  package static func controllingTerminal() throws(SystemError) -> Descriptor {
    try open("/dev/tty", .readingAndWriting)
  }

  package var isTerminal: Bool { isatty(number) == 1 }

  /// Size of the terminal, or nil if the descriptor is not a terminal, or the terminal does not report it.
  package var terminalSize: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  package func terminalSettings() throws(SystemError) -> TerminalSettings {
    var settings = termios()
    _ = try checked("tcgetattr") { tcgetattr(number, &settings) }
    return TerminalSettings(settings)
  }

  /// Changes the settings after all output is written. Ignores failures.
  ///
  /// - Parameter forgetsInput: Whether to discard input that was not read yet.
  package func setTerminal(_ settings: TerminalSettings, forgettingInput forgetsInput: Bool) {
    settings.apply(number, forgetsInput ? TCSAFLUSH : TCSADRAIN)
  }
}

/// The locale's character set (locale(7)).
package enum Locale {
  /// Takes the locale from the environment. If the locale's name says UTF-8 but this machine lacks the locale, takes
  /// `C.UTF-8`, which glibc always has, because the terminal shows UTF-8 anyway.
  ///
  /// - Returns: Whether the locale's characters are UTF-8.
  package static func adopt() -> Bool {
    if setlocale(LC_CTYPE, "") == nil {
      let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(ThisProcess.variable).filter { !$0.isEmpty }
      let codeset = names.first?.split(separator: "@").first?.split(separator: ".").dropFirst().first
      if let codeset, ["utf-8", "utf8"].contains(codeset.lowercased()) { setlocale(LC_CTYPE, "C.UTF-8") }
    }
    return String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
  }

  /// Columns that a character takes on a terminal, or -1 for one that cannot be printed.
  package static func columns(of scalar: Unicode.Scalar) -> Int { Int(linux_columns_of(scalar.value)) }
}
