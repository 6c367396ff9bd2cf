internal import ArgumentParser
internal import RegdClient

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Says which regd answers, and what it runs on.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
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
  }
}
