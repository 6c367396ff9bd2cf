/// Messages about one request, and its limits.
package enum RequestMessageKey: String, MessageKey {
  case tooLarge = "request.tooLarge: A message may be at most {limit} bytes long."
  case tooDeep = "request.tooDeep: Arrays and objects may be nested at most {limit} levels deep."
  case timeout = "request.timeout: The request took longer than {seconds} s and had no effect."
  case idle = "request.idle: No request arrived for {seconds} s, so regd is closing the connection."
  case cancelled = "request.cancelled: The request was cancelled before it had any effect."
  case conflict =
    "request.conflict: This requestId belongs to another registration. Use a different requestId for each registration."
}

package enum ResponseMessageKey: String, MessageKey {
  case tooLarge = "response.tooLarge: The result would be larger than {limit} bytes. Request less data at once."
}

package enum BatchMessageKey: String, MessageKey {
  case tooLarge = "batch.tooLarge: A batch may contain at most {limit} items."
}

/// Messages about a server that stops, or that has reached a limit.
package enum ServerMessageKey: String, MessageKey {
  case draining = "server.draining: The service is stopping. Please try again in a moment."
  case held = """
    server.held: \
    This user's incomplete messages, open forms and unanswered requests take up more than {limit} bytes.
    """
  case inFlight = "server.inFlight: This user already has {limit} unanswered requests, the maximum for one user."
  case connections = "server.connections: All {limit} connections are in use."
  case connectionsOfUser =
    "server.connectionsOfUser: The user with uid {uid} already has {limit} connections, the maximum for one user."
  case connectionsOfOthers =
    "server.connectionsOfOthers: The user with uid {uid} has {count} of {limit} connections; the rest are reserved for other users."
  case hashing = "server.hashing: The service is busy. Please try again in a moment."
  case upstream = "server.upstream: The registration service is busy. Please try again in a moment."
  case upstreamPending =
    "server.upstreamPending: The registration service is busy. The registration may have succeeded; repeat it to find out."
  case formsHeld = """
    server.formsHeld: \
    This user's open forms and incomplete messages have reached their size limit. Close a form with form.close.
    """
  case forms = "server.forms: A connection may have at most {limit} open forms. Close one with form.close."
  case waiting =
    "server.waiting: Too many registrations are waiting for approval at the moment. Please try again later."
  case reloads = "server.reloads: Too many reloads are already waiting. Nothing was changed."
  case holds = "server.holds: Changes are already paused by another request. Try again when that pause has ended."
  case changes = "server.changes: Changes could not be paused, because a change in progress did not finish in time."
}

/// Messages about waits. `seconds` is the length of the wait.
package enum RateMessageKey: String, MessageKey {
  /// `limit` is in requests per second.
  case limited = "rate.limited: Too many requests: a user may send {limit} per second."
  case passwords = "rate.passwords: Too many incorrect passwords. Please wait {seconds} s before the next attempt."
  case mails = """
    rate.mails: \
    An email was requested a moment ago. Please wait {seconds} s before you request another one.
    """
}

package enum AccessMessageKey: String, MessageKey {
  /// `access` is the name of an access class, for example `admin`.
  case denied = """
    access.denied: \
    {method} needs the access class "{access}", which the caller, uid {uid}, does not have.
    """
  case deniedUser = """
    access.deniedUser: \
    The user with uid {uid} may not connect: access.deny names the user or one of the user's groups.
    """
  case otherDomain = "access.otherDomain: This program may not use addresses at this domain."
}

/// Messages about features that this daemon's configuration lacks.
package enum FeatureMessageKey: String, MessageKey {
  case recovery = "feature.recovery: Password recovery is not available, because this service does not send email."
  case mail = "feature.mail: This service does not send email."
  case passwords = "feature.passwords: The registration service manages the passwords, so they cannot be changed here."
  case changes = "feature.changes: The registration service does not support this change, so nothing was changed."
  case terms = "feature.terms: This service has no terms of use to accept."
}

package enum ConfigurationMessageKey: String, MessageKey {
  case refused =
    "configuration.refused: The new configuration was refused because of {count, plural, one {a problem} other {# problems}}. The running configuration is unchanged."
}
