internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: .said(RegisteringHelp.status))

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    if connection.json { return try printJSON() }
    try connection.call("rpc.serverInfo") { info in
      let name = "\(info.shown("name")) \(info.shown("version"))"
      connection.say(
        StatusMessageKey.regd,
        [
          "regd": .text(name), "socket": .text(connection.path),
          "seconds": .number(info["uptimeSeconds"]?.integer ?? 0),
        ])
      connection.say(StatusMessageKey.store, ["backend": .text(info.shown("store", "backend"))])
      connection.say(StatusMessageKey.network, ["backend": .text(info.shown("network", "backend"))])
      sayRegistration(info["registration"])
      if let environment = info["environment"] {
        connection.say(
          StatusMessageKey.environment,
          ["name": .text(environment.shown("name")), "summary": .text(environment.shown("summary"))])
      }
    }
    try sayMore()
  }

  private func sayRegistration(_ registration: JSONValue?) {
    guard let registration else { return }
    func member(_ name: String) -> LocalizedMessage.Content { .text(registration.shown(name)) }
    connection.say(
      StatusMessageKey.registration,
      ["mode": member("mode"), "verification": member("verification"), "approval": member("approval")])
    guard let terms = registration["terms"] else { return }
    connection.say(
      StatusMessageKey.terms, ["version": .text(terms.shown("version")), "url": .text(terms.shown("url"))])
  }

  /// Prints the result of `rpc.serverInfo`, with that of `daemon.status` as the member `status` if regd shows it.
  private func printJSON() throws {
    let client = try connection.client()
    let info = try client.call("rpc.serverInfo").get()
    guard case .object(let members) = info, let status = try status(client) else { return Terminal.print(info.text) }
    Terminal.print(JSONValue.object(members + [.init("status", status)]).text)
  }

  /// Asks for the status. Returns nil if regd does not show it to this caller.
  private func status(_ client: RegdClient) throws -> JSONValue? {
    switch try client.call("daemon.status") {
    case .success(let status): return status
    case .failure(let error) where error.reason == "access.denied": return nil
    case .failure(let error): throw error
    }
  }

  /// Prints the part of the status that regd shows to administrators only.
  private func sayMore() throws {
    guard let status = try status(connection.client()) else { return }
    sayFailures(status)
    if let waiting = status["registration"]?["waiting"]?.integer, waiting > 0 {
      connection.say(StatusMessageKey.waiting, ["count": .number(waiting)])
    }
    if let waiting = status["outbox"]?["waiting"]?.integer, waiting > 0 {
      connection.say(StatusMessageKey.outbox, ["count": .number(waiting)])
    }
    if let waiting = status["mail"]?["waiting"]?.integer, waiting > 0 {
      connection.say(StatusMessageKey.mail, ["count": .number(waiting)])
    }
    connection.say(
      StatusMessageKey.hashing,
      [
        "pending": .number(status["hashing"]?["pending"]?.integer ?? 0),
        "connections": .number(status["connections"]?.integer ?? 0),
      ])
    status["doors"]?.array?.forEach(sayDoor)
    for socket in status["heldSockets"]?.array ?? [] {
      connection.say(
        StatusMessageKey.heldSocket,
        ["name": .text(socket.shown("name")), "address": .text(socket.shown("address"))])
    }
    let breached = status["breachedPasswords"]
    let path = breached?["path"]?.string ?? ""
    if breached?["active"]?.bool == true {
      connection.say(
        StatusMessageKey.breached, ["count": .number(breached?["entries"]?.integer ?? 0), "path": .text(path)])
    } else {
      connection.say(path.isEmpty ? StatusMessageKey.breachedOff : .breachedNotThere, ["path": .text(path)])
    }
  }

  private func sayDoor(_ door: JSONValue) {
    func count(_ name: String) -> LocalizedMessage.Content { .number(door[name]?.integer ?? 0) }
    connection.say(
      StatusMessageKey.door,
      [
        "name": .text(door.shown("name")), "protocol": .text(door.shown("protocol")),
        "address": .text(door.shown("address")), "connections": count("connections"), "right": count("right"),
        "wrong": count("wrong"), "refused": count("refused"), "away": count("away"),
      ])
  }

  private func sayFailures(_ status: JSONValue) {
    for (part, key) in [
      ("store", StatusMessageKey.storeFails), ("network", .networkFails), ("mail", .mailFails),
    ] {
      guard let failure = status[part]?["failure"]?.string else { continue }
      connection.say(key, ["time": .text(status.shown(part, "since")), "reason": .text(failure)])
    }
    for task in status["failingTasks"]?.array ?? [] { connection.say(BackgroundChecks.sentence(of: task)) }
    if let count = status["store"]?["damagedRows"]?.integer, count > 0 {
      let names = (status["store"]?["damaged"]?.array ?? []).compactMap(\.string).prefix(5)
      connection.say(StatusMessageKey.damaged, ["count": .number(count), "rows": .list(names, isCut: count > 5)])
    }
    if status["network"]?["breaker"]?.string == "open" { connection.say(StatusMessageKey.networkDown) }
  }
}
