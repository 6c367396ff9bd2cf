internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

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
