/// The results of commands.
package enum ResultMessageKey: String, MessageKey {
  case valid = "regctl.result.valid: valid"
  case available = "regctl.result.available: {email} is available"
  case notAvailable = "regctl.result.notAvailable: {email} is not available"
  case registered = "regctl.result.registered: registered {email} as {id}"
  case registeredWaiting =
    "regctl.result.registeredWaiting: registered {email} as {id}; an administrator must approve the account"
  case accepted =
    "regctl.result.accepted: accepted {email} as {id}; the account is pending until the upstream can be reached"
  case signedIn = "regctl.result.signedIn: signed in {email} (account {id})"
  case termsDue = """
    regctl.result.termsDue: \
    version {version} of the terms ({url}) has not been accepted yet; to accept it, run {command}
    """
  case formRegistered = "regctl.result.formRegistered: registered {email}"
  case formSignedIn = "regctl.result.formSignedIn: signed in {email}"
  case passwordSet = "regctl.result.passwordSet: set the password of {account}"
  case passwordChanged = "regctl.result.passwordChanged: changed the password of {email}"
  case emailChanged = "regctl.result.emailChanged: changed the address from {email} to {new}"
  case termsAccepted = "regctl.result.termsAccepted: {email} has accepted version {version} of the terms"
  case ownDeleted = "regctl.result.ownDeleted: deleted the account of {email}"
  case disabled = "regctl.result.disabled: disabled {account}"
  case enabled = "regctl.result.enabled: enabled {account}"
  case signedOut = "regctl.result.signedOut: ended all sign-ins of {account}"
  case deleted = "regctl.result.deleted: deleted {account}"
  case created = "regctl.result.created: created account {id} for {email}"
  case groupsAdded = "regctl.result.groupsAdded: added {account} to {groups}"
  case groupsRemoved = "regctl.result.groupsRemoved: removed {account} from {groups}"
  case named = "regctl.result.named: set the display name of {account} to {name}"
  case nameRemoved = "regctl.result.nameRemoved: removed the display name of {account}"
  case approved = "regctl.result.approved: approved {account}"
  case approvedPending =
    "regctl.result.approvedPending: approved {account}; the account is pending until the upstream can be reached"
  case refused = "regctl.result.refused: refused {account}"
  case invitationCode = "regctl.result.invitationCode: invitation code, shown only this once:"
  case invitationMailed = "regctl.result.invitationMailed: the code is on its way to {email}"
  case revoked = "regctl.result.revoked: revoked {id}"
  case proven = "regctl.result.proven: verified: {email} is account {id}"
  case provenPending =
    "regctl.result.provenPending: verified: {email} is account {id}, which is pending until the upstream can be reached"
  case provenWaiting =
    "regctl.result.provenWaiting: verified: {email} is account {id}; an administrator must approve the account"
  case askedForMail = """
    regctl.result.askedForMail: \
    requested another email for {claim}; the next email can be requested at {time} or later
    """
  case claimOf = "regctl.result.claimOf: claim {claim} for {email}, valid until {time}; to complete it, run {command}"
  case claim = "regctl.result.claim: claim {claim}, valid until {time}; to complete it, run {command}"
  case willBeTried = "regctl.result.willBeTried: {id} will be retried now"
  case allWillBeTried = "regctl.result.allWillBeTried: all waiting entries will be retried now"
  case gaveUp = "regctl.result.gaveUp: discarded {id}"
  case countsAsSent = "regctl.result.countsAsSent: marked {id} as sent"
  case reloaded = "regctl.result.reloaded: configuration reloaded; changed: {changed}"
  case reloadedNothing = "regctl.result.reloadedNothing: configuration reloaded; nothing has changed"
  case wouldChange = "regctl.result.wouldChange: the configuration is valid; a reload would change: {changed}"
  case wouldChangeNothing =
    "regctl.result.wouldChangeNothing: the configuration is valid; a reload would change nothing"
  case storeAccepted = "regctl.result.storeAccepted: regd continues with the database as it is"
  case storeNotBack = "regctl.result.storeNotBack: the database has not gone back; nothing was changed"
  case forAdministrators = "regctl.result.forAdministrators: {method} (administrators)"
  case methodForAdministrators = "regctl.result.methodForAdministrators: for administrators"
  case forObservers = "regctl.result.forObservers: {method} (observers)"
  case methodForObservers = "regctl.result.methodForObservers: for observers and administrators"
  case parameter = "regctl.result.parameter: {name}: {type}. {summary}"
  case optionalParameter = "regctl.result.optionalParameter: {name}: {type}, optional. {summary}"
  case methodErrors = "regctl.result.methodErrors: may fail with: {reasons}"
}

