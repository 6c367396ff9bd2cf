internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

extension AccountCommand {
  /// `regctl account list`: prints accounts, one per line.
  struct Listing: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: .said(AdministeringHelp.accountList), discussion: .said(CommonHelp.jsonLines))

    enum State: String, CaseIterable, ExpressibleByArgument {
      case active, pending, disabled, waiting
    }

    @Option(help: .said(AdministeringHelp.accountListState)) var state: State?
    @Option(help: .said(AdministeringHelp.accountListGroup, valueName: "name")) var group: String?
    @OptionGroup var part: ListRange
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let filter = [("state", state?.rawValue), ("group", group)].compactMap { name, value in
        value.map { JSONValue.Member(name, .string($0)) }
      }
      var count = 0
      try Pages.forEach(
        try connection.client(), "account.list", member: "accounts", after: part.after.map { .string($0) },
        limit: part.limit, filter: filter
      ) { account in
        count += 1
        Terminal.printLine(connection.json ? account.text : Self.cells(account).joined(separator: "  "))
      }
      if state == .waiting { sayWhatIsNext(count) }
    }

    private func sayWhatIsNext(_ count: Int) {
      guard count > 0 else { return connection.say(ListMessageKey.nobodyWaits) }
      // no extra line in output that a script reads
      guard Descriptor.standardOutput.isTerminal else { return }
      connection.say(
        ListMessageKey.decide, ["approve": "regctl account approve EMAIL", "refuse": "regctl account refuse EMAIL"])
    }

    private static func cells(_ account: JSONValue) -> [String] {
      let state = account.shown("state")
      let padding = String(repeating: " ", count: max(0, 8 - state.count))
      return [account.shown("id"), state + padding, account.time("createdAt"), account.shown("email")]
    }
  }
}
