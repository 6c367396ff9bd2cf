package import Registration

/// A fault between regd and an upstream, one of a closed list; the raw value is its word in a script. A scripted network
/// returns the failure; a rehearsed upstream causes the fault itself, for the http backend.
package enum UpstreamFault: String, CaseIterable, Equatable, Sendable {
  // MARK: Before anything was sent

  /// The connection is refused.
  case offline
  /// Packets are dropped: the connection is neither established nor refused.
  case unroutable
  /// The host's name does not exist.
  case unresolvable
  /// The connection is reset before the request is sent.
  case resetBefore = "reset-before"
  /// The certificate is signed by an unknown authority.
  case untrusted
  /// The certificate is another host's.
  case wrongHost = "wrong-host"
  /// The certificate has expired.
  case expired

  // MARK: Answers

  /// 503.
  case unavailable
  /// 500.
  case fail
  /// 403.
  case forbidden
  /// 404.
  case notFound = "not-found"
  /// 408.
  case requestTimeout = "request-timeout"
  /// 410.
  case gone
  /// 422.
  case reject
  /// 423.
  case locked
  /// 425.
  case tooEarly = "too-early"
  /// 429.
  case throttle
  /// 302 to somewhere else.
  case redirect

  // MARK: Successes only by status

  /// 200 with no body.
  case empty
  /// 200 with a body that is not JSON.
  case malformed
  /// 200 with JSON of another type.
  case wrongType = "wrong-type"
  /// 200 with a body of many megabytes.
  case oversize
  /// 200 with a body that ends before its Content-Length.
  case truncate

  // MARK: No answer

  /// The upstream reads the request, and never answers.
  case timeout
  /// The answer stops in its body, and the connection stays open.
  case stall
  /// The connection is reset after the request was read.
  case resetAfter = "reset-after"

  /// The failure that the network backend reports; to a sign-in, a fault of `refusesSession` is an answer instead.
  package func failure(retryAfterSeconds: Int?) -> NetworkFailure {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore: .offline
    case .untrusted, .wrongHost, .expired: .untrusted
    case .unavailable: .unavailable(retryAfterSeconds: retryAfterSeconds)
    case .fail, .resetAfter: .failed
    case .forbidden, .notFound, .gone, .reject, .locked: .rejected
    case .requestTimeout, .tooEarly: .tooEarly
    case .throttle: .throttled(retryAfterSeconds: retryAfterSeconds)
    case .redirect, .malformed, .wrongType, .oversize, .truncate: .malformedResponse
    case .empty: .emptyResponse
    case .timeout, .stall: .timeout
    }
  }

  /// Whether the fault happens before any request is read.
  package var isOfConnection: Bool {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore, .untrusted, .wrongHost, .expired: true
    default: false
    }
  }

  /// Whether the fault, as an answer to a sign-in, means that nobody can sign in to the account, with any password.
  package var refusesSession: Bool {
    switch self {
    case .forbidden, .notFound, .gone, .locked: true
    default: false
    }
  }

  /// Whether a script may let the upstream act although it gives this answer. regd takes a 503 for a certain no, but a proxy's
  /// 503 may hide a success.
  package var mayHideSuccess: Bool { self == .unavailable || failure(retryAfterSeconds: nil).mayHaveActed }
}
