/// The text of the doctor's report around its findings.
package enum DoctorMessageKey: String, MessageKey {
  /// Verdicts, at most seven columns each.
  case ok = "regctl.doctor.ok: ok"
  case warning = "regctl.doctor.warning: warning"
  case problem = "regctl.doctor.problem: problem"
  case unknown = "regctl.doctor.unknown: unknown"
  case problems = "regctl.doctor.problems: {count, plural, one {# problem} other {# problems}}"
  case warnings = "regctl.doctor.warnings: {count, plural, one {# warning} other {# warnings}}"
  case nothing = "regctl.doctor.nothing: no problems found"
  case notSeen = "regctl.doctor.notSeen: {found}; checks that could not be made: {count}"
  case notAsked = "regctl.doctor.notAsked: not checked"
  case notTried = "regctl.doctor.notTried: not tested"
}

/// Text that follows a command that the doctor advises.
package enum DoctorAdvice: String, MessageKey {
  case logInAgain = "regctl.doctor.advice.logInAgain: or log in again"
  case andLogInAgain = "regctl.doctor.advice.andLogInAgain: and log in again"
  case orAddUser = "regctl.doctor.advice.orAddUser: or {command}, and log in again"
  case thenRestart = "regctl.doctor.advice.thenRestart: {setting}; then {command}"
  case networkThenRestart = """
    regctl.doctor.advice.networkThenRestart: \
    set network.backend to none or http; then {command}
    """
  case withoutEnvironment = "regctl.doctor.advice.withoutEnvironment: remove the environment section; then {command}"
  case localDisk = "regctl.doctor.advice.localDisk: put store.sqlite.path on a local disk"
  case servesWhatIsThere = "regctl.doctor.advice.servesWhatIsThere: regd then uses the store at {path}"
  case savesAccounts = """
    regctl.doctor.advice.savesAccounts: \
    then restore {path}; do not restart regd before that, because a restart would lose accounts
    """
  case savesLaterState = """
    regctl.doctor.advice.savesLaterState: \
    stop the server with the later state, and run this there before pg_rewind overwrites it; to continue without that \
    state, run {command}
    """
  case endsSignIns = """
    regctl.doctor.advice.endsSignIns: \
    this ends all sign-ins; if the store was only copied or moved, not restored from a backup, set made_in instead of \
    stamp_key
    """
  case otherPrograms = """
    regctl.doctor.advice.otherPrograms: \
    the list includes regd; wait for the other programs to end, or end them
    """
  case otherTransactions = """
    regctl.doctor.advice.otherTransactions: \
    run this on the database server; if another program's transaction is old, end it with SELECT \
    pg_terminate_backend(PID)
    """
  case backup = "regctl.doctor.advice.backup: Restore a backup"
  case workersOrMemory = """
    regctl.doctor.advice.workersOrMemory: \
    lower hashing.workers, or run {command} to raise MemoryMax=
    """
  case allowAddress =
    "regctl.doctor.advice.allowAddress: add IPAddressAllow=ADDRESS to [Service], then restart the unit"
  case mailSender = "regctl.doctor.advice.mailSender: check mail.from, mail.smtp.helo and mail.smtp.user"
  case urlAndToken = "regctl.doctor.advice.urlAndToken: check network.http.baseURL and the token"
  case idempotencyKey = "regctl.doctor.advice.idempotencyKey: The Idempotency-Key"
  case freeAddress = "regctl.doctor.advice.freeAddress: use an address that has no account"
}

/// Findings about whether regd can be reached.
package enum DoctorSocketMessageKey: String, MessageKey {
  case missing = "regctl.doctor.socket.missing: {socket} does not exist: regd is not running, or listens elsewhere"
  case hidden = "regctl.doctor.socket.hidden: {user} may not enter {directory}"
  case regularFile =
    "regctl.doctor.socket.regularFile: {socket} is a regular file, not a socket; regd leaves it alone and does not start"
  case directory =
    "regctl.doctor.socket.directory: {socket} is a directory, not a socket; regd leaves it alone and does not start"
  case namedPipe =
    "regctl.doctor.socket.namedPipe: {socket} is a named pipe, not a socket; regd leaves it alone and does not start"
  case link = "regctl.doctor.socket.link: {socket} is a link, not a socket; regd leaves it alone and does not start"
  case device =
    "regctl.doctor.socket.device: {socket} is a device, not a socket; regd leaves it alone and does not start"
  case refused = """
    regctl.doctor.socket.refused: \
    {socket} exists, but no process listens on it: regd ended without removing the socket, and will replace it at its \
    next start
    """
  case failed = "regctl.doctor.socket.failed: {socket}: {reason}"
  case backlog = "regctl.doctor.socket.backlog: the queue of waiting connections is full (backlog)"
  case answers = "regctl.doctor.socket.answers: regd {version} answers on {socket}"
  case silent = "regctl.doctor.socket.silent: {socket} accepts connections but does not answer: {reason}"
  case groupMayNot =
    "regctl.doctor.socket.groupMayNot: {socket} has mode {mode} and group {group}: its group may not connect"
  case onlyRoot = "regctl.doctor.socket.onlyRoot: {socket} has mode {mode} and group {group}: only root may connect"
  case notYetMember =
    "regctl.doctor.socket.notYetMember: {socket} has mode {mode} and group {group}; {user} is a member, but was not when this session began"
  case notMember = "regctl.doctor.socket.notMember: {socket} has mode {mode} and group {group}; {user} is not a member"
  case serviceFailed = "regctl.doctor.socket.serviceFailed: {unit} has failed ({result})"
  case serviceRestarted = """
    regctl.doctor.socket.serviceRestarted: \
    {unit} is running and was restarted {count, plural, one {once} other {# times}}
    """
  case serviceActive = "regctl.doctor.socket.serviceActive: {unit} is active"
  case serviceIs = "regctl.doctor.socket.serviceIs: {unit} is {state}"
  case lockNotAFile = "regctl.doctor.socket.lockNotAFile: {file} is not a regular file, so regd does not start"
  case lockSecondName =
    "regctl.doctor.socket.lockSecondName: {file} has more than one hard link, so regd does not start"
  case lockOwner = """
    regctl.doctor.socket.lockOwner: \
    {file} belongs to uid {owner}, but its directory belongs to uid {directoryOwner}, so regd does not start
    """
  case lockContent =
    "regctl.doctor.socket.lockContent: {file} contains something other than a process id, so regd does not start"
  case lockBeside = "regctl.doctor.socket.lockBeside: a regd is listening on the socket next to {file}"
  case lockUnreadable = "regctl.doctor.socket.lockUnreadable: {user} may not read {file}"
  case lockLeft = "regctl.doctor.socket.lockLeft: {file} was left by a regd that has ended; the next regd replaces it"
  case lock = "regctl.doctor.socket.lock: {file} belongs to the running regd"
}

