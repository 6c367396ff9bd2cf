internal import Linux
internal import RegdProcesses
internal import RehearsedNetworks
internal import RehearsedUpstream

/// The processes of a cell: a regd, its upstream and its mail system.
final class Fixture {
  let directory: String
  private let regd: String
  private let file: String
  private var variables: [String: String]
  private(set) var process: RegdProcess?
  /// The upstream that regd calls over HTTP, or nil if regd itself plays the environment.
  let upstream: UpstreamServer?
  /// The mail system, or nil in environments without one.
  let mailSystem: MailSystem?

  /// - Parameter variables: Configuration in addition to the file.
  init(
    regd: String, file: String, directory: String, variables: [String: String], upstream: UpstreamServer?,
    mailSystem: MailSystem?
  ) throws {
    self.regd = regd
    self.file = file
    self.directory = directory
    self.variables = variables
    self.upstream = upstream
    self.mailSystem = mailSystem
    try start()
  }

  deinit {
    upstream?.stop()
    mailSystem?.stop()
  }

  var socket: String { "\(directory)/s" }
  var database: String { "\(directory)/regd.db" }
  /// Everything that regd has logged, even before a restart.
  var log: String { process?.output ?? "" }

  private func start() throws {
    process = try RegdProcess(
      program: regd, arguments: ["--config", file], environment: variables, directory: directory)
  }

  /// Makes the upstream play a script. A no-op for a built-in network, which keeps its first script.
  func play(_ script: Script) throws { try upstream?.play(script) }

  /// Kills regd with SIGKILL, and starts it again with the same store. The upstream works from then on.
  func restart() throws {
    process?.end(.kill)
    if upstream == nil, variables["REGD_NETWORK_BACKEND"] != nil {
      for operation in ["CHECK_EMAIL", "REGISTER", "SIGN_IN"] {
        variables["REGD_NETWORK_SCRIPTED_\(operation)"] = "accept"
      }
    }
    try play(Script())
    // appends to the same log file
    try start()
  }

  /// Stops regd as an operator would.
  ///
  /// - Returns: Its exit status.
  func end() -> Int32 {
    defer {
      upstream?.stop()
      mailSystem?.stop()
    }
    return process?.end() ?? 0
  }
}
