internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// The subcommands of `regctl account` by which administrators decide who has an account.
extension AccountCommand {
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: .said(AdministeringHelp.accountCreate),
      discussion: .said(AdministeringHelp.accountCreateMore))

    @Argument(help: .said(CommonHelp.email)) var email: String
    @Flag(help: .said(AdministeringHelp.accountCreateNoPassword)) var noPassword = false
    @Flag(help: .said(AdministeringHelp.accountCreateDisabled)) var disabled = false
    @Option(help: .said(AdministeringHelp.accountCreateAcceptTerms, valueName: "version")) var acceptTerms: String?
    @Option(help: .said(AdministeringHelp.accountCreateGroup, valueName: "name")) var group: [String] = []
    @Option(help: .said(CommonHelp.displayName, valueName: "name")) var displayName: String?
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
      guard !(noPassword && password.passwordStdin) else { throw ValidationError(UsageMessageKey.passwordOrNone) }
    }

    func run() throws {
      var params: JSONValue = ["email": .string(email)]
      if !noPassword {
        let typed = try password.read(confirm: true)
        params = params.adding("password", .string(typed.password))
          .adding("passwordConfirmation", .string(typed.confirmation))
      }
      params = params.adding("state", disabled ? "disabled" : nil)
        .adding("terms", acceptTerms.map(JSONValue.string)).adding("groups", group)
        .adding("displayName", displayName.map(JSONValue.string))
      try connection.call("account.create", params) { result in
        let isPending = result.shown("account", "state") == "pending"
        connection.say(
          isPending ? ResultMessageKey.accepted : .created,
          ["email": .text(result.shown("account", "email")), "id": .text(result.shown("account", "id"))])
      }
    }
  }

  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: .said(AdministeringHelp.accountApprove),
      discussion: .said(AdministeringHelp.accountApproveMore))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.approve", who.params) { result in
        let isPending = result.shown("account", "state") == "pending"
        connection.say(
          isPending ? ResultMessageKey.approvedPending : .approved, ["account": .text(result.shown("account", "email"))]
        )
      }
    }
  }

  struct Refuse: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "refuse", abstract: .said(AdministeringHelp.accountRefuse))
    @OptionGroup var who: AccountArgument
    @OptionGroup var consent: Consent
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try consent.demand(PromptMessageKey.refuse, orSay: .notRefused, ["account": .text(who.account)])
      try connection.call("account.refuse", who.params) { _ in
        connection.say(ResultMessageKey.refused, ["account": .text(who.account)])
      }
    }
  }
}
