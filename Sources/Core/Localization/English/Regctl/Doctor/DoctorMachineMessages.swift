/// Findings about the place where accounts are kept.
package enum DoctorStoreMessageKey: String, MessageKey {
  case store = "regctl.doctor.store.store: the store"
  case failure = "regctl.doctor.store.failure: failing since {time}: {reason}"
  case damaged =
    "regctl.doctor.store.damaged: {store} contains {count, plural, one {# row} other {# rows}} that cannot be read: {rows}"
  case copied = """
    regctl.doctor.store.copied: \
    {store} was copied or moved by another program; if the store was restored from a copy, sign-ins that had ended may \
    be valid again
    """
  case wentBack = """
    regctl.doctor.store.wentBack: \
    the database has gone back to an earlier state: it is on timeline {timeline} with audit entries up to {entry}, but \
    regd has seen timeline {seenTimeline} and audit entry {seenEntry}
    """
  case works = "regctl.doctor.store.works: {store} works"
  case notYet = "regctl.doctor.store.notYet: {directory} does not exist yet; the unit creates it at the first start"
  case missing = "regctl.doctor.store.missing: there is no directory {directory} for the store"
  case noDirectory =
    "regctl.doctor.store.noDirectory: {place} should be the directory of the database, but is not a directory"
  case noFile = "regctl.doctor.store.noFile: {place} should be the database, but is not a regular file"
  case denied =
    "regctl.doctor.store.denied: {place} belongs to {owner} (mode {mode}), but {unit} runs as {user}, who may not use it"
  case sandboxed = """
    regctl.doctor.store.sandboxed: \
    {unit} cannot write to {directory}: its sandbox (ProtectSystem=) allows writing only to other directories
    """
  case hidden = "regctl.doctor.store.hidden: {directory} is hidden from {unit} by its sandbox (ProtectHome=)"
  case isOn = "regctl.doctor.store.isOn: {directory} is on {type}"
  case readOnly = "regctl.doctor.store.readOnly: {directory} is on {type}, mounted read-only"
  case ofNetwork =
    "regctl.doctor.store.ofNetwork: {directory} is on {type}, where SQLite's locks and shared memory are not reliable"
  case inMemory = "regctl.doctor.store.inMemory: {directory} is on {type}: all accounts are lost at the next boot"
  case ofContainer = """
    regctl.doctor.store.ofContainer: \
    {directory} is on {type}, a container's own layer: all accounts are lost when the container is removed
    """
  case fullOfFiles = """
    regctl.doctor.store.fullOfFiles: \
    the file system of {directory} is full or nearly full: room for {count, plural, one {# more file} other {# more \
    files}}
    """
  case full = "regctl.doctor.store.full: {directory} is full or nearly full: {mebibytes} MiB free"
  case fewFiles = """
    regctl.doctor.store.fewFiles: \
    {directory} has room for only {count, plural, one {# more file} other {# more files}}
    """
  case low = "regctl.doctor.store.low: {directory} has room for only {mebibytes} MiB"
  case free = "regctl.doctor.store.free: {directory} has {mebibytes} MiB free"
}

