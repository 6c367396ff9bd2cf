internal import ArgumentParser
internal import RegdClient
internal import Sentences

/// `regctl mail`: lists and settles mails that wait to be sent.
struct MailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: .said(AdministeringHelp.mail),
    subcommands: [List.self, Retry.self, Discard.self, Sent.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: .said(CommonHelp.listWaiting),
      discussion:
        .said(AdministeringHelp.mailListMore)
    )
    @Option(help: .said(CommonHelp.after)) var after: String?
    @Option(help: .said(CommonHelp.limit)) var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try connection.client()
      try Pages.forEach(client, "mail.list", member: "waiting", after: after.map { .string($0) }, limit: limit) {
        mail in
        if connection.json { print(mail.text) } else { printLine(Self.line(mail)) }
      }
    }

    private static func line(_ mail: JSONValue) -> String {
      [
        mail["id"]?.string ?? "?", mail["kind"]?.string ?? "?", time(mail["since"]),
        Speech.text(ListSentence.attempts, ["count": .number(mail["attempts"]?.integer ?? 0)]),
        Speech.text(ListSentence.next, ["time": .text(time(mail["nextAttemptAt"]))]),
        mail["reason"]?.string ?? Speech.text(ListSentence.notTried), mail["to"]?.string ?? "?",
      ].joined(separator: "  ")
    }

    private static func time(_ value: JSONValue?) -> String { "\((value?.string ?? "?").prefix(19))Z" }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: .said(CommonHelp.retry))
    @Argument(help: .said(AdministeringHelp.mailRetryId)) var id: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("mail.retry", id.map { ["id": .string($0)] } ?? [:]) { _ in
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
      commandName: "discard", abstract: .said(AdministeringHelp.mailDiscard),
      discussion: .said(AdministeringHelp.mailDiscardMore))
    @Argument(help: .said(AdministeringHelp.mailId)) var id: String
    @Flag(help: .said(CommonHelp.yes)) var yes = false
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      if !yes, Terminal.ask(PromptSentence.discardMail, ["id": .text(id)]) != "yes" {
        throw Refusal(PromptSentence.stillWaits, ["id": .text(id)])
      }
      try connection.call("mail.discard", ["id": .string(id)]) { _ in
        connection.say(ResultSentence.gaveUp, ["id": .text(id)])
      }
    }
  }

  struct Sent: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sent", abstract: .said(AdministeringHelp.mailSent),
      discussion: .said(AdministeringHelp.mailSentMore))
    @Argument(help: .said(AdministeringHelp.mailId)) var id: String
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("mail.sent", ["id": .string(id)]) { _ in
        connection.say(ResultSentence.countsAsSent, ["id": .text(id)])
      }
    }
  }
}
