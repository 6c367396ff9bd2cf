package import Registration

/// A request that failed, for the log. Holds no secret and no person's address.
package struct HTTPReport: Equatable, Sendable {
  package enum Operation: String, Sendable {
    case availability
    case registration
    case session
  }

  package let operation: Operation
  package let failure: NetworkFailure
  /// The answer's status, or nil without an answer.
  package let status: Int?
  /// How often the request went out, or 0 if never.
  package let sendings: Int
  /// libcurl's message, which is empty if libcurl succeeded and the answer is not as agreed.
  package let message: String
  package let milliseconds: Int

  init(_ operation: Operation, _ failure: NetworkFailure, _ reply: UpstreamReply, took duration: Duration) {
    self.operation = operation
    self.failure = failure
    status = reply.status
    sendings = reply.sendings
    message = Self.harmless(reply.message)
    milliseconds = Int(duration / .milliseconds(1))
  }

  /// Makes libcurl's message fit for the log. libcurl names hosts and certificates, but no paths. A message that
  /// nevertheless seems to contain a person's address is withheld.
  static func harmless(_ message: String) -> String {
    guard !message.contains("@"), !message.contains("%40"), !message.contains("/emails/") else { return "(withheld)" }
    return String(String.UnicodeScalarView(message.unicodeScalars.prefix(300).filter { 0x20...0x7E ~= $0.value }))
  }
}
