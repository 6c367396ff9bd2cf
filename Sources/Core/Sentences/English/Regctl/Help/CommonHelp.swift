/// Help of options and arguments that several commands of regctl share.
package enum CommonHelp: String, SentenceKey {
  case email = "help.common.email: The e-mail address."
  case accountEmail = "help.common.accountEmail: The account's e-mail address."
  case account = "help.common.account: The account's address or id."
  case socket = "help.common.socket: regd's socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock."
  case timeout = "help.common.timeout: Seconds to wait for an answer."
  case json = "help.common.json: Print the result as JSON, as regd sent it; errors as JSON on standard error."
  case jsonResult = "help.common.jsonResult: Print the result as JSON."
  case jsonLines = "help.common.jsonLines: With --json a line each."
  case passwordStdin =
    "help.common.passwordStdin: Read the password from the first line of standard input, and ask nobody."
  case passwordsStdin =
    "help.common.passwordsStdin: Read the password from the first line of standard input and the new one from the second; ask nobody."
  case yes = "help.common.yes: Do not ask whether that is meant."
  case after = "help.common.after: Begin after this id."
  case limit = "help.common.limit: How many at most; else all."
  case noWait = "help.common.noWait: Print the claim and end: a script proves it later, with `regctl claim prove`."
  case mailLanguage = "help.common.mailLanguage: The language of the mail (BCP 47)."
  case claim = "help.common.claim: The claim's id."
  case code = "help.common.code: The code; without it, it is asked for."
  case listWaiting = "help.common.listWaiting: Lists what waits, oldest first."
  case retry = "help.common.retry: Has one tried now, or all; does not wait for what comes of it."
  case database = "help.common.database: The database; else regd is asked where it is."
}

/// Help of regctl as a whole.
package enum RegctlHelp: String, SentenceKey {
  case abstract = "help.regctl.abstract: Talks to regd, the registration daemon."
  case discussion = "help.regctl.discussion: Exit status: 0, 1 refused, 2 usage, 3 cannot connect, 4 timed out."
}

/// Headings of groups of commands, by the kind of user. ArgumentParser appends "subcommands", which other languages omit.
package enum GroupHelp: String, SentenceKey {
  case callers = "help.group.callers: caller"
  case owners = "help.group.owners: account owner"
  case administrators = "help.group.administrators: administrator"
  case operators = "help.group.operators: operator"
  case authors = "help.group.authors: client author"
}

/// Help texts of the library that reads regctl's command line: headings, and help of its own options.
package enum LibraryHelp: String, SentenceKey {
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
