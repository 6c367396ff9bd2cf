/// The upstream: the remote registration service behind a network backend.
///
/// Rules for every network:
/// - An operation ends with an answer or a failure within the backend's own deadlines.
/// - For every failure, `NetworkFailure.mayHaveActed` is true if the upstream may have carried out the request. If it
///   is false, the upstream has certainly done nothing.
/// - Connections are shared among users. If a user has reached the limit of requests in flight, that user gets
///   `congested`, but other users do not.
///
/// Cancellation ends the wait of `isAvailable` and `register` at once with a failure, whose `mayHaveActed` is true if
/// anything may have been sent. `signIn` ignores cancellation, because regd has to remember the upstream's refusal
/// whether or not a caller still waits.
package protocol NetworkService: Sendable {
  /// Whether the upstream would accept the address. If that cannot be found out, the call fails. The answer is never a
  /// guess.
  ///
  /// Changes nothing upstream, so the caller may repeat it after any failure. The answer holds for this moment only: a
  /// later registration may still get `taken`.
  ///
  /// - Throws: Any `NetworkFailure`.
  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool

  /// Registers the account upstream.
  ///
  /// Idempotent by the registration's id (the `Idempotency-Key`), which is the same in all repeats of one registration: an
  /// upstream that has the account answers `registered` again, and makes no second one.
  ///
  /// - Throws: Any `NetworkFailure`. If `mayHaveActed`, only a repeat under the same id finds out what happened. A request
  ///   under another id may get `taken` because of this registration's own success. If `mayHaveActed` is false, this call has
  ///   made no account upstream.
  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer

  /// Whether the upstream accepts this address and password. Called only if the upstream is the authority for sign-ins.
  /// Registers nothing.
  ///
  /// - Parameter email: The address as it was registered, if that is known, otherwise as the person typed it.
  /// - Throws: Any `NetworkFailure` except those caused by cancellation. After a failure, the caller does not know
  ///   whether the password is correct, and the upstream may have counted a try.
  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
}

/// The registration that regd asks the upstream for.
package struct UpstreamRegistration: Equatable, Sendable {
  package let id: AccountID
  package let email: EmailAddress
  package let passwordHash: PasswordHash

  package init(id: AccountID, email: EmailAddress, passwordHash: PasswordHash) {
    self.id = id
    self.email = email
    self.passwordHash = passwordHash
  }
}

package enum UpstreamAnswer: Equatable, Sendable {
  case registered
  /// The upstream has an account with this address (409).
  case taken
}

package enum UpstreamSession: Equatable, Sendable {
  /// The password is correct. `id` is the upstream's id of the account.
  case accepted(id: String)
  /// Unknown address or wrong password (401).
  case rejected
  /// The upstream allows no sign-in to this account now, with any password: forbidden, unknown, gone or locked (403,
  /// 404, 410, 423).
  case refused
}

/// Why the upstream gave no usable answer.
package enum NetworkFailure: Error, Equatable, Sendable {
  /// No route, no such host, connection refused, not established in time, or reset before anything was sent.
  case offline
  /// 503, with the seconds of the Retry-After header, or nil without the header.
  case unavailable(retryAfterSeconds: Int?)
  /// The request was sent, but no complete answer came within the deadline.
  case timeout
  /// A success status without a body.
  case emptyResponse
  /// A body that does not have the agreed form.
  case malformedResponse
  /// Any other 4xx: the upstream understood the request and refuses it.
  case rejected
  /// 429: the upstream asks for fewer requests, with the seconds of the Retry-After header, or nil without the header.
  case throttled(retryAfterSeconds: Int?)
  /// 408 or 425: the upstream has not acted, and asks for a repeat (RFC 9110 section 15.5.9, RFC 8470 section 5.2).
  case tooEarly
  /// regd's own limit: the caller's user has as many requests in flight to the upstream as allowed, and this one's turn
  /// did not come in time, or as many registrations wait for the upstream as `PendingBounds` allow. Nothing was sent, and
  /// the failure proves nothing about the upstream.
  case congested(retryAfterSeconds: Int)
  /// The upstream could not prove its identity (TLS).
  case untrusted
  /// A 5xx other than 503, or a connection reset after the request was sent.
  case failed

  /// Whether the upstream may have done what it was asked.
  package var mayHaveActed: Bool {
    switch self {
    case .offline, .unavailable, .rejected, .throttled, .tooEarly, .congested, .untrusted: false
    case .timeout, .emptyResponse, .malformedResponse, .failed: true
    }
  }

  /// Whether regd may answer without the upstream for now, or repeat the request later. False for `congested`, so that
  /// the user who caused the congestion gets the failure.
  package var isWorthPuttingOff: Bool { isWorthRepeating && !isOwn }

  /// Whether the request may have left this machine.
  package var wasPerhapsSent: Bool {
    switch self {
    case .offline, .congested, .untrusted: false
    case .unavailable, .rejected, .throttled, .tooEarly, .timeout, .emptyResponse, .malformedResponse, .failed: true
    }
  }

  /// The pause that the upstream asked for, or that follows from regd's own limit (`congested`).
  package var retryAfterSeconds: Int? {
    switch self {
    case .unavailable(let seconds), .throttled(let seconds): seconds
    case .congested(let seconds): seconds
    case .offline, .tooEarly, .timeout, .emptyResponse, .malformedResponse, .rejected, .untrusted, .failed: nil
    }
  }

  /// Whether the same request may succeed later, with the same configuration.
  package var isWorthRepeating: Bool {
    switch self {
    case .rejected, .untrusted: false
    case .offline, .unavailable, .throttled, .tooEarly, .congested, .timeout, .emptyResponse, .malformedResponse,
      .failed:
      true
    }
  }
}

/// Descriptions for operators: in the log, the status and events.
extension NetworkFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .offline: "offline"
    case .unavailable(let seconds): Self.text("unavailable", seconds)
    case .timeout: "timeout"
    case .emptyResponse: "emptyResponse"
    case .malformedResponse: "malformedResponse"
    case .rejected: "rejected"
    case .throttled(let seconds): Self.text("throttled", seconds)
    case .tooEarly: "tooEarly"
    case .congested(let seconds): Self.text("congested", seconds)
    case .untrusted: "untrusted"
    case .failed: "failed"
    }
  }

  private static func text(_ word: String, _ seconds: Int?) -> String {
    seconds.map { "\(word), Retry-After \($0) s" } ?? word
  }
}
