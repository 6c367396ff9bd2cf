/// The text of the doctor's report around its findings.
package enum DoctorSentence: String, SentenceKey {
  package static let area = "regctl.doctor"

  /// Verdicts, at most seven columns each.
  case ok = "ok"
  case warning = "warning"
  case problem = "problem"
  case unknown = "unknown"
  case problems = "{count, plural, one {# problem} other {# problems}}"
  case warnings = "{count, plural, one {# warning} other {# warnings}}"
  case nothing = "nothing found"
  case notSeen = "{found}; {count} could not be seen"
  case notAsked = "not asked"
  case notTried = "not tried"
}

/// Text that follows a command that the doctor advises.
package enum DoctorAdvice: String, SentenceKey {
  package static let area = "regctl.doctor.advice"

  case logInAgain = "or log in again"
  case andLogInAgain = "and log in again"
  case orAddUser = "or {command}, and log in again"
  case thenRestart = "{setting}; then {command}"
  case networkThenRestart = "network.backend: none, or http; then {command}"
  case withoutEnvironment = "without the section environment; then {command}"
  case localDisk = "put store.sqlite.path on a local disk"
  case servesWhatIsThere = "it then serves what is at {path}"
  case backup = "ADMINISTERING: back-up and restore"
  case workersOrMemory = "hashing.workers; or {command} for MemoryMax="
  case allowAddress = "[Service] IPAddressAllow=ADDRESS; then restart it"
  case urlAndToken = "network.http.baseURL, and the token"
  case idempotencyKey = "THE UPSTREAM: it has to honour Idempotency-Key"
  case freeAddress = "one that is free"
}

/// Findings about whether regd can be reached.
package enum DoctorSocketSentence: String, SentenceKey {
  package static let area = "regctl.doctor.socket"

  case missing = "there is no {socket}: regd does not run, or listens elsewhere"
  case hidden = "{user} may not enter {directory}"
  case regularFile = "{socket} is a regular file, and no socket; regd leaves it alone and does not start"
  case directory = "{socket} is a directory, and no socket; regd leaves it alone and does not start"
  case namedPipe = "{socket} is a named pipe, and no socket; regd leaves it alone and does not start"
  case link = "{socket} is a link, and no socket; regd leaves it alone and does not start"
  case device = "{socket} is a device, and no socket; regd leaves it alone and does not start"
  case refused =
    "{socket} is there, and no process listens: regd has ended without removing it, and takes it over at its start"
  case failed = "{socket}: {reason}"
  case backlog = "as many callers wait to be accepted as may (its backlog is full)"
  case answers = "regd {version} answers on {socket}"
  case silent = "{socket} accepts connections, and does not answer: {reason}"
  case groupMayNot = "{socket} has mode {mode} and group {group}: its group may not connect"
  case onlyRoot = "{socket} has mode {mode} and group {group}: only root may connect"
  case notYetMember =
    "{socket} has mode {mode} and group {group}; {user} is a member, but was not when this session began"
  case notMember = "{socket} has mode {mode} and group {group}, in which {user} is not"
  case serviceFailed = "{unit} has failed ({result})"
  case serviceRestarted = "{unit} runs, and was restarted {count} times"
  case serviceActive = "{unit} is active"
  case serviceIs = "{unit} is {state}"
  case lockNotAFile = "{file} is not a regular file: regd does not start"
  case lockSecondName = "{file} has a second name: regd does not start"
  case lockOwner = "{file} belongs to uid {owner}, and its directory to uid {directoryOwner}: regd does not start"
  case lockContent = "{file} has something else in it than a process id: regd does not start"
  case lockBeside = "a regd listens beside {file}"
  case lockUnreadable = "{file} may not be read by {user}"
  case lockLeft = "{file} was left by a regd that has ended; the next one takes it over"
  case lock = "{file} is regd's"
}

/// Findings about the rights of users.
package enum DoctorAccessSentence: String, SentenceKey {
  package static let area = "regctl.doctor.access"

  case lateGroups =
    "{user} is in {groups} by the machine's database, and not in this session, which began before"
  case groups = "{user} is in {groups}"
  case noGroups = "{user} is in none of regd's groups"
  case administrator = "{user} may see how regd is"
  case noAdministrator = "{user} is not an administrator, and may not see regd's status"
  case refused = "daemon.status: {message}"
}

/// Findings about doors, and whether their users reach them.
package enum DoctorDoorSentence: String, SentenceKey {
  package static let area = "regctl.doctor.door"

  case answers = "{count, plural, one {# door answers} other {# doors answer}}: {doors}"
  case missing = "door {door}: there is no {address}"
  case noSocket = "door {door}: {address} is not a socket"
  case refused = "door {door}: no process listens at {address}"
  case failed = "door {door}: {address}: {reason}"
  case silent = "door {door}: {address} accepts connections, and does not answer as {protocol} asks"
  case notForUser = "door {door}: {user} may not connect to {address}, so whether it answers is not seen"
  case mayNotEnter = "door {door}: {user}, one of its peers, may not enter {place} (mode {mode}, of {owner})"
  case mayNotConnect = "door {door}: {user}, one of its peers, may not write to {place} (mode {mode}, of {owner})"
  case nobodyEnters = "door {door}: none but root and regd may enter {place} (mode {mode}, of {owner})"
  case nobodyConnects = "door {door}: none but root and regd may write to {place} (mode {mode}, of {owner})"
  case chroot = "door {door}: Postfix's smtpd sees only what is in its chroot {chroot}, and not {address}"
  case both = "{first}; {second}"
}

/// Findings about regd's configuration, and whether regd runs under it.
package enum DoctorConfigurationSentence: String, SentenceKey {
  package static let area = "regctl.doctor.configuration"

  case good = "{file} is good"
  /// `problems` is in the words of the configuration's check.
  case problems = "{problems}"
  case notChecked = "{file} is not checked: {reason}"
  case fileReason = "{file} {reason}"
  case noRegd = "there is no {regd}; --regd names it"
  case same = "regd runs by {file} as it is"
  case differs = "{file} differs from what runs: {keys}"
  case reloadRefused = "a reload of {file} would be refused: {reasons}"
  case notTold = "this regd does not tell whether {file} differs from what runs"
  case older = "{file} is older than the start of regd"
  case changed = "{file} was changed after regd was started, {seconds} s later"
  case environment = "regd plays the environment {name}, which is for rehearsing"
  case network = "network.backend is {backend}, which is for rehearsing"
  case memory = "store.backend is memory: every account is gone when regd ends"
}
