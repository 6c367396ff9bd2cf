/// The results of commands.
package enum ResultSentence: String, SentenceKey {
  package static let area = "regctl.result"

  case valid = "valid"
  case available = "{email} is available"
  case notAvailable = "{email} is not available"
  case registered = "registered {email} as {id}"
  case accepted = "accepted {email} as {id}; it is pending until the network can be reached"
  case signedIn = "signed in {email}, account {id}"
  case formRegistered = "registered {email}"
  case formSignedIn = "signed in {email}"
  case passwordSet = "set the password of {account}"
  case passwordChanged = "changed the password of {email}"
  case emailChanged = "{email} is now {new}"
  case ownDeleted = "deleted the account of {email}"
  case disabled = "disabled {account}"
  case enabled = "enabled {account}"
  case deleted = "deleted {account}"
  case proven = "proven: {email} is account {id}"
  case provenPending = "proven: {email} is account {id}; it is pending until the network can be reached"
  case askedForMail = "asked for the mail of {claim} again; not again before {time}"
  case claimOf = "claim {claim} of {email}, until {time}: {command}"
  case claim = "claim {claim}, until {time}: {command}"
  case willBeTried = "{id} will be tried now"
  case allWillBeTried = "all that wait will be tried now"
  case gaveUp = "gave up {id}"
  case countsAsSent = "{id} counts as sent"
  case reloaded = "reloaded: {changed}"
  case reloadedNothing = "reloaded: nothing has changed"
  case wouldChange = "the configuration is good; it would change: {changed}"
  case wouldChangeNothing = "the configuration is good; nothing would change"
  case forAdministrators = "{method} (administrators)"
  case methodForAdministrators = "for administrators"
  case forObservers = "{method} (observers)"
  case methodForObservers = "for observers and administrators"
  case parameter = "{name}: {type}. {summary}"
  case optionalParameter = "{name}: {type}, optional. {summary}"
  case methodErrors = "may be refused for: {reasons}"
}

/// Columns of lists that regctl prints, one line per claim, mail, registration or event.
package enum ListSentence: String, SentenceKey {
  package static let area = "regctl.list"

  case until = "until {time}"
  case wrongCodes = "wrong codes {count}"
  case uid = "uid {uid}"
  case uidOrigin = "uid {uid} ({origin})"
  case attempts = "attempts {count}"
  case next = "next {time}"
  case notTried = "not tried yet"
  case byUser = "by uid {uid}, pid {pid}"
  case atRegd = "at {regd}"
  case missed = "{count} were not told: this reader is too slow"
  /// Stands between the elements of a list.
  case comma = "{first}, {second}"
  case and = "{first} and {second}"
  case or = "{first} or {second}"
  /// Marks a list that is cut short.
  case more = "{list}, …"
}

/// The output of `regctl status`.
package enum StatusSentence: String, SentenceKey {
  package static let area = "regctl.status"

  case regd = "{regd} on {socket}, up {seconds} s"
  case store = "store: {backend}"
  case network = "network: {backend}"
  case environment = "environment: {name}, {summary}"
  case storeFails = "the store fails since {time}: {reason}"
  case networkFails = "the network fails since {time}: {reason}"
  case mailFails = "the mail system fails since {time}: {reason}"
  case damaged =
    "the store has {count, plural, one {# row} other {# rows}} that cannot be read: {rows}"
  case networkDown = "the network is known to be down and is not asked but for a try from time to time"
  case outbox = "outbox: {count} registrations wait for the network; see regctl outbox list"
  case mail = "mail: {count, plural, one {# mail waits} other {# mails wait}} to be sent; see regctl mail list"
  case hashing = "hashing: {pending} pending; connections: {connections}"
  case breached = "breached passwords: {count} of {path} are refused"
  case breachedNotThere = "breached passwords: not refused, there is no {path}"
  case breachedOff = "breached passwords: not refused, no list is configured"
}
