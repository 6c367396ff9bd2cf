package import Registration

/// A fault between regd and an upstream, one of a closed list. The raw value is its word in a script. A scripted network
/// returns the failure. A rehearsed upstream causes the fault itself, for the http backend.
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

  /// The upstream answers 503.
  case unavailable
  /// The upstream answers 500.
  case fail
  /// The upstream answers 403.
  case forbidden
  /// The upstream answers 404.
  case notFound = "not-found"
  /// The upstream answers 408.
  case requestTimeout = "request-timeout"
  /// The upstream answers 410.
  case gone
  /// The upstream answers 422.
  case reject
  /// The upstream answers 423.
  case locked
  /// The upstream answers 425.
  case tooEarly = "too-early"
  /// The upstream answers 429.
  case throttle
  /// The upstream answers 302, with another URL.
  case redirect

  // MARK: Successes only by status

  /// The upstream answers 200 with no body.
  case empty
  /// The upstream answers 200 with a body that is not JSON.
  case malformed
  /// The upstream answers 200 with JSON of another type than agreed.
  case wrongType = "wrong-type"
  /// The upstream answers 200 with a body of many megabytes.
  case oversize
  /// The upstream answers 200 with a body that ends before its Content-Length.
  case truncate

  // MARK: No answer

  /// The upstream reads the request, and never answers.
  case timeout
  /// The answer stops in its body, and the connection remains open.
  case stall
  /// The connection is reset after the request was read.
  case resetAfter = "reset-after"

  /// The failure that the network backend reports. For a sign-in, a fault with `refusesSession` is a refusal and no
  /// failure.
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

  /// Whether the fault, as an answer to a sign-in, means that the account allows no sign-in, with any password.
  package var refusesSession: Bool {
    switch self {
    case .forbidden, .notFound, .gone, .locked: true
    default: false
    }
  }

  /// Whether a script may combine this fault with a hidden success (`acted`). Also true for a 503: regd takes it for a
  /// refusal, but a proxy may send it after the upstream has acted.
  package var mayHideSuccess: Bool { self == .unavailable || failure(retryAfterSeconds: nil).mayHaveActed }
}
