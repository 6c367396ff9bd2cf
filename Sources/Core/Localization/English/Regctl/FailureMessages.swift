/// Why a call of regd has no reply.
package enum ConnectionMessageKey: String, MessageKey {
  case cannotConnect = "regctl.connection.cannotConnect: cannot connect to {path}: {reason}"
  /// The reasons of `cannotConnect` for which there is advice.
  case notRunning =
    "regctl.connection.notRunning: regd is not running, or listens elsewhere (--socket); try: regctl doctor"
  case notPermitted =
    "regctl.connection.notPermitted: this user may not connect; run regctl doctor to find the group to join"
  case timedOut = "regctl.connection.timedOut: no answer within {seconds, plural, one {# second} other {# seconds}}"
  case disconnected = "regctl.connection.disconnected: regd closed the connection"
  case notAReply = "regctl.connection.notAReply: regd sent an invalid reply: {text}"
  /// regd's socket exists, but regd has not answered yet.
  case waiting = "regctl.connection.waiting: waiting for regd at {path}"
  case waitingForUnit = "regctl.connection.waitingForUnit: waiting for regd at {path}; {unit} is {state}"
  case waitingForFailed = """
    regctl.connection.waitingForFailed: \
    waiting for regd at {path}; {unit} is {state} and did not start: {reason}; for details, run `journalctl -u {unit} \
    -n 20`
    """
  case cannotStart = """
    regctl.connection.cannotStart: \
    {unit} is {state} and cannot start: {reason}; for details, run `journalctl -u {unit} -n 20`
    """
}

/// The forms in which regctl prints regd's error replies.
package enum RefusalMessageKey: String, MessageKey {
  /// `message` is regd's text for people, and `reason` is the error's stable name for programs.
  case withReason = "regctl.refusal.withReason: {message} ({reason})"
  case problem = "regctl.refusal.problem: {field}: {message} ({reason})"
  case problemAtPlace = "regctl.refusal.problemAtPlace: {place}: {message}"
  case problemOfKey = "regctl.refusal.problemOfKey: {place}: {key}: {message}"
  case tryAgain = "regctl.refusal.tryAgain: Try again in {seconds} s."
}

/// Why a command cannot do its work.
package enum FailureMessageKey: String, MessageKey {
  case argumentNotUTF8 = "regctl.failure.argumentNotUTF8: the argument {argument} is not UTF-8"
  case systemUser = """
    regctl.failure.systemUser: \
    refused: the account has the same name as a user of this machine (use --system-users to allow this)
    """
  case systemUserUnknown = """
    regctl.failure.systemUserUnknown: \
    the look-up of this machine's users failed, so no account can sign in (see getent passwd): {reason}
    """
  case catalogue = "regctl.failure.catalogue: warning: {file} cannot be used, so English is used instead: {reason}"
  case outputLost = "regctl.failure.outputLost: cannot write to standard output"
  case cannotOpen = "regctl.failure.cannotOpen: {file} cannot be opened: {reason}"
  case cannotMake = "regctl.failure.cannotMake: {file} cannot be created: {reason}"
  case cannotWriteFile = "regctl.failure.cannotWriteFile: {file} cannot be written: {reason}"
  case cannotWrite = "regctl.failure.cannotWrite: cannot write: {reason}"
  case cannotReadBehind = "regctl.failure.cannotReadBehind: {file} cannot be read after line {line}: {reason}"
  case notText = "regctl.failure.notText: {file} cannot be read, or is not text"
  case isThere = "regctl.failure.isThere: {file} already exists"
  case noScreen = "regctl.failure.noScreen: the terminal (TERM={term}) cannot show a full screen"
  case noTerminalToDraw = "regctl.failure.noTerminalToDraw: there is no terminal"
  case noTerminalSettings = "regctl.failure.noTerminalSettings: the settings of the terminal cannot be read: {reason}"
  case screenNotNeeded = "regctl.failure.screenNotNeeded: {reason}; use --once or --json instead"
  case networkUnknown = "regctl.failure.networkUnknown: regd does not report its network backend"
  case benchAsks = """
    regctl.failure.benchAsks: \
    measuring {method} calls the upstream, so it needs --yes; you can measure these methods without --yes: {methods}
    """
  case benchChanges = """
    regctl.failure.benchChanges: \
    measuring {method} may change accounts, handle passwords or keep resources open, so it needs --yes; you can \
    measure these methods without --yes: {methods}
    """
  /// `package` is the Debian package that installs the program.
  case noOtherProgram =
    "regctl.failure.noOtherProgram: cannot find {program} in {places}; the package {package} installs it"
  case storeNotCopied =
    "regctl.failure.storeNotCopied: regd's store is {backend}, which is not a file, so the store cannot be copied"
}
