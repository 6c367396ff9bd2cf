internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl mail`: lists mails that wait to be sent, retries them, gives them up, or marks them as sent.
struct MailCommand: QueueCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: .said(AdministeringHelp.mail),
    subcommands: [ListCommand<Self>.self, RetryCommand<Self>.self, DiscardCommand<Self>.self, Sent.self])
  static let list = PrintedList(
    name: "mail", member: "waiting", abstract: .said(CommonHelp.listWaiting),
    discussion: .said(AdministeringHelp.mailListMore))
  static let help = QueueHelp(
    retryID: .mailRetryId, id: .mailId, discard: .mailDiscard, discardMore: .mailDiscardMore,
    question: PromptMessageKey.discardMail)

  static func cells(_ element: JSONValue) -> [String] {
    [element.shown("id"), element.shown("kind")] + waiting(element) + [element.shown("to")]
  }

  struct Sent: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sent", abstract: .said(AdministeringHelp.mailSent),
      discussion: .said(AdministeringHelp.mailSentMore))
    @Argument(help: .said(AdministeringHelp.mailId)) var id: String
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("mail.sent", ["id": .string(id)]) { _ in
        connection.say(ResultMessageKey.countsAsSent, ["id": .text(id)])
      }
    }
  }
}

/// `regctl outbox`: lists registrations that wait for the upstream, retries them, or gives them up.
struct OutboxCommand: QueueCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: .said(AdministeringHelp.outbox),
    subcommands: [ListCommand<Self>.self, RetryCommand<Self>.self, DiscardCommand<Self>.self])
  static let list = PrintedList(
    name: "outbox", member: "waiting", abstract: .said(CommonHelp.listWaiting),
    discussion: .said(AdministeringHelp.outboxListMore))
  static let help = QueueHelp(
    retryID: .outboxRetryId, id: .accountId, discard: .outboxDiscard, discardMore: .outboxDiscardMore,
    question: PromptMessageKey.discardRegistration)

  static func cells(_ element: JSONValue) -> [String] {
    [element.shown("id")] + waiting(element) + [element.shown("email")]
  }
}
