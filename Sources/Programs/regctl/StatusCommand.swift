internal import ArgumentParser
internal import RegdClient

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Says which regd answers, and what it runs on.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    if connection.json { return try printJSON() }
    try connection.call("rpc.serverInfo") { info in
      let name = "\(info["name"]?.string ?? "?") \(info["version"]?.string ?? "?")"
      connection.say("\(name) on \(connection.path), up \(info["uptimeSeconds"]?.integer ?? 0) s")
      connection.say("store: \(info["store"]?["backend"]?.string ?? "?")")
      connection.say("network: \(info["network"]?["backend"]?.string ?? "?")")
      if let environment = info["environment"] {
        connection.say(
          "environment: \(environment["name"]?.string ?? "?"), \(environment["summary"]?.string ?? "?")")
      }
    }
    try sayMore()
  }

  /// Prints what `rpc.serverInfo` says, with what `daemon.status` says as the member `status` where regd shows it.
  private func printJSON() throws {
    let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
    switch try client.call("rpc.serverInfo") {
    case .failure(let error): throw connection.refusal(error)
    case .success(let info):
      guard case .object(let members) = info, case .success(let status) = try client.call("daemon.status") else {
        return print(info.text)
      }
      print(JSONValue.object(members + [.init("status", status)]).text)
    }
  }

  /// The part of the status that regd shows to administrators only.
  private func sayMore() throws {
    let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
    guard case .success(let status) = try client.call("daemon.status") else { return }
    for (part, name) in [("store", "store"), ("network", "network"), ("mail", "mail system")] {
      guard let failure = status[part]?["failure"]?.string else { continue }
      connection.say("the \(name) fails since \(status[part]?["since"]?.string ?? "?"): \(failure)")
    }
    if let count = status["store"]?["damagedRows"]?.integer, count > 0 {
      let names = (status["store"]?["damaged"]?.array ?? []).compactMap(\.string).prefix(5)
      connection.say(
        "the store has \(count) \(count == 1 ? "row" : "rows") that cannot be read: \(names.joined(separator: ", "))\(count > 5 ? ", …" : "")"
      )
    }
    if status["network"]?["breaker"]?.string == "open" {
      connection.say("the network is known to be down and is not asked but for a try from time to time")
    }
    if let waiting = status["outbox"]?["waiting"]?.integer, waiting > 0 {
      connection.say("outbox: \(waiting) registrations wait for the network; see regctl outbox list")
    }
    if let waiting = status["mail"]?["waiting"]?.integer, waiting > 0 {
      connection.say("mail: \(waiting) \(waiting == 1 ? "mail waits" : "mails wait") to be sent; see regctl mail list")
    }
    connection.say(
      "hashing: \(status["hashing"]?["pending"]?.integer ?? 0) pending; connections: \(status["connections"]?.integer ?? 0)"
    )
    let breached = status["breachedPasswords"]
    let path = breached?["path"]?.string ?? ""
    if breached?["active"]?.bool == true {
      connection.say("breached passwords: \(breached?["entries"]?.integer ?? 0) of \(path) are refused")
    } else {
      connection.say(
        "breached passwords: not refused, \(path.isEmpty ? "no list is configured" : "there is no \(path)")")
    }
  }
}
