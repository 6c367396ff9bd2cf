internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl events`: follows regd's events, or lists the audit.
struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: .said(AdministeringHelp.events),
    discussion: .said(CommonHelp.jsonLines))

  @Flag(help: .said(AdministeringHelp.eventsList)) var list = false
  @Option(help: .said(AdministeringHelp.eventsAfter, valueName: "entry")) var after = 0
  @Option(help: .said(AdministeringHelp.eventsCount)) var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    if list {
      return try Pages.forEach(
        connection.client(), "events.list", member: "events", after: .number("\(after)"), limit: count, show)
    }
    try follow()
  }

  private func follow() throws {
    let conversation = try connection.conversation()
    try conversation.send("events.subscribe")
    var isSubscribed = false
    var left = count ?? .max
    while left > 0 {
      let incoming: RegdConversation.Incoming
      do throws(RegdClientFailure) {
        incoming = try conversation.receive()
      } catch {
        guard case .timedOut = error, isSubscribed else { throw error }
        continue  // no event yet
      }
      switch incoming {
      case .reply(_, .success): isSubscribed = true
      case .notification(_, nil): continue
      case .reply(_, .failure(let error)): throw error
      case .notification(_, let event?):
        try show(event)
        left -= 1
      }
    }
  }

  private func show(_ event: JSONValue) throws {
    if connection.json { Terminal.print(event.text) } else { Terminal.printLine(Self.line(event)) }
    try Terminal.checkOutput()
  }

  static func line(_ event: JSONValue) -> String {
    var words = [event.shown("time"), event.shown("event")]
    if let email = event["email"]?.string { words.append(email) }
    if let account = event["account"]?.string { words.append(account) }
    for member in ["invitation", "terms", "kind", "to", "id"] {
      if let text = event[member]?.string { words.append(text) }
    }
    let groups = [("added", "+"), ("removed", "-")].flatMap { member, sign in
      (event[member]?.array ?? []).compactMap(\.string).map { "\(sign)\($0)" }
    }
    if !groups.isEmpty { words.append(groups.joined(separator: " ")) }
    if let uid = event["uid"]?.integer {
      words.append(
        Speech.text(
          ListMessageKey.byUser, ["uid": .text("\(uid)"), "pid": .text("\(event["pid"]?.integer ?? 0)")]))
    }
    if let regd = event["regd"]?.string { words.append(Speech.text(ListMessageKey.atRegd, ["regd": .text(regd)])) }
    if let missed = event["missed"]?.integer {
      words.append(Speech.text(ListMessageKey.missed, ["count": .number(missed)]))
    }
    if let message = event["message"]?.string { words.append(message) }
    return words.joined(separator: "  ")
  }
}