/// Findings about the rights of users.
package enum DoctorAccessMessageKey: String, MessageKey {
  case lateGroups = "regctl.doctor.access.lateGroups: {user} is in {groups} now, but was not when this session began"
  case groups = "regctl.doctor.access.groups: {user} is in {groups}"
  case noGroups = "regctl.doctor.access.noGroups: {user} is not in any of regd's groups"
  case administrator = "regctl.doctor.access.administrator: {user} may see regd's status"
  case noAdministrator =
    "regctl.doctor.access.noAdministrator: {user} is not an administrator, and may not see regd's status"
  case refused = "regctl.doctor.access.refused: daemon.status: {message}"
}

/// Findings about doors (sockets for other programs' protocols), and whether their users reach them.
package enum DoctorDoorMessageKey: String, MessageKey {
  case answers = "regctl.doctor.door.answers: {count, plural, one {# door answers} other {# doors answer}}: {doors}"
  case missing = "regctl.doctor.door.missing: door {door}: {address} does not exist"
  case noSocket = "regctl.doctor.door.noSocket: door {door}: {address} is not a socket"
  case refused = "regctl.doctor.door.refused: door {door}: no process listens at {address}"
  case failed = "regctl.doctor.door.failed: door {door}: {address}: {reason}"
  case silent =
    "regctl.doctor.door.silent: door {door}: {address} accepts connections but does not answer as {protocol} requires"
  case notForUser =
    "regctl.doctor.door.notForUser: door {door}: not checked, because {user} may not connect to {address}"
  case mayNotEnter = """
    regctl.doctor.door.mayNotEnter: \
    door {door}: the peer {user} may not enter {place} (mode {mode}, owned by {owner})
    """
  case mayNotConnect = """
    regctl.doctor.door.mayNotConnect: \
    door {door}: the peer {user} may not write to {place} (mode {mode}, owned by {owner})
    """
  case deniedPeer = "regctl.doctor.door.deniedPeer: door {door}: access.deny does not allow the peer {user} to connect"
  case nobodyEnters =
    "regctl.doctor.door.nobodyEnters: door {door}: only root and regd may enter {place} (mode {mode}, owned by {owner})"
  case nobodyConnects = """
    regctl.doctor.door.nobodyConnects: \
    door {door}: only root and regd may write to {place} (mode {mode}, owned by {owner})
    """
  case chroot =
    "regctl.doctor.door.chroot: door {door}: Postfix's smtpd sees only its chroot {chroot}, which does not contain {address}"
  case held = """
    regctl.doctor.door.held: \
    socket {door} at {address}: no door is configured for this socket, so regd does not accept connections there
    """
  case both = "regctl.doctor.door.both: {first}; {second}"
}

/// Findings about regd's configuration, and whether regd runs under it.
package enum DoctorConfigurationMessageKey: String, MessageKey {
  case good = "regctl.doctor.configuration.good: {file} is valid"
  case defaults = "regctl.doctor.configuration.defaults: there is no {file}; regd uses its defaults"
  /// `problems` is the text of `regd --check-config`.
  case problems = "regctl.doctor.configuration.problems: {problems}"
  case notChecked = "regctl.doctor.configuration.notChecked: {file} was not checked: {reason}"
  case fileReason = "regctl.doctor.configuration.fileReason: {file} {reason}"
  case noRegd = "regctl.doctor.configuration.noRegd: {regd} does not exist; give the path of regd with --regd"
  case same = "regctl.doctor.configuration.same: regd is running with the current {file}"
  case differs = "regctl.doctor.configuration.differs: {file} differs from the running configuration: {keys}"
  case reloadRefused = "regctl.doctor.configuration.reloadRefused: a reload of {file} would be refused: {reasons}"
  case notTold =
    "regctl.doctor.configuration.notTold: this regd does not report whether {file} differs from the running configuration"
  case older = "regctl.doctor.configuration.older: {file} has not changed since regd started"
  case changed = "regctl.doctor.configuration.changed: {file} was changed {seconds} s after regd started"
  case environment =
    "regctl.doctor.configuration.environment: regd runs the environment {name}, which is only for tests"
  case network = "regctl.doctor.configuration.network: network.backend is {backend}, which is only for tests"
  case memory = "regctl.doctor.configuration.memory: store.backend is memory: all accounts are lost when regd ends"
  case approvalUnverified = """
    regctl.doctor.configuration.approvalUnverified: \
    registration.approvedDomains is set, but addresses are not verified: anyone can register an account that needs no approval
    """
}
