package import ArgumentParser
internal import Linux
package import Localization
package import RegdClient
internal import UserMessages

/// Options of all commands that call regd.
package struct ConnectionOptions: ParsableArguments {
  @Option(help: .said(CommonHelp.socket, valueName: "path"))
  package var socket: String?

  @Option(help: .said(CommonHelp.timeout, valueName: "seconds"))
  package var timeout = 60

  @Flag(help: .said(CommonHelp.json))
  package var json = false

  package init() {}

  /// How long to wait for an answer. Gives up early if regd cannot start, unless the user gave `--timeout`.
  package var patience: Patience {
    SilentUnit.patience(path, givesUp: !CommandLine.arguments.contains { $0.hasPrefix("--timeout") })
  }

  package var path: String { socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? "/run/regd/regd.sock" }

  package func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError(UsageMessageKey.timeout) }
  }

  /// Calls regd. With `--json`, prints the result as regd sent it. `show` gets the result in any case.
  ///
  /// - Throws: `RegdError` if regd answered with an error, `RegdClientFailure` if no answer came.
  package func call(_ method: String, _ params: JSONValue? = nil, show: (JSONValue) throws -> Void) throws {
    let result = try result(of: method, params)
    if json { Terminal.print(result.text) }
    try show(result)
  }

  /// Calls regd and prints nothing.
  ///
  /// - Throws: `RegdError` if regd answered with an error, `RegdClientFailure` if no answer came.
  package func result(of method: String, _ params: JSONValue? = nil) throws -> JSONValue {
    try answer(to: method, params).get()
  }

  /// Calls regd over a new connection, because a person may take longer between two calls than regd keeps an idle
  /// connection.
  package func answer(to method: String, _ params: JSONValue? = nil) throws -> Result<JSONValue, RegdError> {
    try client().call(method, params)
  }

  /// Opens a connection on which regd answers in the user's language.
  ///
  /// - Throws: `.cannotConnect`.
  package func client() throws(RegdClientFailure) -> RegdClient {
    try RegdClient(
      path: path, timeoutSeconds: timeout, language: Speech.locale.wish, patience: patience)
  }

  /// Like `client`, but for several requests in flight.
  ///
  /// - Throws: `.cannotConnect`.
  package func conversation() throws(RegdClientFailure) -> RegdConversation {
    try RegdConversation(
      path: path, timeoutSeconds: timeout, language: Speech.locale.wish, patience: patience)
  }

  /// Prints a line, but not with `--json`.
  package func say(line: String) { if !json { Terminal.printLine(line) } }

  /// Prints a sentence in the user's language, but not with `--json`.
  package func say(_ sentence: LocalizedMessage) { if !json { Terminal.print(Speech.text(sentence)) } }

  package func say(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    say(LocalizedMessage(key, values))
  }

  /// The error in lines: its message, its problems, and when to try again. Nothing is in it twice: regd's message may be that of
  /// the first problem, and may contain the wait.
  package static func describe(_ error: RegdError) -> String {
    let problems = error.data["problems"]?.array ?? []
    let isRepeated =
      error.reason == "validation.failed" && problems.contains { $0["message"]?.string == error.message }
    var lines = [
      isRepeated ? Speech.line(Speech.text(ValidationMessageKey.failed), reason: error.reason) : line(of: error)
    ]
    for problem in problems { lines.append("  " + Self.describe(problem)) }
    if let seconds = error.data["retryAfter"]?.integer, !namesWait(error, seconds) {
      lines.append("  \(Speech.text(RefusalMessageKey.tryAgain, ["seconds": .number(seconds)]))")
    }
    return lines.map(HarmlessText.line).joined(separator: "\n")
  }

  /// Whether the error's message contains the wait, in the digits of whatever language.
  private static func namesWait(_ error: RegdError, _ seconds: Int) -> Bool {
    // the same number in the message may be the limit
    guard error.data["limit"]?.integer != seconds else { return false }
    return error.message.split { $0.wholeNumberValue == nil }.contains { digits in
      Int(digits.compactMap(\.wholeNumberValue).map(String.init).joined()) == seconds
    }
  }

  /// The error's message, with its reason (a stable name) for programs.
  package static func line(of error: RegdError) -> String { Speech.line(error.message, reason: error.reason) }

  /// A problem of an entry or of the configuration, in one line.
  package static func describe(_ problem: JSONValue) -> String {
    func member(_ name: String) -> LocalizedMessage.Content { .text(problem.shown(name)) }
    let message = member("message")
    guard problem["place"]?.string != nil else {
      return Speech.text(
        RefusalMessageKey.problem, ["field": member("field"), "message": message, "reason": member("reason")])
    }
    guard problem["key"]?.string != nil else {
      return Speech.text(RefusalMessageKey.problemAtPlace, ["place": member("place"), "message": message])
    }
    return Speech.text(
      RefusalMessageKey.problemOfKey, ["place": member("place"), "key": member("key"), "message": message])
  }
}

extension JSONValue {
  /// This object with another member. Nil adds no member.
  package func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
    guard let value, case .object(let members) = self else { return self }
    return .object(members + [.init(name, value)])
  }

  /// This object with another member, an array of texts. No member is added if there are no texts.
  package func adding(_ name: String, _ texts: [String]) -> JSONValue {
    adding(name, texts.isEmpty ? nil : .array(texts.map(JSONValue.string)))
  }

  /// A member's text for a person, or a question mark if the member is missing.
  ///
  /// - Parameter path: The names of the members that lead to it.
  package func shown(_ path: String...) -> String { path.reduce(self as JSONValue?) { $0?[$1] }?.string ?? "?" }

  /// A member's time, to the second.
  package func time(_ member: String) -> String { "\(shown(member).prefix(19))Z" }
}