/// Findings about the machine's resources for regd.
package enum DoctorMachineMessageKey: String, MessageKey {
  case clockBeforeProgram = """
    regctl.doctor.machine.clockBeforeProgram: \
    the clock is {days, plural, one {# day} other {# days}} behind the build date of this program
    """
  case clockBeforeStore = """
    regctl.doctor.machine.clockBeforeStore: \
    the clock is {seconds} s behind the last change to the store
    """
  case clockKept = "regctl.doctor.machine.clockKept: the clock is synchronized with a time server"
  case clockNotKept = """
    regctl.doctor.machine.clockNotKept: \
    the clock is not synchronized with a time server; delays, the audit and certificates depend on it
    """
  case clockUnknown = """
    regctl.doctor.machine.clockUnknown: \
    the kernel does not report whether the clock is synchronized with a time server
    """
  case throttled =
    "regctl.doctor.machine.throttled: regd's control group was throttled in {percent}% of its scheduling periods"
  case unbounded = "regctl.doctor.machine.unbounded: no control group limits regd's processor time"
  case partOfProcessor = """
    regctl.doctor.machine.partOfProcessor: \
    regd may use {percent}% of one processor, so each hash takes proportionally longer
    """
  case processors = "regctl.doctor.machine.processors: regd's processor limit is {percent}% (100% is one processor)"
  case hashes = """
    regctl.doctor.machine.hashes: \
    {count, plural, one {a hash needs {needed} MiB} other {# simultaneous hashes need {needed} MiB}} of the {allowed} \
    MiB that regd may use
    """
  case hashesTooMany = """
    regctl.doctor.machine.hashesTooMany: \
    {count, plural, one {a hash needs {needed} MiB} other {# simultaneous hashes need {needed} MiB}}, more than half \
    of the {allowed} MiB that regd may use, so regd will refuse to start the next time
    """
  case hashesLow = """
    regctl.doctor.machine.hashesLow: \
    {count, plural, one {a hash needs {needed} MiB} other {# simultaneous hashes need {needed} MiB}}, but the machine \
    has only {left} MiB left
    """
  case killed = """
    regctl.doctor.machine.killed: \
    the kernel has killed processes in regd's control group {count, plural, one {once} other {# times}} because memory \
    ran out
    """
  case filesUnknown = "regctl.doctor.machine.filesUnknown: regd's limit on open files cannot be read"
  case filesTooFew = """
    regctl.doctor.machine.filesTooFew: \
    regd may open {limit} files, but limits.connections needs {needed}
    """
  case files = "regctl.doctor.machine.files: regd may open {limit} files, and needs {needed}"
}

/// Findings about the mail system.
package enum DoctorMailMessageKey: String, MessageKey {
  case works = "regctl.doctor.mail.works: the mail system ({backend}) accepts emails, as far as regd knows"
  case fails = "regctl.doctor.mail.fails: the mail system ({backend}) has been failing since {time}: {failure}"
  case refuses =
    "regctl.doctor.mail.refuses: the mail system ({backend}) has been refusing every email since {time}, and refused emails are not sent again: {failure}"
}

/// Findings about the work that regd repeats in the background.
package enum DoctorBackgroundMessageKey: String, MessageKey {
  case works = "regctl.doctor.background.works: all background tasks of regd are working"
}

/// Findings about the registration service that regd asks.
package enum DoctorUpstreamMessageKey: String, MessageKey {
  case told =
    "regctl.doctor.upstream.told: regd has been receiving this error from the upstream since {time}: {failure}"
  case answers = "regctl.doctor.upstream.answers: {url} answers in {milliseconds} ms"
  case answersButTold = """
    regctl.doctor.upstream.answersButTold: \
    {url} answers in {milliseconds} ms, but regd has been receiving this error since {time}: {failure}
    """
  case keptByUnit = """
    regctl.doctor.upstream.keptByUnit: \
    {url} answers in {milliseconds} ms, but regd has been receiving this error since {time}: {failure}; IPAddressDeny= \
    of {unit} may block regd
    """
  case failed = "regctl.doctor.upstream.failed: {url}: {reason}"
  case failedDetail = "regctl.doctor.upstream.failedDetail: {url}: {reason} ({detail})"
  case notTried = "regctl.doctor.upstream.notTried: the upstream was not tested from here: {reason}"
  case mayNotBeRead = "regctl.doctor.upstream.mayNotBeRead: this user may not read the configuration"
  case noAddress = "regctl.doctor.upstream.noAddress: {address} is not an email address"
  case status = "regctl.doctor.upstream.status: HTTP status {status}"
  case hasAccount = "regctl.doctor.upstream.hasAccount: {address} already has an account"
  case sameAccount =
    "regctl.doctor.upstream.sameAccount: {url} returns the same account for a repeated request with the same key"
  case otherAccount = """
    regctl.doctor.upstream.otherAccount: \
    {url} treated a repeated request with the same key as a new request, and returned different ids: {first} and \
    {second}
    """
  case taken = """
    regctl.doctor.upstream.taken: \
    {url} returns 409 for a repeated request with the same key, as if another registration had the address
    """
  case repeatFailed = "regctl.doctor.upstream.repeatFailed: the repeated request failed: {reason}"
}