/// Columns of lists that regctl prints, one line per claim, mail, registration or event.
package enum ListMessageKey: String, MessageKey {
  case until = "regctl.list.until: until {time}"
  case revoked = "regctl.list.revoked: revoked {time}"
  case uses = "regctl.list.uses: used {used} of {uses}"
  case held = "regctl.list.held: reserved uses: {count}"
  case members = "regctl.list.members: members: {count}"
  case anybody = "regctl.list.anybody: for anyone"
  case wrongCodes = "regctl.list.wrongCodes: incorrect codes: {count}"
  case uid = "regctl.list.uid: uid {uid}"
  case uidOrigin = "regctl.list.uidOrigin: uid {uid} ({origin})"
  case attempts = "regctl.list.attempts: attempts: {count}"
  case next = "regctl.list.next: next attempt {time}"
  case notTried = "regctl.list.notTried: not tried yet"
  case byUser = "regctl.list.byUser: by uid {uid}, pid {pid}"
  case atRegd = "regctl.list.atRegd: at {regd}"
  case missed =
    "regctl.list.missed: missed {count, plural, one {# event} other {# events}}, because regctl reads events too slowly"
  case nobodyWaits = "regctl.list.nobodyWaits: no account is waiting for approval"
  case decide = "regctl.list.decide: use `{approve}` to approve an account, or `{refuse}` to refuse and delete it"
  /// Joins the elements of a list.
  case comma = "regctl.list.comma: {first}, {second}"
  case and = "regctl.list.and: {first} and {second}"
  case or = "regctl.list.or: {first} or {second}"
  /// Marks a list that is cut short.
  case more = "regctl.list.more: {list}, …"
}

/// The output of `regctl status`.
package enum StatusMessageKey: String, MessageKey {
  case regd = "regctl.status.regd: {regd} on {socket}, up {seconds} s"
  case store = "regctl.status.store: store: {backend}"
  case network = "regctl.status.network: network: {backend}"
  case registration =
    "regctl.status.registration: registration: {mode}, verification: {verification}, approval: {approval}"
  case terms = "regctl.status.terms: terms: {version} ({url})"
  case environment = "regctl.status.environment: environment: {name}, {summary}"
  case storeFails = "regctl.status.storeFails: the store has been failing since {time}: {reason}"
  case networkFails = "regctl.status.networkFails: the upstream has been failing since {time}: {reason}"
  case mailFails = "regctl.status.mailFails: the mail system has been failing since {time}: {reason}"
  case taskFails =
    "regctl.status.taskFails: the background task {task} has been failing since {time} (failures: {count}): {reason}"
  case damaged =
    "regctl.status.damaged: the store contains {count, plural, one {# row} other {# rows}} that cannot be read: {rows}"
  case networkDown =
    "regctl.status.networkDown: the upstream is down; until it works again, regd sends only occasional test requests"
  case waiting =
    "regctl.status.waiting: approval: {count, plural, one {# account is waiting} other {# accounts are waiting}}; see regctl account list --state waiting"
  case outbox =
    "regctl.status.outbox: outbox: {count, plural, one {# registration is waiting} other {# registrations are waiting}} for the upstream; see regctl outbox list"
  case mail =
    "regctl.status.mail: mail: {count, plural, one {# email is waiting} other {# emails are waiting}} to be sent; see regctl mail list"
  case hashing = "regctl.status.hashing: passwords being hashed or waiting: {pending}; connections: {connections}"
  case door = """
    regctl.status.door: \
    door {name}: {protocol} on {address}, connections: {connections}; logins: {right} accepted, {wrong} incorrect \
    password, {refused} not allowed to sign in, {away} regd unavailable
    """
  case heldSocket = """
    regctl.status.heldSocket: \
    socket {name} at {address}: no door is configured for this socket, so regd does not accept connections there
    """
  case breached = "regctl.status.breached: breached passwords: refused if they are among the {count} in {path}"
  case breachedNotThere =
    "regctl.status.breachedNotThere: breached passwords: not refused, because {path} does not exist"
  case breachedOff = "regctl.status.breachedOff: breached passwords: not refused, because no list is configured"
}
