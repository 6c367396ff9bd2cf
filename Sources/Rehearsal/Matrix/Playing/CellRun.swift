internal import Linux
internal import RegdProcesses
internal import RehearsedNetworks
internal import RehearsedUpstream

/// Plays one cell: starts regd in the environment, plays the flow, checks the invariants, stops regd.
struct CellRun: Sendable {
  let regd: String
  let environment: Environment
  let rendering: Rendering
  let store: StoreRow
  let flow: Flow
  let servers: SharedPostgreSQLServer

  func run() -> Cell {
    let start = ContinuousClock.now
    let outcome: Cell.Outcome
    if let reason = absence {
      outcome = .absent(reason)
    } else {
      do { outcome = .seen(try TemporaryDirectory.with { try play(in: $0) }) } catch { outcome = .fault("\(error)") }
    }
    return Cell(
      environment: environment.name, summary: environment.summary, condition: environment.gives,
      rendering: rendering.rawValue, store: store.name, flow: flow.name, result: outcome,
      duration: ContinuousClock.now - start)
  }

  /// Why this cell cannot be played, or nil if it can.
  private var absence: String? {
    if flow.restartsRegd, !store.isDurable { return "the \(store.name) store keeps nothing over a restart" }
    if flow.doorGroup != nil, environment.hasDoors { return "the environment has its own doors" }
    guard flow.change != nil else { return nil }
    if environment.condition.changesByItself {
      return "this environment changes by itself, and cannot be changed half-way"
    }
    if environment.condition.storeFault != nil { return "the store is at fault from the start, and stays so" }
    guard let script = environment.script else { return "what the environment's own network does cannot be changed" }
    if rendering == .http, script.register.first?.answer == .fault(.unresolvable) {
      return "a host that does not exist cannot begin to"
    }
    return nil
  }

  private func play(in directory: String) throws -> String {
    let upstream = try rendering == .http ? startUpstream(directory) : nil
    let mailSystem = try environment.mail.map { mail in
      try MailSystem(mail, file: environment.file, isServer: rendering == .smtp, directory: directory)
    }
    let file = try flow.doorGroup.map { try fileWithDoor(of: $0, in: directory) }
    let fixture = try Fixture(
      regd: regd, file: file ?? mailSystem?.file ?? environment.file, directory: directory,
      variables: try variables(directory, upstream, mailSystem), upstream: upstream, mailSystem: mailSystem)
    let fault = try StoreFault(environment.condition, fixture)
    let stage = try Stage(environment, fixture)
    let seen = try flow.play(stage)
    if fault?.endsBeforeInvariants ?? false { fault?.end() }
    try Invariants(stage: stage, fixture: fixture).check()
    fault?.end()
    try Invariants.checkEnd(stage, fixture)
    return seen
  }

  /// Writes the environment's file with a door, which only a file can configure.
  ///
  /// - Returns: The new file's path.
  private func fileWithDoor(of group: String, in directory: String) throws -> String {
    let file = "\(directory)/environment.yaml"
    let doors = """

      doors:
        members:
          protocol: http
          path: "\(DoorCaller.path(in: directory))"
          answerSeconds: 60
          memorySeconds: 300
          groups: [\(group)]

      """
    try FileWriting.write(try FileReading.text(environment.file) + doors, to: file, permissions: 0o600)
    return file
  }

  private func startUpstream(_ directory: String) throws -> UpstreamServer {
    guard let script = environment.script else { throw Mismatch(description: "nothing to play over HTTP") }
    return try UpstreamServer(script, directory: directory)
  }

  private func variables(
    _ directory: String, _ upstream: UpstreamServer?, _ mailSystem: MailSystem?
  ) throws -> [String: String] {
    var variables = [
      "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "", "REGD_STORE_BACKEND": store.name,
      "REGD_ACCESS_ADMIN_UIDS": "\(ThisProcess.user)",
      // regd delivers pending registrations only when the flow asks for it
      "REGD_NETWORK_OUTBOX_FIRST_SECONDS": "3600", "REGD_NETWORK_OUTBOX_MAXIMUM_SECONDS": "3600",
      // the least memory that regd accepts: a new regd hashes twice as fast as with the shipped memory, and answers the same
      "REGD_HASHING_MEMORY_KI_B": "7168", "REGD_HASHING_PASSES": "5",
    ]
    if let upstream {
      variables["REGD_NETWORK_BACKEND"] = "http"
      variables["REGD_NETWORK_HTTP_BASE_URL"] = upstream.baseURL
      variables["REGD_NETWORK_HTTP_CA_FILE"] = upstream.caFile
      // regd allows plain HTTP only to local hosts, and the base URL's host may not exist
      variables["REGD_NETWORK_HTTP_ALLOW_PLAINTEXT"] = "true"
      if environment.isSlow {
        variables["REGD_NETWORK_HTTP_CONNECT_SECONDS"] = "0.4"
        variables["REGD_NETWORK_HTTP_TOTAL_SECONDS"] = "0.8"
      }
    } else if let changes = flow.change, let step = environment.step {
      let script = changes(step)
      variables["REGD_NETWORK_BACKEND"] = "scripted"
      variables["REGD_NETWORK_SCRIPTED_CHECK_EMAIL"] = Self.text(script.checkEmail)
      variables["REGD_NETWORK_SCRIPTED_REGISTER"] = Self.text(script.register)
      variables["REGD_NETWORK_SCRIPTED_SIGN_IN"] = Self.text(script.signIn)
    }
    let places = try store.places(in: directory) { try servers.database() }
    return variables.merging(places) { $1 }.merging(mailSystem?.variables ?? [:]) { $1 }.merging(flow.variables) { $1 }
  }

  private static func text(_ steps: [Script.Step]) -> String { steps.map(\.description).joined(separator: ",") }
}

/// How an environment is played.
enum Rendering: String, CaseIterable, Sendable {
  /// regd itself simulates the condition, with one of its simulated networks or the file's own network.
  case builtIn = "built-in"
  /// A real HTTP server misbehaves in the same way, for the http backend.
  case http
  /// A real mail server misbehaves in the same way, for the smtp backend.
  case smtp
}

extension Environment {
  /// Whether calls to the upstream end only by their deadline.
  fileprivate var isSlow: Bool {
    guard case .fault(let fault)? = step?.answer else { return false }
    return [.timeout, .stall, .unroutable].contains(fault)
  }

  /// The stores on which the environment is played. A store fault is played only on the store that the file names. For
  /// a real mail server, which the store does not affect, one embedded durable store is enough.
  func stores(of all: [StoreRow], _ rendering: Rendering) -> [StoreRow] {
    if rendering == .smtp, let store = all.first(where: { $0.isDurable && $0.serverVariable == nil }) { return [store] }
    guard condition.storeFault != nil, let storeName else { return all }
    return all.filter { $0.name == storeName }
  }

  var renderings: [Rendering] {
    if mail != nil { return [.builtIn, .smtp] }
    return script == nil ? [.builtIn] : [.builtIn, .http]
  }
}
