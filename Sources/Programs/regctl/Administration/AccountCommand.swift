internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl account`: shows and changes accounts.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: .said(AdministeringHelp.account),
    subcommands: [
      Get.self, Listing.self, Create.self, Approve.self, Refuse.self, Disable.self, Enable.self, SignOut.self,
      Delete.self, SetPassword.self, Membership.self, Name.self,
    ])

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: .said(AdministeringHelp.accountGet))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.get", who.params) { result in
        for line in Self.lines(result) { connection.say(line: line) }
      }
    }

    /// - Parameter result: An object with an account, and with the terms that its owner has accepted, if any.
    static func lines(_ result: JSONValue) -> [String] {
      guard let account = result["account"] else { return [] }
      var lines = ["id", "email", "state", "createdAt", "updatedAt"].map { "\($0): \(account.shown($0))" }
      let groups = (account["groups"]?.array ?? []).compactMap(\.string)
      if !groups.isEmpty { lines.append("groups: \(groups.joined(separator: " "))") }
      if let name = account["displayName"]?.string { lines.append("displayName: \(name)") }
      guard let terms = result["terms"] else { return lines }
      return lines + ["terms: \(terms.shown("version")) \(terms.time("acceptedAt"))"]
    }
  }

  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: .said(AdministeringHelp.accountDisable))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.disable", who.params) { _ in
        connection.say(ResultMessageKey.disabled, ["account": .text(who.account)])
      }
    }
  }

  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: .said(AdministeringHelp.accountEnable))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.enable", who.params) { _ in
        connection.say(ResultMessageKey.enabled, ["account": .text(who.account)])
      }
    }
  }

  struct SignOut: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out", abstract: .said(AdministeringHelp.accountSignOut))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.signOut", who.params) { _ in
        connection.say(ResultMessageKey.signedOut, ["account": .text(who.account)])
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: .said(AdministeringHelp.accountDelete))
    @OptionGroup var who: AccountArgument
    @OptionGroup var consent: Consent
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try consent.demand(PromptMessageKey.delete, orSay: .notDeleted, ["account": .text(who.account)])
      try connection.call("account.delete", who.params) { _ in
        connection.say(ResultMessageKey.deleted, ["account": .text(who.account)])
      }
    }
  }

  struct SetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-password", abstract: .said(AdministeringHelp.accountSetPassword))
    @OptionGroup var who: AccountArgument
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let typed = try password.read(confirm: true)
      guard case .object(let members) = who.params else { return }
      let params = JSONValue.object(
        members + [
          .init("password", .string(typed.password)), .init("passwordConfirmation", .string(typed.confirmation)),
        ])
      try connection.call("account.setPassword", params) { _ in
        connection.say(ResultMessageKey.passwordSet, ["account": .text(who.account)])
      }
    }
  }
}

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

/// The account that a command refers to.
struct AccountArgument: ParsableArguments {
  @Argument(help: .said(CommonHelp.account)) var account: String

  var params: JSONValue {
    account.contains("@") ? ["email": .string(account)] : ["id": .string(account)]
  }
}
