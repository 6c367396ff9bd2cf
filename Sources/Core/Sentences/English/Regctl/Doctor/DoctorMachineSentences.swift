/// Findings about the place where accounts are kept.
package enum DoctorStoreSentence: String, SentenceKey {
  package static let area = "regctl.doctor.store"

  case store = "the store"
  case failure = "since {time}: {reason}"
  case damaged = "{store} has {count, plural, one {# row} other {# rows}} that cannot be read: {rows}"
  case works = "{store} works"
  case notYet = "there is no {directory} yet; the unit makes it at the first start"
  case missing = "there is no directory {directory} for the store"
  case noDirectory = "{place} is no directory, and the database's directory must be one"
  case noFile = "{place} is no regular file, and the database must be one"
  case denied = "{place} belongs to {owner} (mode {mode}), and {unit} runs as {user}, who may not use it"
  case sandboxed = "{directory} is read-only to {unit}: its sandbox (ProtectSystem=) allows other directories only"
  case hidden = "{directory} is hidden from {unit} by its sandbox (ProtectHome=)"
  case isOn = "{directory} is on {type}"
  case readOnly = "{directory} is on {type}, mounted read-only"
  case ofNetwork = "{directory} is on {type}, where SQLite's locks and shared memory cannot be relied on"
  case inMemory = "{directory} is on {type}: accounts are gone with the next boot"
  case ofContainer = "{directory} is on {type}, a container's own layer: accounts are gone with the container"
  case fullOfFiles = "{directory} has room for {count} more files"
  case full = "{directory} has room for {mebibytes} MiB"
  case fewFiles = "{directory} has room for {count} more files only"
  case low = "{directory} has room for {mebibytes} MiB only"
  case free = "{directory} has {mebibytes} MiB free"
}

/// Findings about the machine's resources for regd.
package enum DoctorMachineSentence: String, SentenceKey {
  package static let area = "regctl.doctor.machine"

  case clockBeforeProgram = "the clock is {days} days before this program was made"
  case clockBeforeStore = "the clock is {seconds} s before the store's last change"
  case clockKept = "the clock is kept by a time server"
  case clockNotKept = "no time server keeps the clock; waits, the audit and certificates go by it"
  case clockUnknown = "the kernel does not say whether the clock is kept"
  case throttled = "regd's control group had to wait for its share of the processors in {percent} % of its time"
  case unbounded = "no control group bounds regd's time"
  case partOfProcessor = "regd may have {percent} % of one processor: each hash takes that much longer"
  case processors = "regd may have {percent} % of a processor"
  case hashes =
    "{count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}} of {allowed} MiB"
  case hashesTooMany =
    "{count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}}, more than half of the {allowed} MiB that regd may use: its next start is refused"
  case hashesLow =
    "{count, plural, one {a hash takes {needed} MiB} other {# hashes at once take {needed} MiB}}, and the machine has {left} MiB left"
  case killed = "the kernel has killed in regd's control group for want of memory, {count} times"
  case filesUnknown = "the limit of regd's open files cannot be seen"
  case filesTooFew = "regd may have {limit} open files, and limits.connections needs {needed}"
  case files = "regd may have {limit} open files, and needs {needed}"
}

/// Findings about the registration service that regd asks.
package enum DoctorUpstreamSentence: String, SentenceKey {
  package static let area = "regctl.doctor.upstream"

  case told = "regd was told, since {time}: {failure}"
  case answers = "{url} answers in {milliseconds} ms"
  case answersButTold = "{url} answers in {milliseconds} ms; but regd was told, since {time}: {failure}"
  case keptByUnit =
    "{url} answers in {milliseconds} ms; but regd was told, since {time}: {failure}: IPAddressDeny= of {unit} may keep regd from it"
  case failed = "{url}: {reason}"
  case failedDetail = "{url}: {reason} ({detail})"
  case notTried = "the upstream was not tried from here: {reason}"
  case mayNotBeRead = "the configuration may not be read"
  case noAddress = "{address} is no address"
  case status = "HTTP status {status}"
  case hasAccount = "{address} has an account already"
  case sameAccount = "{url} answers a repeat under the same key with the same account"
  case otherAccount = "{url} has let a repeat under the same key through: the ids are {first} and {second}"
  case taken = "{url} answers a repeat under the same key with 409, as if it were another's"
  case repeatFailed = "the repeat could not be tried: {reason}"
}
