/// Sentences about one request, and its limits.
package enum RequestSentence: String, SentenceKey {
  case tooLarge = "request.tooLarge: A message may have at most {limit} bytes."
  case tooDeep = "request.tooDeep: Arrays and objects may nest at most {limit} deep."
  case timeout = "request.timeout: regd could not answer within {seconds} s, and has done nothing."
  case idle = "request.idle: Nothing came for {seconds} s, so regd closes the connection."
  case cancelled = "request.cancelled: The request was cancelled before anything was done."
  case conflict =
    "request.conflict: This requestId belongs to another registration; another registration needs one of its own."
}

package enum ResponseSentence: String, SentenceKey {
  case tooLarge = "response.tooLarge: The answer would have more than {limit} bytes; ask for less at once."
}

package enum BatchSentence: String, SentenceKey {
  case tooLarge = "batch.tooLarge: A batch may have at most {limit} items."
}

/// Sentences about a server that stops, or that has reached a limit.
package enum ServerSentence: String, SentenceKey {
  case draining = "server.draining: regd is stopping and takes no new requests."
  case held =
    "server.held: The user has regd hold more than {limit} bytes, of unfinished texts, forms and requests under way."
  case inFlight = "server.inFlight: The user has {limit} requests that have no reply yet."
  case connections = "server.connections: regd serves {limit} connections at once and has that many."
  case connectionsOfUser = "server.connectionsOfUser: A user may have {limit} connections, and uid {uid} has that many."
  case connectionsOfOthers =
    "server.connectionsOfOthers: Of {limit} connections uid {uid} has {count}, and what is left is for other users."
  case hashing = "server.hashing: regd has as many passwords to check as it can take; try again in a moment."
  case upstream =
    "server.upstream: regd has as many requests under way to the registration service as it may; try again in a moment."
  case upstreamPending =
    "server.upstreamPending: regd has as many requests under way to the registration service as it may; try again in a moment; the registration may have happened, so repeat it to find out."
  case formsHeld =
    "server.formsHeld: The user's forms and unfinished texts hold as many bytes as they may; form.close lets go of some."
  case forms = "server.forms: A connection may have {limit} forms open; form.close ends one."
  case waiting =
    "server.waiting: Too many registrations are waiting for approval at the moment. Please try again later."
  case reloads = "server.reloads: Many reloads wait already; nothing has changed."
  case holds = "server.holds: Changes are held up already."
  case changes = "server.changes: A change that had begun did not end in time; nothing is held up."
}

/// Sentences about waits. `seconds` is the length of the wait.
package enum RateSentence: String, SentenceKey {
  /// `limit` is in requests per second.
  case limited = "rate.limited: A user may ask {limit} times a second."
  case passwords = "rate.passwords: There were too many wrong passwords; wait {seconds} s before the next try."
  case mails = "rate.mails: A mail was asked for a moment ago; wait {seconds} s before the next one."
}

package enum AccessSentence: String, SentenceKey {
  /// `access` is the name of an access class, for example `admin`.
  case denied =
    "access.denied: {method} needs the access class \"{access}\", which the caller, uid {uid}, does not have."
  case otherDomain = "access.otherDomain: This program may not use addresses of this domain."
}

/// Sentences about features that this daemon's configuration lacks.
package enum FeatureSentence: String, SentenceKey {
  case recovery = "feature.recovery: This daemon sends no mail (mail.backend is none), so nothing can be recovered."
  case mail = "feature.mail: This daemon sends no mail: mail.backend is none."
  case passwords = "feature.passwords: The registration service keeps the passwords (signIn.authority is network)."
  case changes = "feature.changes: The registration service has no such operation, so nothing is changed here either."
  case terms = "feature.terms: This daemon has no terms of use to accept: registration.terms.version is empty."
}

package enum ConfigurationSentence: String, SentenceKey {
  case refused =
    "configuration.refused: The configuration is refused, and the one that ran stays as it was: there {count, plural, one {is a problem} other {are # problems}}."
}
