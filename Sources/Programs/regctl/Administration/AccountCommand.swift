internal import ArgumentParser
internal import RegdClient
internal import Sentences

/// `regctl account`: shows and changes accounts.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: .said(AdministeringHelp.account),
    subcommands: [Get.self, List.self, Disable.self, Enable.self, Delete.self, SetPassword.self])

  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: .said(AdministeringHelp.accountGet))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.get", who.params) { result in
        guard let account = result["account"] else { return }
        for line in Self.lines(account) { connection.say(line: line) }
      }
    }

    static func lines(_ account: JSONValue) -> [String] {
      ["id", "email", "state", "createdAt", "updatedAt"].map { "\($0): \(account[$0]?.string ?? "?")" }
    }
  }

  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: .said(AdministeringHelp.accountDisable))
    @OptionGroup var who: AccountArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("account.disable", who.params) { _ in
        connection.say(ResultSentence.disabled, ["account": .text(who.account)])
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
        connection.say(ResultSentence.enabled, ["account": .text(who.account)])
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: .said(AdministeringHelp.accountDelete))
    @OptionGroup var who: AccountArgument
    @Flag(help: .said(CommonHelp.yes)) var yes = false
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      if !yes, Terminal.ask(PromptSentence.delete, ["account": .text(who.account)]) != "yes" {
        throw Refusal(PromptSentence.notDeleted, ["account": .text(who.account)])
      }
      try connection.call("account.delete", who.params) { _ in
        connection.say(ResultSentence.deleted, ["account": .text(who.account)])
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
        connection.say(ResultSentence.passwordSet, ["account": .text(who.account)])
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: .said(AdministeringHelp.accountList),
      discussion: .said(CommonHelp.jsonLines))
    @Option(help: .said(CommonHelp.after)) var after: String?
    @Option(help: .said(CommonHelp.limit)) var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try connection.client()
      try Pages.forEach(client, "account.list", member: "accounts", after: after.map { .string($0) }, limit: limit) {
        account in
        if connection.json { print(account.text) } else { printLine(Self.line(account)) }
      }
    }

    private static func line(_ account: JSONValue) -> String {
      let state = account["state"]?.string ?? "?"
      let padding = String(repeating: " ", count: max(0, 8 - state.count))
      let created = String((account["createdAt"]?.string ?? "?").prefix(19))
      return "\(account["id"]?.string ?? "?")  \(state)\(padding)  \(created)Z  \(account["email"]?.string ?? "?")"
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

/// Lists that regd returns in pages.
enum Pages {
  /// Calls `body` with each element of all pages.
  ///
  /// - Parameter limit: The most elements to read; nil for all.
  static func forEach(
    _ client: RegdClient, _ method: String, member: String, after: JSONValue?, limit: Int? = nil,
    _ body: (JSONValue) throws -> Void
  ) throws {
    var after = after
    var left = limit ?? .max
    while left > 0 {
      var params: [JSONValue.Member] = [.init("limit", .number("\(min(left, 500))"))]
      if let after { params.append(.init("after", after)) }
      switch try client.call(method, .object(params)) {
      case .failure(let error): throw Refusal(message: ConnectionOptions.describe(error), source: error.source)
      case .success(let page):
        let elements = page[member]?.array ?? []
        for element in elements { try body(element) }
        left -= elements.count
        guard let next = page["next"] else { return }
        after = next
      }
    }
  }
}
