internal import Linux
internal import Localization
internal import SecureMemory
internal import UserMessages

/// Questions at the controlling terminal, and standard input.
extension Terminal {
  /// Asks a question on the controlling terminal, with echo.
  ///
  /// - Returns: The typed line, or nil without a terminal, and if no line was read.
  static func ask(_ key: PromptMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content>) -> String? {
    if case .line(let answer)? = prompt(Speech.text(key, values)) { answer } else { nil }
  }

  /// Asks a question on the controlling terminal, with echo.
  ///
  /// - Returns: Nil without a terminal.
  static func prompt(_ question: String) -> Line? {
    guard let terminal = try? Descriptor.controllingTerminal() else { return nil }
    try? terminal.writeAll(HarmlessText.lines(question))
    return readLine(from: terminal)
  }

  /// Writes to the controlling terminal, if there is one: for dialogues with the user, because standard output has only
  /// results.
  static func tell(_ key: PromptMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    tell(text: Speech.text(key, values))
  }

  /// Writes a text that is in the user's language to the controlling terminal.
  static func tell(text: String) {
    guard let terminal = try? Descriptor.controllingTerminal() else { return }
    try? terminal.writeAll("\(HarmlessText.lines(text))\n")
  }

  /// The result of reading a line.
  enum Line {
    case line(String)
    /// The input ended before any byte. On a terminal, the user typed Control-D.
    case end
    /// The line is not UTF-8.
    case unreadable
  }

  /// Asks on the controlling terminal without echo. A signal that comes meanwhile takes effect once the terminal is
  /// restored.
  ///
  /// - Returns: Nil without a terminal, or if the line is not UTF-8. An empty string after Control-D.
  static func readPassword(_ prompt: String) -> String? {
    guard let terminal = try? Descriptor.controllingTerminal(), let settings = try? terminal.terminalSettings() else {
      return nil
    }
    let (line, signal) = readSilently(prompt, terminal, settings)
    signal?.takeEffect()
    switch line {
    case .line(let password): return password
    case .end: return ""
    case .unreadable: return nil
    }
  }

  private static func readSilently(
    _ prompt: String, _ terminal: borrowing Descriptor, _ settings: TerminalSettings
  ) -> (line: Line, signal: Signal?) {
    guard let signals = try? SignalDescriptor([.interrupt, .terminate, .hangUp, .quit]) else {
      return (.unreadable, nil)
    }
    terminal.setTerminal(settings.silent, forgettingInput: true)
    try? terminal.writeAll(prompt)
    let line = readLine(from: terminal, until: signals.number)
    try? terminal.writeAll("\n")
    terminal.setTerminal(settings, forgettingInput: true)
    let isInterrupted = Polling.isReady(.readable(signals.number), atMost: .zero)
    return (line, isInterrupted ? signals.next() : nil)
  }

  /// - Parameter interruption: A descriptor that ends the reading once it is readable.
  private static func readLine(from descriptor: borrowing Descriptor, until interruption: Int32? = nil) -> Line {
    var bytes: [UInt8] = []
    var byte: [UInt8] = [0]
    defer {
      wipe(&bytes)
      wipe(&byte)
    }
    var hasEnded = false
    while true {
      if let interruption, Polling.wait(for: [.readable(descriptor.number), .readable(interruption)])[1] { break }
      let count = byte.withUnsafeMutableBytes { try? descriptor.read(into: $0) }
      hasEnded = count != 1
      guard !hasEnded, byte[0] != UInt8(ascii: "\n") else { break }
      bytes += byte
    }
    if hasEnded, bytes.isEmpty { return .end }
    return String(validating: bytes, as: UTF8.self).map(Line.line) ?? .unreadable
  }

  /// Reads all of standard input.
  static func readStandardInput() -> [UInt8] { (try? Descriptor.standardInput.readToEnd(beyond: .max)) ?? [] }

  /// Reads the next line of standard input, and nothing after it.
  static func readLineFromStandardInput() -> Line { readLine(from: Descriptor.standardInput) }
}
