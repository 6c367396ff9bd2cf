internal import RegdProcesses
internal import RehearsedNetworks
internal import RehearsedUpstream

/// What is around one caller: a regd, and the upstream behind it.
final class World {
  let directory: String
  private let regd: String
  private let file: String
  private var variables: [String: String]
  private(set) var process: RegdProcess?
  /// The upstream that regd talks to over HTTP; nil where its network is built in.
  let upstream: UpstreamServer?

  /// - Parameter variables: The configuration besides the file.
  init(regd: String, file: String, directory: String, variables: [String: String], upstream: UpstreamServer?) throws {
    self.regd = regd
    self.file = file
    self.directory = directory
    self.variables = variables
    self.upstream = upstream
    try start()
  }

  deinit { upstream?.stop() }

  var socket: String { "\(directory)/s" }
  var database: String { "\(directory)/regd.db" }
  /// What regd has written to its log; also before it was started anew.
  var log: String { process?.output ?? "" }

  private func start() throws {
    process = try RegdProcess(
      program: regd, arguments: ["--config", file], environment: variables, directory: directory)
  }

  /// From here on the upstream does this. A network that is built in has its script since the start.
  ///
  /// - Parameter script: Nil: everything works.
  func play(_ script: Script?) throws { try upstream?.play(script ?? Script()) }

  /// Kills regd as a power cut does, and starts it on what it has kept; from then on the upstream works.
  func restart() throws {
    process?.end(9)
    if upstream == nil, variables["REGD_NETWORK_BACKEND"] != nil {
      for operation in ["CHECK_EMAIL", "REGISTER", "SIGN_IN"] {
        variables["REGD_NETWORK_SCRIPTED_\(operation)"] = "accept"
      }
    }
    try play(nil)
    // the log goes on in the same file
    try start()
  }

  /// Ends regd as an operator does.
  ///
  /// - Returns: Its exit status.
  func end() -> Int32 {
    defer { upstream?.stop() }
    return process?.end() ?? 0
  }
}
