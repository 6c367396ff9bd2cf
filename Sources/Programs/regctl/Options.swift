internal import ArgumentParser
internal import Linux
internal import RegdClient

/// Options of all commands that call regd.
struct ConnectionOptions: ParsableArguments {
  @Option(help: "regd's socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock.")
  var socket: String?

  @Option(help: "Seconds to wait for an answer.")
  var timeout = 60

  @Flag(help: "Print the result as JSON, as regd sent it; errors as JSON on standard error.")
  var json = false

  var path: String { socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? "/run/regd/regd.sock" }

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes seconds from 1 to 86400") }
  }

  /// Calls regd. With `--json`, prints the result as regd sent it; `show` prints the rest.
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

  /// Turns an error that regd answered into a refusal.
  func refusal(_ error: RegdError) -> Refusal { Refusal(message: Self.describe(error), source: error.source) }

  /// Prints a line, but not with `--json`.
  func say(_ line: String) { if !json { print(line) } }

  static func describe(_ error: RegdError) -> String {
    var lines = ["\(error.message) (\(error.reason))"]
    for problem in error.data["problems"]?.array ?? [] { lines.append("  " + Self.describe(problem)) }
    if let seconds = error.data["retryAfter"]?.integer { lines.append("  Try again in \(seconds) s.") }
    return lines.joined(separator: "\n")
  }

  /// A problem of an entry, or of the configuration, as a line.
  static func describe(_ problem: JSONValue) -> String {
    if let place = problem["place"]?.string {
      let key = problem["key"]?.string.map { "\($0): " } ?? ""
      return "\(place): \(key)\(problem["message"]?.string ?? "?")"
    }
    return
      "\(problem["field"]?.string ?? "?"): \(problem["message"]?.string ?? "?") (\(problem["reason"]?.string ?? "?"))"
  }
}

/// How a command gets a password: never as an argument, which every process of the machine could read.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Read the password from the first line of standard input, and ask nobody.")
  var passwordStdin = false

  /// - Parameter confirm: Whether to ask for the password a second time.
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
