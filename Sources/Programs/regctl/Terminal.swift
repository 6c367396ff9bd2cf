internal import FullScreen
internal import Linux
internal import RegdClient
internal import Sentences
internal import Wiping

/// The standard streams and the controlling terminal.
enum Terminal {
  /// Whether the command line asks for JSON. Searched before the command line is parsed, so that a usage error is also
  /// printed as JSON.
  static let wantsJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")

  /// Writes a sentence in the user's language to standard error.
  static func report(_ key: some SentenceKey, _ values: KeyValuePairs<String, Sentence.Content> = [:]) {
    report(text: Speech.text(key, values))
  }

  /// Writes a message to standard error, with `--json` as an object. Nil writes nothing.
  static func report(text message: String?) {
    guard let message else { return }
    if wantsJSON {
      report(CommandFailure.json(code: 0, "warning", message))
    } else {
      show("regctl: \(HarmlessText.lines(message))\n")
    }
  }

  /// Writes an object to standard error.
  static func report(_ object: JSONValue) {
    show("\(Descriptor.standardError.isTerminal ? HarmlessText.line(object.text) : object.text)\n")
  }

  /// Writes to standard error unchanged. Ignores a failure.
  static func show(_ text: String) { try? Descriptor.standardError.writeAll(text) }

  /// - Throws: `Refusal` if a part of the output was lost, because a script must not take the other part for the whole output.
  static func checkOutput() throws {
    guard !ThisProcess.hasLostOutput else { throw Refusal(FailureSentence.outputLost) }
  }

  /// Escapes control characters in a text for standard output, because it may come from another process, such as regd.
  /// JSON for a program remains unchanged.
  static func printable(_ text: String) -> String {
    wantsJSON && !Descriptor.standardOutput.isTerminal ? text : HarmlessText.lines(text)
  }

  /// Whether to print colours on standard output.
  static var wantsColour: Bool { Descriptor.standardOutput.isTerminal && allowsColour }

  /// Columns of the terminal on standard output, or 120 if there is no terminal or it does not report them.
  static var width: Int { Descriptor.standardOutput.terminalSize?.columns ?? 120 }

  /// Whether the environment allows colours (no-color.org), and the terminal has them.
  static var allowsColour: Bool {
    ThisProcess.variable("NO_COLOR")?.isEmpty ?? true && ThisProcess.variable("TERM") != "dumb"
  }

  /// Asks a question on the controlling terminal, with echo.
  ///
  /// - Returns: The typed line, or nil without a terminal, and if no line was read.
  static func ask(_ key: PromptSentence, _ values: KeyValuePairs<String, Sentence.Content>) -> String? {
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
  static func tell(_ key: PromptSentence, _ values: KeyValuePairs<String, Sentence.Content> = [:]) {
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

  /// Opens a file for reading. "-" is standard input.
  ///
  /// - Throws: A refusal with the reason.
  static func openInput(_ file: String) throws -> Descriptor {
    do throws(SystemError) { return try file == "-" ? .standardInput : .open(file, .reading) } catch {
      throw Refusal(FailureSentence.cannotOpen, ["file": .text(file), "reason": .text(error.text)])
    }
  }

  /// Reads all of standard input.
  static func readStandardInput() -> [UInt8] { (try? Descriptor.standardInput.readToEnd(beyond: .max)) ?? [] }

  /// Reads the next line of standard input, and nothing after it.
  static func readLineFromStandardInput() -> Line { readLine(from: Descriptor.standardInput) }
}

/// Standard output. All commands write here and nowhere else, which a test checks. No function is named `print` alone,
/// because a call of that name may be the standard library's, which escapes nothing.
extension Terminal {
  /// Prints a text with the control characters of its lines escaped, so that another process's text cannot control the
  /// terminal.
  static func print(_ text: String, terminator: String = "\n") {
    Swift.print(printable(text), terminator: terminator)
  }

  /// Prints an empty line.
  static func print() { Swift.print() }

  /// Prints a text as one line, whatever it contains. JSON is one line already.
  static func printLine(_ text: String) { print(wantsJSON ? text : HarmlessText.line(text)) }

  /// Prints rows, each safe for the terminal, in colour if the terminal has it.
  static func print(_ rows: [[Drawing.Span]]) {
    for row in rows { Swift.print(Drawing.text(row, styled: wantsColour)) }
  }

  /// Prints a text that is a file for programs, such as a generated client. It is unchanged in a file or pipe, but is escaped
  /// on a terminal.
  static func print(document text: String) {
    Swift.print(Descriptor.standardOutput.isTerminal ? HarmlessText.lines(text) : text, terminator: "")
  }

  /// Prints lines with control sequences of regctl's own. All other parts of the text must be safe already.
  static func print(styled text: String) { Swift.print(text) }
}
