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
    let result = try result(of: method, params)
    if json { print(result.text) }
    try show(result)
  }

  /// Calls regd and prints nothing.
  ///
  /// - Throws: `Refusal` where regd answered an error.
  func result(of method: String, _ params: JSONValue? = nil) throws -> JSONValue {
    do { return try answer(to: method, params).get() } catch let error as RegdError { throw refusal(error) }
  }

  /// Calls regd over a connection of its own: between two calls a person may have taken longer than regd keeps one.
  func answer(to method: String, _ params: JSONValue? = nil) throws -> Result<JSONValue, RegdError> {
    try RegdClient(path: path, timeoutSeconds: timeout).call(method, params)
  }

  /// Turns an error that regd answered into a refusal.
  func refusal(_ error: RegdError) -> Refusal { Refusal(message: Self.describe(error), source: error.source) }

  /// Prints a line, but not with `--json`.
  func say(_ line: String) { if !json { print(line) } }

  static func describe(_ error: RegdError) -> String {
    var lines = ["\(error.message) (\(error.reason))"]
    for problem in error.data["problems"]?.array ?? [] { lines.append("  " + Self.describe(problem)) }
    if let seconds = error.data["retryAfter"]?.integer { lines.append("  Try again in \(seconds) s.") }
    switch error.data["attemptsLeft"]?.integer {
    case nil: break
    case 0: lines.append("  No try is left.")
    case 1: lines.append("  One try is left.")
    case let left?: lines.append("  \(left) tries are left.")
    }
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
    let source = PasswordSource(isStandardInput: passwordStdin)
    let password = try source.read("Password")
    return (password, try confirm ? source.readAgain("Password", password) : password)
  }
}

/// How a command gets a password and another one that takes its place.
struct PasswordChangeOptions: ParsableArguments {
  @Flag(help: "Read the password from the first line of standard input and the new one from the second; ask nobody.")
  var passwordStdin = false

  func read() throws -> (password: String, new: String, confirmation: String) {
    let source = PasswordSource(isStandardInput: passwordStdin)
    let password = try source.read("Password")
    let new = try source.read("New password")
    return (password, new, try source.readAgain("New password", new))
  }
}

/// Where passwords come from: standard input, a line each, or the terminal.
struct PasswordSource {
  let isStandardInput: Bool

  func read(_ name: String) throws -> String {
    guard !isStandardInput else {
      switch Terminal.readLineFromStandardInput() {
      case .line(let password): return password
      case .end: throw ValidationError("Standard input ended before the line with the \(name.lowercased()).")
      case .unreadable: throw ValidationError("The \(name.lowercased()) on standard input is not UTF-8.")
      }
    }
    guard let password = Terminal.readPassword("\(name): ") else {
      throw ValidationError("There is no terminal with UTF-8 to ask for the password; use --password-stdin.")
    }
    return password
  }

  /// The password a second time: a person types it, a script has no need to.
  func readAgain(_ name: String, _ password: String) throws -> String {
    isStandardInput ? password : try read("\(name) again")
  }
}
