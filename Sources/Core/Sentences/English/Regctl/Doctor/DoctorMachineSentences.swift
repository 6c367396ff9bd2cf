/// Findings about the place where accounts are kept.
package enum DoctorStoreSentence: String, SentenceKey {
  case store = "regctl.doctor.store.store: the store"
  case failure = "regctl.doctor.store.failure: since {time}: {reason}"
  case damaged =
    "regctl.doctor.store.damaged: {store} has {count, plural, one {# row} other {# rows}} that cannot be read: {rows}"
  case copied =
    "regctl.doctor.store.copied: {store} was copied or moved by another program; if it was restored, sign-ins that had ended may be valid again"
  case works = "regctl.doctor.store.works: {store} works"
  case notYet = "regctl.doctor.store.notYet: there is no {directory} yet; the unit makes it at the first start"
  case missing = "regctl.doctor.store.missing: there is no directory {directory} for the store"
  case noDirectory =
    "regctl.doctor.store.noDirectory: {place} is no directory, and the database's directory must be one"
  case noFile = "regctl.doctor.store.noFile: {place} is no regular file, and the database must be one"
  case denied =
    "regctl.doctor.store.denied: {place} belongs to {owner} (mode {mode}), and {unit} runs as {user}, who may not use it"
  case sandboxed =
    "regctl.doctor.store.sandboxed: {directory} is read-only to {unit}: its sandbox (ProtectSystem=) allows other directories only"
  case hidden = "regctl.doctor.store.hidden: {directory} is hidden from {unit} by its sandbox (ProtectHome=)"
  case isOn = "regctl.doctor.store.isOn: {directory} is on {type}"
  case readOnly = "regctl.doctor.store.readOnly: {directory} is on {type}, mounted read-only"
  case ofNetwork =
    "regctl.doctor.store.ofNetwork: {directory} is on {type}, where SQLite's locks and shared memory cannot be relied on"
  case inMemory = "regctl.doctor.store.inMemory: {directory} is on {type}: accounts are gone with the next boot"
  case ofContainer =
    "regctl.doctor.store.ofContainer: {directory} is on {type}, a container's own layer: accounts are gone with the container"
  case fullOfFiles = "regctl.doctor.store.fullOfFiles: {directory} has room for {count} more files"
  case full = "regctl.doctor.store.full: {directory} has room for {mebibytes} MiB"
  case fewFiles = "regctl.doctor.store.fewFiles: {directory} has room for {count} more files only"
  case low = "regctl.doctor.store.low: {directory} has room for {mebibytes} MiB only"
  case free = "regctl.doctor.store.free: {directory} has {mebibytes} MiB free"
}

/// Findings about the machine's resources for regd.
package enum DoctorMachineSentence: String, SentenceKey {
  case clockBeforeProgram =
    "regctl.doctor.machine.clockBeforeProgram: the clock is {days} days before this program was made"
  case clockBeforeStore =
    "regctl.doctor.machine.clockBeforeStore: the clock is {seconds} s before the store's last change"
  case clockKept = "regctl.doctor.machine.clockKept: the clock is kept by a time server"
  case clockNotKept =
    "regctl.doctor.machine.clockNotKept: no time server keeps the clock; waits, the audit and certificates go by it"
  case clockUnknown = "regctl.doctor.machine.clockUnknown: the kernel does not say whether the clock is kept"
  case throttled =
    "regctl.doctor.machine.throttled: regd's control group had to wait for its share of the processors in {percent} % of its time"
  case unbounded = "regctl.doctor.machine.unbounded: no control group bounds regd's time"
  case partOfProcessor =
    "regctl.doctor.machine.partOfProcessor: regd may have {percent} % of one processor: each hash takes that much longer"
  case processors = "regctl.doctor.machine.processors: regd may have {percent} % of a processor"
  case hashes =
    "regctl.doctor.machine.hashes: {count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}} of {allowed} MiB"
  case hashesTooMany =
    "regctl.doctor.machine.hashesTooMany: {count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}}, more than half of the {allowed} MiB that regd may use: its next start is refused"
  case hashesLow =
    "regctl.doctor.machine.hashesLow: {count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}}, and the machine has {left} MiB left"
  case killed =
    "regctl.doctor.machine.killed: the kernel has killed in regd's control group for want of memory, {count} times"
  case filesUnknown = "regctl.doctor.machine.filesUnknown: the limit of regd's open files cannot be seen"
  case filesTooFew =
    "regctl.doctor.machine.filesTooFew: regd may have {limit} open files, and limits.connections needs {needed}"
  case files = "regctl.doctor.machine.files: regd may have {limit} open files, and needs {needed}"
}

/// Findings about the mail system.
package enum DoctorMailSentence: String, SentenceKey {
  case works = "regctl.doctor.mail.works: the mail system ({backend}) accepts mails, as far as regd knows"
  case fails = "regctl.doctor.mail.fails: the mail system ({backend}) fails since {time}: {failure}"
  case refuses =
    "regctl.doctor.mail.refuses: the mail system ({backend}) refuses every mail since {time}, and refused mails are not sent again: {failure}"
}

/// Findings about the registration service that regd asks.
package enum DoctorUpstreamSentence: String, SentenceKey {
  case told = "regctl.doctor.upstream.told: regd was told, since {time}: {failure}"
  case answers = "regctl.doctor.upstream.answers: {url} answers in {milliseconds} ms"
  case answersButTold =
    "regctl.doctor.upstream.answersButTold: {url} answers in {milliseconds} ms; but regd was told, since {time}: {failure}"
  case keptByUnit =
    "regctl.doctor.upstream.keptByUnit: {url} answers in {milliseconds} ms; but regd was told, since {time}: {failure}: IPAddressDeny= of {unit} may keep regd from it"
  case failed = "regctl.doctor.upstream.failed: {url}: {reason}"
  case failedDetail = "regctl.doctor.upstream.failedDetail: {url}: {reason} ({detail})"
  case notTried = "regctl.doctor.upstream.notTried: the upstream was not tried from here: {reason}"
  case mayNotBeRead = "regctl.doctor.upstream.mayNotBeRead: the configuration may not be read"
  case noAddress = "regctl.doctor.upstream.noAddress: {address} is no address"
  case status = "regctl.doctor.upstream.status: HTTP status {status}"
  case hasAccount = "regctl.doctor.upstream.hasAccount: {address} has an account already"
  case sameAccount =
    "regctl.doctor.upstream.sameAccount: {url} answers a repeat under the same key with the same account"
  case otherAccount =
    "regctl.doctor.upstream.otherAccount: {url} has let a repeat under the same key through: the ids are {first} and {second}"
  case taken =
    "regctl.doctor.upstream.taken: {url} answers a repeat under the same key with 409, as if it were another's"
  case repeatFailed = "regctl.doctor.upstream.repeatFailed: the repeat could not be tried: {reason}"
}
