internal import RegdClient

/// Plays one cell: starts regd as the row says, plays the flow, stops it, and looks at what it left.
struct CellRun {
  let regd: String
  let file: String
  let store: String
  let flow: Flow

  func run() -> Cell {
    let start = ContinuousClock.now
    var environment = file.split(separator: "/").last.map(String.init) ?? file
    let result = Result { try TemporaryDirectory.with { try play(in: $0, &environment) } }
      .mapError { Cell.Fault(description: "\($0)") }
    return Cell(
      environment: environment, store: store, flow: flow.name, result: result, duration: ContinuousClock.now - start)
  }

  private func play(in directory: String, _ environment: inout String) throws -> String {
    var variables = variables(directory)
    if let script = flow.script {
      // which condition is to be scripted is known only from a regd that runs
      let first = try start(directory, variables)
      let (_, condition) = try describe(RegdClient(path: "\(directory)/s"))
      first.end()
      variables["REGD_NETWORK_BACKEND"] = "scripted"
      variables["REGD_NETWORK_SCRIPTED_REGISTER"] = script(condition).joined(separator: ",")
    }
    let process = try start(directory, variables)
    let client = try RegdClient(path: "\(directory)/s")
    let (name, condition) = try describe(client)
    environment = name
    let seen = try flow.play(Stage(condition: condition, client: client))
    try close(process)
    return seen
  }

  private func describe(_ client: RegdClient) throws -> (name: String, condition: Condition) {
    let info = try client.call("rpc.serverInfo").get()
    guard let environment = info["environment"], let name = environment["name"]?.string,
      let gives = environment["gives"]?.string
    else { throw Mismatch(description: "\(file) has no section \"environment\"") }
    guard let condition = Condition(rawValue: gives) else {
      throw Mismatch(description: "\(file) gives \"\(gives)\", of which this matrix knows nothing")
    }
    return (name, condition)
  }

  private func variables(_ directory: String) -> [String: String] {
    [
      "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "", "REGD_STORE_BACKEND": store,
      "REGD_STORE_SQLITE_PATH": "\(directory)/regd.db",
    ]
  }

  private func start(_ directory: String, _ variables: [String: String]) throws -> RegdProcess {
    try RegdProcess(program: regd, arguments: ["--config", file], environment: variables, directory: directory)
  }

  /// What holds after every cell: a clean stop, and no password in the log.
  private func close(_ process: RegdProcess) throws {
    let status = process.end()
    guard status == 0 else { throw Mismatch(description: "regd ended with status \(status): \(process.output)") }
    guard !process.output.contains(Stage.password) else {
      throw Mismatch(description: "regd's log has a password in it")
    }
  }
}
