internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl group`: lists groups of accounts.
struct GroupCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: .said(AdministeringHelp.group), subcommands: [ListCommand<Self>.self])
  static let list = PrintedList(
    name: "group", member: "groups", abstract: .said(AdministeringHelp.groupList),
    discussion: .said(AdministeringHelp.groupListMore))

  static func cells(_ group: JSONValue) -> [String] {
    [
      group.shown("name"),
      Speech.text(ListMessageKey.members, ["count": .number(group["members"]?.integer ?? 0)]),
    ]
  }
}

extension AccountCommand {
  /// `regctl account group`: adds accounts to groups, and removes them.
  struct Membership: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "group", abstract: .said(AdministeringHelp.accountGroup), subcommands: [Add.self, Remove.self])

    struct Add: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "add", abstract: .said(AdministeringHelp.accountGroupAdd))
      @OptionGroup var who: AccountArgument
      @Argument(help: .said(AdministeringHelp.groupName, valueName: "name")) var groups: [String]
      @OptionGroup var connection: ConnectionOptions

      func run() throws {
        try connection.call("account.addGroups", who.params.adding("groups", groups)) { _ in
          connection.say(ResultMessageKey.groupsAdded, ["account": .text(who.account), "groups": .list(groups)])
        }
      }
    }

    struct Remove: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "remove", abstract: .said(AdministeringHelp.accountGroupRemove))
      @OptionGroup var who: AccountArgument
      @Argument(help: .said(AdministeringHelp.groupName, valueName: "name")) var groups: [String]
      @OptionGroup var connection: ConnectionOptions

      func run() throws {
        try connection.call("account.removeGroups", who.params.adding("groups", groups)) { _ in
          connection.say(ResultMessageKey.groupsRemoved, ["account": .text(who.account), "groups": .list(groups)])
        }
      }
    }
  }

  /// `regctl account name`: sets or removes the display name of an account.
  struct Name: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "name", abstract: .said(AdministeringHelp.accountName))
    @OptionGroup var who: AccountArgument
    @Argument(help: .said(AdministeringHelp.newDisplayName)) var name: String
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let params = who.params.adding("displayName", .string(name))
      try connection.call("account.setDisplayName", params) { result in
        // regd removes white space at the ends of the name
        guard let name = result["account"]?["displayName"]?.string else {
          return connection.say(ResultMessageKey.nameRemoved, ["account": .text(who.account)])
        }
        connection.say(ResultMessageKey.named, ["account": .text(who.account), "name": .text(name)])
      }
    }
  }
}
