internal import ArgumentParser
internal import Localization
internal import NearestName
internal import RegctlCommandLine
internal import UserMessages

/// Refuses words that are not commands, and suggests the commands that they resemble.
enum CommandNames {
  /// Other programs' words for regctl's commands. Their spelling is too different for `NearestName`.
  static let elsewhere = [
    "login": "sign-in", "signin": "sign-in", "logon": "sign-in", "signup": "register", "sign-up": "register",
    "logout": "sign-out", "signout": "sign-out", "logoff": "sign-out",
    "passwd": "password", "whoami": "my-data", "delete": "unregister", "remove": "unregister", "user": "account",
    "users": "account", "approve": "account", "signups": "account", "terms": "accept-terms", "queue": "outbox",
    "name": "account", "rename": "account", "role": "group", "roles": "group", "members": "group",
    "log": "events", "logs": "events", "ping": "status", "restore": "import", "stats": "metrics", "rpc": "call",
  ]

  static var all: [String] { Regctl.configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// - Throws: A usage error if the first word is not a command, or if a word after `help` is not a command. It
  ///   suggests a command that the word resembles, and otherwise lists the commands.
  static func check(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws {
    guard let word = arguments.first, !word.hasPrefix("-") else { return }
    guard word != "help" else { return try checkHelp(arguments.dropFirst()) }
    guard !all.contains(word) else { return }
    throw unknown(word, among: all, elsewhere[word.lowercased()])
  }

  /// Checks the words after `help`, each of which must be a command below the one before it.
  private static func checkHelp(_ words: ArraySlice<String>) throws {
    var path = ["regctl"]
    var commands = Regctl.configuration.subcommands
    for word in words.prefix(while: { !$0.hasPrefix("-") }) {
      if path.count == 1, word == "help" { return }
      guard !commands.isEmpty else {
        throw ValidationError(UsageMessageKey.noSubcommands, ["command": .text(path.joined(separator: " "))])
      }
      guard let found = commands.first(where: { $0.configuration.commandName == word }) else {
        let names = commands.compactMap { $0.configuration.commandName }
        throw unknown(word, among: names, path.count == 1 ? elsewhere[word.lowercased()] : nil)
      }
      path.append(word)
      commands = found.configuration.subcommands
    }
  }

  /// - Parameter meant: The command that the word certainly means, or nil to search for a similar one.
  private static func unknown(_ word: String, among names: [String], _ meant: String?) -> ValidationError {
    guard let nearest = meant ?? NearestName.findClose(word, among: names) else {
      return ValidationError(UsageMessageKey.noCommandAtAll, ["command": .text(word), "commands": .list(names)])
    }
    return ValidationError(UsageMessageKey.noCommand, ["command": .text(word), "nearest": .text(nearest)])
  }
}
