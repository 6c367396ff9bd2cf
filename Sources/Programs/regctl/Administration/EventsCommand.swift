internal import ArgumentParser
internal import RegdClient

/// `regctl events`: follows regd's events, or lists the audit.
struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Shows what happens, until Control-C; for administrators.",
    discussion: "With --json a line each.")

  @Flag(help: "Show what was changed of accounts so far (the audit), and end.") var list = false
  @Option(help: "With --list: begin behind this entry.") var after = 0
  @Option(help: "End after as many.") var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    if list {
      let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
      let after = JSONValue.number("\(after)")
      return try Pages.forEach(client, "events.list", member: "events", after: after, limit: count, show)
    }
    try follow()
  }

  private func follow() throws {
    let subscription = try RegdConnection(path: connection.path, timeoutSeconds: connection.timeout)
    try subscription.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"events.subscribe\"}\n".utf8))
    var left = count ?? .max
    while left > 0 {
      let line: [UInt8]?
      do throws(RegdClientFailure) {
        line = try subscription.receiveLine()
      } catch .timedOut {
        continue  // no event yet
      } catch {
        throw error
      }
      guard let line, let text = JSONValue(line) else { throw RegdClientFailure.disconnected }
      if let error = text["error"] {
        throw Refusal(message: error["message"]?.string ?? error.text, source: error)
      }
      guard let event = text["params"] else { continue }
      try show(event)
      left -= 1
    }
  }

  private func show(_ event: JSONValue) throws {
    if connection.json { print(event.text) } else { print(Self.line(event)) }
    try Terminal.checkOutput()
  }

  static func line(_ event: JSONValue) -> String {
    var words = [event["time"]?.string ?? "?", event["event"]?.string ?? "?"]
    if let email = event["email"]?.string { words.append(email) }
    if let account = event["account"]?.string { words.append(account) }
    for member in ["kind", "to", "id"] { if let text = event[member]?.string { words.append(text) } }
    if let uid = event["uid"]?.integer { words.append("by uid \(uid), pid \(event["pid"]?.integer ?? 0)") }
    if let regd = event["regd"]?.string { words.append("at \(regd)") }
    if let missed = event["missed"]?.integer { words.append("\(missed) were not told: this reader is too slow") }
    if let message = event["message"]?.string { words.append(message) }
    return words.joined(separator: "  ")
  }
}

/// `regctl metrics`: prints regd's metrics.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Prints all metrics as OpenMetrics text; for administrators.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.call("daemon.metrics") { result in
      if !connection.json { print(result["text"]?.string ?? "", terminator: "") }
    }
  }
}
