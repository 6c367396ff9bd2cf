internal import ArgumentParser
internal import Linux
internal import RegdClient

/// What every command that calls regd takes.
struct ConnectionOptions: ParsableArguments {
  @Option(help: "regd's socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock.")
  var socket: String?

  @Option(help: "Seconds to wait for an answer.")
  var timeout = 60

  @Flag(help: "Print the result, or the error, as regd sent it.")
  var json = false

  var path: String { socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? "/run/regd/regd.sock" }

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes seconds from 1 to 86400") }
  }

  /// Calls regd, and prints the result: as it came with `--json`, else as `show` puts it.
  ///
  /// - Throws: `Refusal` where regd answered an error.
  func call(_ method: String, _ params: JSONValue? = nil, show: (JSONValue) throws -> Void) throws {
    switch try RegdClient(path: path, timeoutSeconds: timeout).call(method, params) {
    case .success(let result):
      if json { print(result.text) }
      try show(result)
    case .failure(let error):
      throw refusal(error)
    }
  }

  /// What is left to do with an error that regd answered: with `--json` it is printed as it came.
  func refusal(_ error: RegdError) -> Refusal {
    if json { print(error.source.text) }
    return Refusal(message: json ? nil : Self.describe(error))
  }

  /// Prints for people only.
  func say(_ line: String) { if !json { print(line) } }

  static func describe(_ error: RegdError) -> String {
    var lines = ["\(error.message) (\(error.reason))"]
    for problem in error.data["problems"]?.array ?? [] { lines.append("  " + Self.describe(problem)) }
    if let seconds = error.data["retryAfter"]?.integer { lines.append("  Try again in \(seconds) s.") }
    return lines.joined(separator: "\n")
  }

  /// One problem as a line.
  static func describe(_ problem: JSONValue) -> String {
    "\(problem["field"]?.string ?? "?"): \(problem["message"]?.string ?? "?") (\(problem["reason"]?.string ?? "?"))"
  }
}

/// How a command gets a password: never as an argument, which every process of the machine could see.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Read the password from the first line of standard input, and ask nobody.")
  var passwordStdin = false

  /// - Parameter confirm: Whether it is asked for a second time.
  func read(confirm: Bool) throws -> (password: String, confirmation: String) {
    if passwordStdin {
      guard let password = Terminal.readPasswordFromStandardInput() else {
        throw ValidationError("The password on standard input is not UTF-8.")
      }
      return (password, password)
    }
    guard let password = Terminal.readPassword("Password: "),
      let confirmation = confirm ? Terminal.readPassword("Password again: ") : password
    else { throw ValidationError("There is no terminal with UTF-8 to ask for the password; use --password-stdin.") }
    return (password, confirmation)
  }
}
