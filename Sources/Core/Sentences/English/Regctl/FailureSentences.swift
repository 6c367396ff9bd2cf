/// Why a call of regd has no reply.
package enum ConnectionSentence: String, SentenceKey {
  package static let area = "regctl.connection"

  case cannotConnect = "cannot connect to {path}: {reason}"
  case timedOut = "no answer within {seconds} seconds"
  case disconnected = "regd closed the connection"
  case notAReply = "this is not a reply: {text}"
  /// regd's socket exists, but regd has not answered yet.
  case waiting = "waiting for regd at {path}"
  case waitingForUnit = "waiting for regd at {path}; {unit} is {state}"
  case waitingForFailed =
    "waiting for regd at {path}; {unit} is {state}, and did not start: {reason}; `journalctl -u {unit} -n 20` says more"
  case cannotStart = "{unit} is {state} and cannot start: {reason}; `journalctl -u {unit} -n 20` says more"
}

/// How regctl shows what regd refused.
package enum RefusalSentence: String, SentenceKey {
  package static let area = "regctl.refusal"

  /// `message` is regd's, and `reason` is its stable name for programs.
  case withReason = "{message} ({reason})"
  case problem = "{field}: {message} ({reason})"
  case problemAtPlace = "{place}: {message}"
  case problemOfKey = "{place}: {key}: {message}"
  case tryAgain = "Try again in {seconds} s."
  case triesLeft = "{count, plural, =0 {No try is left.} one {One try is left.} other {# tries are left.}}"
}

/// Reasons that keep a command from its work.
package enum FailureSentence: String, SentenceKey {
  package static let area = "regctl.failure"

  case noProc = "/proc is not mounted, from which regctl has its command line: mount -t proc proc /proc"
  case argumentNotUTF8 = "the argument {argument} is not UTF-8"
  case catalogue = "warning: {file} cannot be used, and English takes its place: {reason}"
  case outputLost = "standard output cannot be written"
  case cannotOpen = "{file} cannot be opened: {reason}"
  case cannotMake = "{file} cannot be made: {reason}"
  case cannotWriteFile = "{file} cannot be written: {reason}"
  case cannotWrite = "cannot write: {reason}"
  case cannotReadBehind = "{file} cannot be read after line {line}: {reason}"
  case notText = "{file} cannot be read, or is not text"
  case isThere = "{file} is there already"
  case noScreen = "the terminal (TERM={term}) has no screen that can be drawn on"
  case noTerminalToDraw = "there is no terminal to draw on"
  case noTerminalSettings = "the terminal does not tell its settings: {reason}"
  case screenNotNeeded = "{reason}; --once and --json need none"
  case networkUnknown = "regd does not say what its network is"
  case benchAsks = "{method} asks the upstream, so that a load of it needs --yes; without: {methods}"
  case benchChanges =
    "{method} may change accounts, work on passwords or hold things open, so that a load of it needs --yes; without: {methods}"
  case noSimulator = "there is no regd-simulate at {places}"
  case storeNotCopied = "the store of this regd is {backend}, which is not a file that could be copied"
}
