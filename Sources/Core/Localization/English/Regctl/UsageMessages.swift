/// Problems of a command line.
package enum UsageMessageKey: String, MessageKey {
  case timeout = "regctl.usage.timeout: --timeout must be from 1 to 86400 seconds"
  case range = "regctl.usage.range: {option} must be from {least} to {most}, not {value}"
  case interval = "regctl.usage.interval: --interval must be from 0.5 to 60 seconds, not {value}"
  case jobs = "regctl.usage.jobs: --jobs must be from 1 to 64, not {value}"
  case seedOrSeeds = "regctl.usage.seedOrSeeds: give either --seed or --seeds, not both"
  case paramsOfOneMethod = "regctl.usage.paramsOfOneMethod: --params needs exactly one --method"
  case params = "regctl.usage.params: the parameters must be a JSON object or array, or have the form name=value"
  case noCommand = "regctl.usage.noCommand: there is no command \"{command}\"; did you mean \"{nearest}\"?"
  /// `commands` is the list of all commands.
  case noCommandAtAll = "regctl.usage.noCommandAtAll: there is no command \"{command}\"; choose from {commands}"
  case noSubcommands = "regctl.usage.noSubcommands: {command} has no subcommands"
  case noMethod = "regctl.usage.noMethod: there is no method \"{method}\"; did you mean \"{nearest}\"?"
  case noMethodAtAll = "regctl.usage.noMethodAtAll: there is no method \"{method}\"; regctl call lists the methods"
  case notNameValue = "regctl.usage.notNameValue: \"{word}\" is neither name=value nor a JSON object or array"
  case noParameter = "regctl.usage.noParameter: {method} has no parameter \"{parameter}\"; it takes {parameters}"
  case noParameterAtAll = "regctl.usage.noParameterAtAll: {method} has no parameter \"{parameter}\"; it takes none"
  case parameterType = "regctl.usage.parameterType: {parameter} must be {type}, but \"{text}\" is not JSON"
  case fromLine = "regctl.usage.fromLine: --from-line must be 1 or more"
  case backupName = "regctl.usage.backupName: the path of the backup must end with a file name"
  case codeNeedsRequestId = """
    regctl.usage.codeNeedsRequestId: \
    --code needs --request-id: without it, each registration gets a new claim and a new code
    """
  case noWaitForCode = "regctl.usage.noWaitForCode: --no-wait and --code cannot be combined"
  case recoverWhat = """
    regctl.usage.recoverWhat: \
    give either the address of the account, or --claim to continue a recovery
    """
  case codeNeedsClaim = "regctl.usage.codeNeedsClaim: --code needs --claim: a new recovery gets a new code"
  case recoveryThatBegins = """
    regctl.usage.recoveryThatBegins: \
    --no-wait and --language apply only to a new recovery; --claim continues an existing one
    """
  case passwordOrNone = "regctl.usage.passwordOrNone: --no-password and --password-stdin cannot be combined"
  case sendNeedsEmail = "regctl.usage.sendNeedsEmail: --send needs the address to send the code to"
  case emailOrDomain = "regctl.usage.emailOrDomain: an address and --domain cannot be combined"
  case languageOfMail = "regctl.usage.languageOfMail: --language sets the language of the email, so it needs --send"
  case switchOrAbandon = "regctl.usage.switchOrAbandon: --switch and --abandon cannot be combined"
  case toOrToFile = "regctl.usage.toOrToFile: --to and --to-file cannot be combined"
  case storeOrStoreFile = "regctl.usage.storeOrStoreFile: --store and --store-file cannot be combined"
  case moveTo =
    "regctl.usage.moveTo: give the target with --to or --to-file: postgresql://USER@HOST/DATABASE, or the path of a file"
  case whichStore =
    "regctl.usage.whichStore: give the store with --store or --store-file: its path, or postgresql://USER@HOST/DATABASE"
  case storeForm =
    "regctl.usage.storeForm: the store must be postgresql://USER@HOST/DATABASE, or a path that begins with /"
  case noPasswordLine = "regctl.usage.noPasswordLine: standard input ended before the line with the password"
  case noNewPasswordLine = "regctl.usage.noNewPasswordLine: standard input ended before the line with the new password"
  case passwordNotUTF8 = "regctl.usage.passwordNotUTF8: the password on standard input is not UTF-8"
  case newPasswordNotUTF8 = "regctl.usage.newPasswordNotUTF8: the new password on standard input is not UTF-8"
  case noTerminalForPassword = """
    regctl.usage.noTerminalForPassword: \
    there is no UTF-8 terminal on which to ask for the password; use --password-stdin
    """
  case wrongOrRefused = "regctl.usage.wrongOrRefused: --wrong and --refused cannot be combined"
  case httpOrJSON = "regctl.usage.httpOrJSON: --http and --json cannot be combined"
  /// The usage of regd-login.
  case login = """
    regctl.usage.login: \
    use regd-login pam, or regd-login helper with ejabberd, apache, squid or checkpassword; the options are those of \
    regctl pam and regctl helper
    """
  case noPAMUser = "regctl.usage.noPAMUser: PAM_USER is not set; run this command from pam_exec, which sets it"
  case noProgram = "regctl.usage.noProgram: give the program to run after a correct password"
  case noEntry =
    "regctl.usage.noEntry: the name or the password from the calling program is missing, incomplete or too long"
  case requiredGroups = """
    regctl.usage.requiredGroups: \
    --group \"{value}\" is not allowed; a group name has 1 to 32 lower-case letters, digits, \".\", \"_\" or \"-\", and \
    begins with a letter or digit; --group can be given at most {limit} times
    """
}

/// Messages about a wrong command line from the library that reads it.
package enum LibraryMessageKey: String, MessageKey {
  case unknownOptionSimilar =
    "regctl.library.unknownOptionSimilar: Unknown option ''{option}''. Did you mean ''{similar}''?"
  case unknownOption = "regctl.library.unknownOption: Unknown option ''{option}''"
  case missingValue = "regctl.library.missingValue: Missing value for ''{option}''"
  case unexpectedValue =
    "regctl.library.unexpectedValue: The option ''{option}'' does not take any value, but ''{value}'' was specified."
  case unexpectedArgument = "regctl.library.unexpectedArgument: Unexpected argument ''{argument}''"
  case unexpectedArguments = "regctl.library.unexpectedArguments: {count} unexpected arguments: ''{arguments}''"
  case missingArgument = "regctl.library.missingArgument: Missing expected argument ''{argument}''"
  case missingOneOf = "regctl.library.missingOneOf: Missing one of: ''{arguments}''"
  case invalidValueOneOf =
    "regctl.library.invalidValueOneOf: The value ''{value}'' is invalid for ''{option}''. Please provide one of {values}."
  case invalidValue = "regctl.library.invalidValue: The value ''{value}'' is invalid for ''{option}''"
  case invalidOption = "regctl.library.invalidOption: Invalid option: {option}"
  case alreadySet =
    "regctl.library.alreadySet: Value to be set with flag {option} had already been set with flag {other}"
}
