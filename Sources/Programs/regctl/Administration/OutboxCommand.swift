internal import ArgumentParser
internal import RegdClient

/// `regctl outbox`: lists and ends registrations that wait for the upstream.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Shows and settles registrations that wait for the network; for administrators.",
    subcommands: [List.self, Retry.self, Discard.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists what waits, oldest first.",
      discussion:
        "A line each: the id, since when, how often it was tried in vain, when it is tried next, what was wrong, the address. With --json as regd has it."
    )
    @Option(help: "How many at most; else all.") var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
      try Pages.forEach(client, "outbox.list", member: "waiting", after: nil, limit: limit) { waiting in
        if connection.json { print(waiting.text) } else { print(Self.line(waiting)) }
      }
    }

    private static func line(_ waiting: JSONValue) -> String {
      let attempts = waiting["attempts"]?.integer ?? 0
      return [
        waiting["id"]?.string ?? "?", time(waiting["since"]), "attempts \(attempts)",
        "next \(time(waiting["nextAttemptAt"]))",
        waiting["reason"]?.string ?? "not tried yet", waiting["email"]?.string ?? "?",
      ].joined(separator: "  ")
    }

    private static func time(_ value: JSONValue?) -> String { "\((value?.string ?? "?").prefix(19))Z" }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Has one tried now, or all; does not wait for what comes of it.")
    @Argument(help: "The account's id; none for all.") var id: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("outbox.retry", id.map { ["id": .string($0)] } ?? [:]) { _ in
        connection.say("\(id ?? "all that wait") will be tried now")
      }
    }
  }

  struct Discard: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Gives one up: its address is free again here.",
      discussion: "The network is not told. Where it has the account, only its own operators can remove it there.")
    @Argument(help: "The account's id.") var id: String
    @Flag(help: "Do not ask whether that is meant.") var yes = false
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      if !yes, Terminal.ask("Give up the registration \(id)? The network may have it. Type yes: ") != "yes" {
        throw Refusal(message: "\(id) still waits; --yes gives it up without asking")
      }
      try connection.call("outbox.discard", ["id": .string(id)]) { _ in connection.say("gave up \(id)") }
    }
  }
}
