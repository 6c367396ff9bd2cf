internal import Linux
package import Localization
package import RegdClient

/// The standard streams and the terminal.
package enum Terminal {
  /// Whether the command line asks for JSON. Searched before the command line is parsed, so that a usage error is also
  /// printed as JSON.
  package static let wantsJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")

  /// The name before messages on standard error. A program that regctl has become has regctl's, because that is the command
  /// that was typed.
  private static let program =
    CommandLine.arguments.first?.split(separator: "/").last == "regd-login" ? "regd-login" : "regctl"

  /// Ends the program with a usage error unless all arguments are UTF-8.
  package static func requireTextArguments() {
    for argument in (0..<Int(CommandLine.argc)).compactMap({ CommandLine.unsafeArgv[$0] })
    where String(validatingCString: argument) == nil {
      report(FailureMessageKey.argumentNotUTF8, ["argument": .text(String(cString: argument))])
      ThisProcess.exit(2)
    }
  }

  /// Writes a sentence in the user's language to standard error.
  package static func report(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    report(text: Speech.text(key, values))
  }

  /// Writes a message to standard error, with `--json` as an object. Nil writes nothing.
  package static func report(text message: String?) {
    guard let message else { return }
    if wantsJSON {
      report(failure(code: 0, "warning", message))
    } else {
      show("\(program): \(HarmlessText.lines(message))\n")
    }
  }

  /// Writes the message of a failure to standard error, with `--json` as an object.
  ///
  /// - Parameter code: The exit status.
  package static func report(code: Int32, _ reason: String, _ message: String) {
    if wantsJSON { report(failure(code: code, reason, message)) } else { report(text: message) }
  }

  /// Writes an object to standard error.
  package static func report(_ object: JSONValue) {
    show("\(Descriptor.standardError.isTerminal ? HarmlessText.line(object.text) : object.text)\n")
  }

  /// An object in the form of regd's errors. Its code is the exit status, which is not one of regd's codes. It is 0
  /// for a warning.
  private static func failure(code: Int32, _ reason: String, _ message: String) -> JSONValue {
    [
      "code": .number("\(code)"), "message": .string(message),
      "data": ["reason": .string(reason), "retryable": .bool(["timedOut", "cannotConnect"].contains(reason))],
    ]
  }

  /// Writes to standard error unchanged. Ignores a failure.
  package static func show(_ text: String) { try? Descriptor.standardError.writeAll(text) }

  /// Escapes control characters in a text for standard output, because it may come from another process, such as regd.
  /// JSON for a program remains unchanged.
  package static func printable(_ text: String) -> String {
    wantsJSON && !Descriptor.standardOutput.isTerminal ? text : HarmlessText.lines(text)
  }

  /// Whether to print colours on standard output.
  package static var wantsColour: Bool { Descriptor.standardOutput.isTerminal && allowsColour }

  /// Columns of the terminal on standard output, or 120 if there is no terminal or it does not report them.
  package static var width: Int { Descriptor.standardOutput.terminalSize?.columns ?? 120 }

  /// Whether the environment allows colours (no-color.org), and the terminal has them.
  package static var allowsColour: Bool {
    ThisProcess.variable("NO_COLOR")?.isEmpty ?? true && ThisProcess.variable("TERM") != "dumb"
  }
}

/// Standard output. All commands write here and nowhere else, which a test checks. No function is named `print` alone,
/// because a call of that name may be the standard library's, which escapes nothing.
extension Terminal {
  /// Prints a text with the control characters of its lines escaped, so that another process's text cannot control the
  /// terminal.
  package static func print(_ text: String, terminator: String = "\n") {
    Swift.print(printable(text), terminator: terminator)
  }

  /// Prints an empty line.
  package static func print() { Swift.print() }

  /// Prints a text as one line, whatever it contains. JSON is one line already.
  package static func printLine(_ text: String) { print(wantsJSON ? text : HarmlessText.line(text)) }

  /// Prints a text that is a file for programs, such as a generated client. It is unchanged in a file or pipe, but is escaped
  /// on a terminal.
  package static func print(document text: String) {
    Swift.print(Descriptor.standardOutput.isTerminal ? HarmlessText.lines(text) : text, terminator: "")
  }

  /// Prints lines with control sequences of regctl's own. All other parts of the text must be safe already.
  package static func print(styled text: String) { Swift.print(text) }
}
