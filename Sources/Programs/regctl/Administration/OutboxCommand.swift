internal import ArgumentParser
internal import RegdClient
internal import Sentences

/// `regctl outbox`: lists and ends registrations that wait for the upstream.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: .said(AdministeringHelp.outbox),
    subcommands: [List.self, Retry.self, Discard.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: .said(CommonHelp.listWaiting),
      discussion:
        .said(AdministeringHelp.outboxListMore)
    )
    @Option(help: .said(CommonHelp.limit)) var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try connection.client()
      try Pages.forEach(client, "outbox.list", member: "waiting", after: nil, limit: limit) { waiting in
        if connection.json { print(waiting.text) } else { printLine(Self.line(waiting)) }
      }
    }

    private static func line(_ waiting: JSONValue) -> String {
      let attempts = waiting["attempts"]?.integer ?? 0
      return [
        waiting["id"]?.string ?? "?", time(waiting["since"]),
        Speech.text(ListSentence.attempts, ["count": .number(attempts)]),
        Speech.text(ListSentence.next, ["time": .text(time(waiting["nextAttemptAt"]))]),
        waiting["reason"]?.string ?? Speech.text(ListSentence.notTried), waiting["email"]?.string ?? "?",
      ].joined(separator: "  ")
    }

    private static func time(_ value: JSONValue?) -> String { "\((value?.string ?? "?").prefix(19))Z" }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: .said(CommonHelp.retry))
    @Argument(help: .said(AdministeringHelp.outboxRetryId)) var id: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("outbox.retry", id.map { ["id": .string($0)] } ?? [:]) { _ in
        if let id {
          connection.say(ResultSentence.willBeTried, ["id": .text(id)])
        } else {
          connection.say(ResultSentence.allWillBeTried)
        }
      }
    }
  }

  struct Discard: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard", abstract: .said(AdministeringHelp.outboxDiscard),
      discussion: .said(AdministeringHelp.outboxDiscardMore))
    @Argument(help: .said(AdministeringHelp.accountId)) var id: String
    @Flag(help: .said(CommonHelp.yes)) var yes = false
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      if !yes, Terminal.ask(PromptSentence.discardRegistration, ["id": .text(id)]) != "yes" {
        throw Refusal(PromptSentence.stillWaits, ["id": .text(id)])
      }
      try connection.call("outbox.discard", ["id": .string(id)]) { _ in
        connection.say(ResultSentence.gaveUp, ["id": .text(id)])
      }
    }
  }
}
