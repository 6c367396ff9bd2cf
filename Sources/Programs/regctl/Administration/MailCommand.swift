internal import ArgumentParser
internal import RegdClient

/// `regctl mail`: lists and settles mails that wait to be sent.
struct MailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Shows and settles mails that wait to be sent; for administrators.",
    subcommands: [List.self, Retry.self, Discard.self, Sent.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists what waits, oldest first.",
      discussion:
        "A line each: the id, kind, since when, how often it was tried in vain, when it is tried next, what was wrong, the address. With --json as regd has it."
    )
    @Option(help: "Begin behind this id.") var after: String?
    @Option(help: "How many at most; else all.") var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
      try Pages.forEach(client, "mail.list", member: "waiting", after: after.map { .string($0) }, limit: limit) {
        mail in
        if connection.json { print(mail.text) } else { print(Self.line(mail)) }
      }
    }

    private static func line(_ mail: JSONValue) -> String {
      [
        mail["id"]?.string ?? "?", mail["kind"]?.string ?? "?", time(mail["since"]),
        "attempts \(mail["attempts"]?.integer ?? 0)", "next \(time(mail["nextAttemptAt"]))",
        mail["reason"]?.string ?? "not tried yet", mail["to"]?.string ?? "?",
      ].joined(separator: "  ")
    }

    private static func time(_ value: JSONValue?) -> String { "\((value?.string ?? "?").prefix(19))Z" }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Has one tried now, or all; does not wait for what comes of it.")
    @Argument(help: "The mail's id; none for all.") var id: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("mail.retry", id.map { ["id": .string($0)] } ?? [:]) { _ in
        connection.say("\(id ?? "all that wait") will be tried now")
      }
    }
  }

  struct Discard: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Gives one up: it is not sent.",
      discussion: "The claim whose code it has stays; its caller can have the code mailed again.")
    @Argument(help: "The mail's id.") var id: String
    @Flag(help: "Do not ask whether that is meant.") var yes = false
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      if !yes, Terminal.ask("Give up the mail \(id)? Type yes: ") != "yes" {
        throw Refusal(message: "\(id) still waits; --yes gives it up without asking")
      }
      try connection.call("mail.discard", ["id": .string(id)]) { _ in connection.say("gave up \(id)") }
    }
  }

  struct Sent: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tells regd that a mail was sent which it had announced by the event mail.wanted.",
      discussion: "For programs that send the mails themselves, with `mail.backend: event`.")
    @Argument(help: "The mail's id.") var id: String
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("mail.sent", ["id": .string(id)]) { _ in connection.say("\(id) counts as sent") }
    }
  }
}
