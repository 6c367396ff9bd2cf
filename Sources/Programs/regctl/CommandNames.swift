internal import ArgumentParser
internal import NearestName
internal import Sentences

/// Suggests a command if the first word of the command line is not a command.
enum CommandNames {
  /// Other programs' words for regctl's commands. Their spelling is too different for `NearestName`.
  static let elsewhere = [
    "login": "sign-in", "signin": "sign-in", "logon": "sign-in", "signup": "register", "sign-up": "register",
    "logout": "sign-out", "signout": "sign-out", "logoff": "sign-out",
    "passwd": "password", "whoami": "my-data", "delete": "unregister", "remove": "unregister", "user": "account",
    "users": "account", "approve": "account", "signups": "account", "terms": "accept-terms", "queue": "outbox",
    "log": "events", "logs": "events", "ping": "status", "restore": "import", "stats": "metrics", "rpc": "call",
  ]

  static var all: [String] { Regctl.configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// - Throws: A usage error if the first word is not a command. It offers a similar command, or lists all commands.
  static func check(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help", !all.contains(word)
    else { return }
    guard let nearest = elsewhere[word.lowercased()] ?? NearestName.findClose(word, among: all) else {
      throw ValidationError(UsageSentence.noCommandAtAll, ["command": .text(word), "commands": .list(all)])
    }
    throw ValidationError(UsageSentence.noCommand, ["command": .text(word), "nearest": .text(nearest)])
  }
}
