package import Registration

/// What can go wrong between regd and an upstream: a closed list, by the word that a script has for it. A scripted network
/// answers with the failure; a rehearsed upstream does the thing itself, behind the http backend.
package enum UpstreamFault: String, CaseIterable, Equatable, Sendable {
  // MARK: Before anything was sent

  /// Nobody listens: the connection is refused.
  case offline
  /// Packets are swallowed: nobody answers, and nobody refuses.
  case unroutable
  /// The host's name does not exist.
  case unresolvable
  /// The connection is reset before the request is sent.
  case resetBefore = "reset-before"
  /// The certificate is signed by nobody who is known.
  case untrusted
  /// The certificate is another host's.
  case wrongHost = "wrong-host"
  /// The certificate's time is over.
  case expired

  // MARK: Answers

  /// 503.
  case unavailable
  /// 500.
  case fail
  /// 404.
  case notFound = "not-found"
  /// 422.
  case reject
  /// 429.
  case throttle
  /// 302 to somewhere else.
  case redirect

  // MARK: Successes that are none

  /// 200 with no body.
  case empty
  /// 200 with a body that is no JSON.
  case malformed
  /// 200 with JSON of another type.
  case wrongType = "wrong-type"
  /// 200 with a body of many megabytes.
  case oversize
  /// 200 with a body that ends before its Content-Length.
  case truncate

  // MARK: No answer

  /// The request is read, and nothing is said.
  case timeout
  /// The answer stops in its body, and the connection stays open.
  case stall
  /// The connection is reset when the request has been read.
  case resetAfter = "reset-after"

  /// What the network backend makes of it.
  package func failure(retryAfterSeconds: Int?) -> NetworkFailure {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore: .offline
    case .untrusted, .wrongHost, .expired: .untrusted
    case .unavailable: .unavailable(retryAfterSeconds: retryAfterSeconds)
    case .fail, .resetAfter: .failed
    case .notFound, .reject: .rejected
    case .throttle: .throttled(retryAfterSeconds: retryAfterSeconds)
    case .redirect, .malformed, .wrongType, .oversize, .truncate: .malformedResponse
    case .empty: .emptyResponse
    case .timeout, .stall: .timeout
    }
  }

  /// Whether it happens before a request is read, whatever is asked.
  package var isOfConnection: Bool {
    switch self {
    case .offline, .unroutable, .unresolvable, .resetBefore, .untrusted, .wrongHost, .expired: true
    default: false
    }
  }

  /// Whether the upstream may have done what it was asked.
  package var mayHaveActed: Bool { failure(retryAfterSeconds: nil).mayHaveActed }
}
