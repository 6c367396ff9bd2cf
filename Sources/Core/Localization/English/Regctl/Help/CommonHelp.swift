/// Help of options and arguments that several commands of regctl share.
package enum CommonHelp: String, MessageKey {
  case email = "help.common.email: Email address"
  case accountEmail = "help.common.accountEmail: Email address of the account"
  case account = "help.common.account: Email address or id of the account"
  case displayName = "help.common.displayName: Display name of the account"
  case socket = "help.common.socket: Socket of regd (default: REGD_SOCKET_PATH, otherwise /run/regd/regd.sock)"
  case timeout = "help.common.timeout: Seconds to wait for an answer"
  case json = "help.common.json: Print the result that regd returns as JSON, and errors as JSON on standard error"
  case jsonResult = "help.common.jsonResult: Print the result as JSON"
  case jsonLines = "help.common.jsonLines: With --json, prints one JSON object per line."
  case passwordStdin =
    "help.common.passwordStdin: Read the password from the first line of standard input, without a prompt"
  case passwordsStdin =
    "help.common.passwordsStdin: Read the password from the first line of standard input and the new password from the second, without a prompt"
  case yes = "help.common.yes: Do not ask for confirmation"
  case after = "help.common.after: Begin after the entry with this id or name"
  case limit = "help.common.limit: Maximum number of entries to print (default: all)"
  case noWait =
    "help.common.noWait: Print the claim and exit, so that a script can finish later with `regctl claim prove`"
  case mailLanguage = "help.common.mailLanguage: Language of the email (BCP 47)"
  case claim = "help.common.claim: Id of the claim"
  case code = "help.common.code: Code from the email (default: ask for it)"
  case listWaiting = "help.common.listWaiting: List waiting entries, oldest first"
  case retry = "help.common.retry: Retry one entry or all entries now, without waiting for the result"
  case database = "help.common.database: Database file (default: the one that regd uses)"
}

/// Help of regctl as a whole.
package enum RegctlHelp: String, MessageKey {
  case abstract = "help.regctl.abstract: Use and administer regd, the registration daemon"
  case discussion =
    "help.regctl.discussion: Exit status: 0 success, 1 refused, 2 usage error, 3 cannot connect, 4 timed out."
}

/// Headings of groups of commands, by the kind of user. ArgumentParser appends "subcommands", which other languages omit.
package enum GroupHelp: String, MessageKey {
  case callers = "help.group.callers: caller"
  case owners = "help.group.owners: account owner"
  case administrators = "help.group.administrators: administrator"
  case operators = "help.group.operators: operator"
  case authors = "help.group.authors: client author"
}

/// Help texts of the library that reads regctl's command line: headings, and help of its own options.
package enum LibraryHelp: String, MessageKey {
  case overview = "help.library.overview: OVERVIEW: "
  case usage = "help.library.usage: USAGE: "
  /// Precedes the synopsis of a command, below the error.
  case usageAgain = "help.library.usageAgain: Usage: "
  case arguments = "help.library.arguments: ARGUMENTS:"
  case options = "help.library.options: OPTIONS:"
  case subcommands = "help.library.subcommands: SUBCOMMANDS:"
  case showVersion = "help.library.showVersion: Show the version."
  case showHelp = "help.library.showHelp: Show help information."
  case showSubcommandHelp = "help.library.showSubcommandHelp: Show subcommand help information."
  case seeHelp = "help.library.seeHelp: See ''{command}'' for detailed help."
  case seeMore = "help.library.seeMore: See ''{command}'' for more information."
  case help = "help.library.help: Help:  {option}"
  case error = "help.library.error: Error: {message}"
  case defaultValue = "help.library.defaultValue: (default: {value})"
  case values = "help.library.values: (values: {values})"
  case valuesAndDefault = "help.library.valuesAndDefault: (values: {values}; default: {value})"
}
