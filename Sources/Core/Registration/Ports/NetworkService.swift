/// The upstream: the remote registration service behind a network backend.
///
/// What holds for every network:
/// - An operation ends with an answer or a failure within the backend's own deadlines.
/// - Every failure says by `NetworkFailure.mayHaveActed` whether the upstream may have done what it was asked. If it says
///   no, the upstream has done nothing, and nothing has to be found out.
/// - Connections are shared out by user. A user whose share is full gets `congested`; other users do not.
///
/// Cancellation ends the wait of `isAvailable` and `register` at once with a failure, whose `mayHaveActed` is true if
/// anything may have been sent. `signIn` ignores it: what the upstream refuses has to be remembered whether or not a caller
/// still waits.
package protocol NetworkService: Sendable {
  /// Whether the upstream would take the address. Never guessed: what is not known is a failure.
  ///
  /// Changes nothing upstream, so that it may be repeated after any failure. The answer holds for the moment only: a
  /// registration may still be told `taken`.
  ///
  /// - Throws: Any `NetworkFailure`.
  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool

  /// Registers the account upstream.
  ///
  /// Idempotent by the registration's id (the `Idempotency-Key`), which stays the same over all repeats of one
  /// registration: an upstream that has done it answers `registered` again, and does it once.
  ///
  /// - Throws: Any `NetworkFailure`. If `mayHaveActed`, only a repeat under the same id finds out what is the case;
  ///   another id may be told `taken` by this registration's own success. Else the upstream has no account by this call.
  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer

  /// Whether the upstream knows a person by this address and password. Asked only if it is the authority for sign-ins.
  /// Registers nothing.
  ///
  /// - Parameter email: As it was registered, if that is known; else as it was typed.
  /// - Throws: Any `NetworkFailure` but one that cancellation would cause. Whether the password is right is not known then,
  ///   and the upstream may have counted a try.
  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
}

/// What the upstream is asked to register.
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
  /// The password is right; the upstream calls the account by this id.
  case accepted(id: String)
  /// Unknown address or wrong password (401).
  case rejected
  /// No sign-in to this account is possible now, whatever the password: forbidden, unknown, gone or locked (403, 404, 410,
  /// 423).
  case refused
}

/// Why the upstream gave no answer that counts.
package enum NetworkFailure: Error, Equatable, Sendable {
  /// No route, no such host, connection refused, not established in time, or reset before anything was sent.
  case offline
  /// 503; its Retry-After in seconds, if it had one.
  case unavailable(retryAfterSeconds: Int?)
  /// The request was sent, and there was no whole answer within the deadline.
  case timeout
  /// A success without a body.
  case emptyResponse
  /// A body that is not what was agreed.
  case malformedResponse
  /// Another 4xx: the upstream has understood the request, and refuses it.
  case rejected
  /// 429: the upstream will, but not so much at once; its Retry-After in seconds, if it had one.
  case throttled(retryAfterSeconds: Int?)
  /// 408 or 425: the upstream has not acted, and asks for a repeat (RFC 9110 section 15.5.9, RFC 8470 section 5.2).
  case tooEarly
  /// regd's own: the caller's user has as many requests under way to the upstream as it may, and no turn came in time.
  /// Nothing was sent, and nothing is said of the upstream.
  case congested(retryAfterSeconds: Int)
  /// The upstream could not prove its identity (TLS).
  case untrusted
  /// Another 5xx, or reset after the request was sent.
  case failed

  /// Whether the upstream may have done what it was asked.
  package var mayHaveActed: Bool {
    switch self {
    case .offline, .unavailable, .rejected, .throttled, .tooEarly, .congested, .untrusted: false
    case .timeout, .emptyResponse, .malformedResponse, .failed: true
    }
  }

  /// Whether the request may be answered without the upstream meanwhile, or delivered later. Not for regd's own congestion:
  /// the user who caused it gets to know of it.
  package var isWorthPuttingOff: Bool { isWorthRepeating && !isOwn }

  /// Whether the request may have left this machine.
  package var wasPerhapsSent: Bool {
    switch self {
    case .offline, .congested, .untrusted: false
    case .unavailable, .rejected, .throttled, .tooEarly, .timeout, .emptyResponse, .malformedResponse, .failed: true
    }
  }

  /// The pause that the upstream has asked for, or that regd's own congestion takes.
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

/// For an operator: the log, the status, events.
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
