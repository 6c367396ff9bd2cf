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

struct Call: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls any method and prints what comes back.",
    discussion: "regctl call registration.checkEmail '{\"email\": \"name@example.com\"}'")

  @Argument(help: "The method.") var method: String
  @Argument(help: "Its params, a JSON object or array.") var params: String?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var value: JSONValue?
    if let params {
      value = JSONValue(params.utf8)
      switch value {
      case .object, .array: break
      default: throw ValidationError("The params must be a JSON object or array.")
      }
    }
    try connection.call(method, value) { result in connection.say(result.text) }
  }
}
