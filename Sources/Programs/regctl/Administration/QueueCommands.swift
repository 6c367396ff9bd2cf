internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// The help texts for a command about one of regd's queues.
struct QueueHelp: Sendable {
  let retryID: AdministeringHelp
  let id: AdministeringHelp
  let discard: AdministeringHelp
  let discardMore: AdministeringHelp
  /// Asked before an element is given up.
  let question: PromptMessageKey
}

/// A command for the mail queue or the outbox. Their elements wait until they are done or an administrator gives them
/// up.
protocol QueueCommand: ListingCommand {
  static var help: QueueHelp { get }
}

extension QueueCommand {
  /// The cells that both queues show.
  static func waiting(_ element: JSONValue) -> [String] {
    [
      element.time("since"),
      Speech.text(ListMessageKey.attempts, ["count": .number(element["attempts"]?.integer ?? 0)]),
      Speech.text(ListMessageKey.next, ["time": .text(element.time("nextAttemptAt"))]),
      element["reason"]?.string ?? Speech.text(ListMessageKey.notTried),
    ]
  }
}

struct RetryCommand<Queue: QueueCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "retry", abstract: .said(CommonHelp.retry))
  }
  @Argument(help: .said(Queue.help.retryID)) var id: String?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.call("\(Queue.list.name).retry", id.map { ["id": .string($0)] } ?? [:]) { _ in
      if let id {
        connection.say(ResultMessageKey.willBeTried, ["id": .text(id)])
      } else {
        connection.say(ResultMessageKey.allWillBeTried)
      }
    }
  }
}

struct DiscardCommand<Queue: QueueCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "discard", abstract: .said(Queue.help.discard),
      discussion: .said(Queue.help.discardMore))
  }
  @Argument(help: .said(Queue.help.id)) var id: String
  @OptionGroup var consent: Consent
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try consent.demand(Queue.help.question, orSay: .stillWaits, ["id": .text(id)])
    try connection.call("\(Queue.list.name).discard", ["id": .string(id)]) { _ in
      connection.say(ResultMessageKey.gaveUp, ["id": .text(id)])
    }
  }
}
