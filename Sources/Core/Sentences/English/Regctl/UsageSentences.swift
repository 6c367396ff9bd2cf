/// Problems of a command line.
package enum UsageSentence: String, SentenceKey {
  case timeout = "regctl.usage.timeout: --timeout takes seconds from 1 to 86400"
  case range = "regctl.usage.range: {option} takes {least} to {most}, not {value}"
  case interval = "regctl.usage.interval: --interval takes seconds from 0.5 to 60, not {value}"
  case jobs = "regctl.usage.jobs: --jobs must be from 1 to 64, not {value}"
  case seedOrSeeds = "regctl.usage.seedOrSeeds: One of --seed and --seeds says what is played."
  case paramsOfOneMethod = "regctl.usage.paramsOfOneMethod: --params are those of one method: --method names it"
  case params = "regctl.usage.params: The params must be a JSON object or array, or name=value."
  case noCommand = "regctl.usage.noCommand: There is no command \"{command}\"; did you mean \"{nearest}\"?"
  /// If no command resembles the typed one.
  case noCommandAtAll = "regctl.usage.noCommandAtAll: There is no command \"{command}\"; the commands are {commands}"
  case noSubcommands = "regctl.usage.noSubcommands: {command} has no subcommands"
  case noMethod = "regctl.usage.noMethod: There is no method \"{method}\"; did you mean \"{nearest}\"?"
  /// If no method resembles the typed one.
  case noMethodAtAll = "regctl.usage.noMethodAtAll: There is no method \"{method}\"; regctl call lists the methods"
  case notNameValue = "regctl.usage.notNameValue: {word} is neither name=value nor a JSON object or array."
  case noParameter = "regctl.usage.noParameter: {method} has no parameter {parameter}; it takes {parameters}"
  case noParameterAtAll = "regctl.usage.noParameterAtAll: {method} has no parameter {parameter}; it takes none"
  case parameterType = "regctl.usage.parameterType: {parameter} must be {type}, and {text} is not even JSON."
  case fromLine = "regctl.usage.fromLine: --from-line counts from 1"
  case backupName = "regctl.usage.backupName: the file to make needs a name"
  case codeNeedsRequestId =
    "regctl.usage.codeNeedsRequestId: --code needs --request-id: a registration without one has a claim and a code of its own."
  case noWaitForCode = "regctl.usage.noWaitForCode: --no-wait does not wait for a --code."
  case recoverWhat =
    "regctl.usage.recoverWhat: recover takes the account's address, or --claim with the claim of a recovery."
  case codeNeedsClaim =
    "regctl.usage.codeNeedsClaim: --code needs --claim: a recovery that begins now has another code."
  case recoveryThatBegins =
    "regctl.usage.recoveryThatBegins: --no-wait and --language are for a recovery that begins; --claim continues one."
  case passwordOrNone = "regctl.usage.passwordOrNone: --no-password and --password-stdin exclude each other"
  case sendNeedsEmail = "regctl.usage.sendNeedsEmail: --send needs the address to mail the code to"
  case emailOrDomain = "regctl.usage.emailOrDomain: an address and --domain exclude each other"
  case languageOfMail = "regctl.usage.languageOfMail: --language is that of the mail, which needs --send"
  case switchOrAbandon = "regctl.usage.switchOrAbandon: --switch and --abandon exclude each other"
  case toOrToFile = "regctl.usage.toOrToFile: --to and --to-file exclude each other"
  case storeOrStoreFile = "regctl.usage.storeOrStoreFile: --store and --store-file exclude each other"
  case moveTo =
    "regctl.usage.moveTo: --to or --to-file says where to: postgresql://USER@HOST/DATABASE, or the path of a file"
  case whichStore =
    "regctl.usage.whichStore: --store or --store-file says which store: its path, or postgresql://USER@HOST/DATABASE"
  case storeForm =
    "regctl.usage.storeForm: the store must be postgresql://USER@HOST/DATABASE, or a path that begins with /"
  case noPasswordLine = "regctl.usage.noPasswordLine: Standard input ended before the line with the password."
  case noNewPasswordLine = "regctl.usage.noNewPasswordLine: Standard input ended before the line with the new password."
  case passwordNotUTF8 = "regctl.usage.passwordNotUTF8: The password on standard input is not UTF-8."
  case newPasswordNotUTF8 = "regctl.usage.newPasswordNotUTF8: The new password on standard input is not UTF-8."
  case noTerminalForPassword =
    "regctl.usage.noTerminalForPassword: There is no terminal with UTF-8 to ask for the password; use --password-stdin."
  case wrongOrRefused = "regctl.usage.wrongOrRefused: --wrong and --refused exclude each other"
  case httpOrJSON = "regctl.usage.httpOrJSON: --http and --json exclude each other"
  case noPAMUser = "regctl.usage.noPAMUser: PAM_USER is not set: pam_exec sets it."
  case noProgram = "regctl.usage.noProgram: The program that a right password starts is missing."
  case noEntry =
    "regctl.usage.noEntry: The name and the password did not come whole, as the program that asks hands them over."
}

/// Messages about a wrong command line from the library that reads it.
package enum LibrarySentence: String, SentenceKey {
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
