/// Help of options and arguments that several commands of regctl share.
package enum CommonHelp: String, SentenceKey {
  package static let area = "help.common"

  case email = "The e-mail address."
  case accountEmail = "The account's e-mail address."
  case account = "The account's address or id."
  case socket = "regd's socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock."
  case timeout = "Seconds to wait for an answer."
  case json = "Print the result as JSON, as regd sent it; errors as JSON on standard error."
  case jsonResult = "Print the result as JSON."
  case jsonLines = "With --json a line each."
  case passwordStdin = "Read the password from the first line of standard input, and ask nobody."
  case passwordsStdin =
    "Read the password from the first line of standard input and the new one from the second; ask nobody."
  case yes = "Do not ask whether that is meant."
  case after = "Begin after this id."
  case limit = "How many at most; else all."
  case noWait = "Print the claim and end: a script proves it later, with `regctl claim prove`."
  case mailLanguage = "The language of the mail (BCP 47)."
  case claim = "The claim's id."
  case code = "The code; without it, it is asked for."
  case listWaiting = "Lists what waits, oldest first."
  case retry = "Has one tried now, or all; does not wait for what comes of it."
  case database = "The database; else regd is asked where it is."
}

/// Help of regctl as a whole.
package enum RegctlHelp: String, SentenceKey {
  package static let area = "help.regctl"

  case abstract = "Talks to regd, the registration daemon."
  case discussion = "Exit status: 0, 1 refused, 2 usage, 3 cannot connect, 4 timed out."
}

/// The kinds of users that groups of commands are for. ArgumentParser appends "subcommands", which other languages omit.
package enum GroupHelp: String, SentenceKey {
  package static let area = "help.group"

  case callers = "caller"
  case owners = "account owner"
  case administrators = "administrator"
  case operators = "operator"
  case authors = "client author"
}

/// Help texts of the library that reads regctl's command line: headings, and help of its own options.
package enum LibraryHelp: String, SentenceKey {
  package static let area = "help.library"

  case overview = "OVERVIEW: "
  case usage = "USAGE: "
  /// Precedes the synopsis of a command, below the error.
  case usageAgain = "Usage: "
  case arguments = "ARGUMENTS:"
  case options = "OPTIONS:"
  case subcommands = "SUBCOMMANDS:"
  case showVersion = "Show the version."
  case showHelp = "Show help information."
  case showSubcommandHelp = "Show subcommand help information."
  case seeHelp = "See ''{command}'' for detailed help."
  case seeMore = "See ''{command}'' for more information."
  case help = "Help:  {option}"
  case error = "Error: {message}"
  case defaultValue = "(default: {value})"
  case values = "(values: {values})"
  case valuesAndDefault = "(values: {values}; default: {value})"
}
