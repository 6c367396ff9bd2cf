/// The upstream: the remote registration service behind a network backend.
///
/// Every operation ends with an answer or a failure within the backend's own deadlines. A failure says whether the
/// upstream may have acted (`NetworkFailure.mayHaveActed`); where it says no, the upstream certainly has not. Cancelling
/// the task ends the wait, with a failure whose `mayHaveActed` is true once anything was sent; a sign-in alone is waited
/// for to its end, for what the upstream refuses is to be remembered, whoever waits.
///
/// Connections are shared out by user: what one user fills is `congested` for that user.
package protocol NetworkService: Sendable {
  /// Whether the upstream would take the address. Never guessed: what is not known is a failure.
  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool

  /// Registers the account upstream. `id` is stable over repeats of one registration (the `Idempotency-Key`), so that a
  /// repeat of a registration which the upstream has done answers `registered` again and is not done twice.
  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer

  /// Whether the upstream knows somebody by this address and password. Asked only where it is the authority for that.
  ///
  /// - Parameter email: As it was registered, where that is known; else as it was typed.
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
  /// Nobody signs in to this account now, whatever the password: forbidden, unknown, gone or locked (403, 404, 410, 423).
  case refused
}

/// Why the upstream gave no answer that counts.
package enum NetworkFailure: Error, Equatable, Sendable {
  /// No route, refused, no such host, nobody there in time, or reset before anything was sent.
  case offline
  /// 503; its Retry-After in seconds, where it had one.
  case unavailable(retryAfterSeconds: Int?)
  /// The request was sent, and there was no whole answer within the deadline.
  case timeout
  /// A success without a body.
  case emptyResponse
  /// A body that is not what was agreed.
  case malformedResponse
  /// Another 4xx: the upstream has understood, and will not.
  case rejected
  /// 429: the upstream will, but not so much at once; its Retry-After in seconds, where it had one.
  case throttled(retryAfterSeconds: Int?)
  /// 408 or 425: the upstream has not acted, and asks to be asked again (RFC 9110 section 15.5.9, RFC 8470 section 5.2).
  case tooEarly
  /// regd's own: the caller's user has as many requests under way to the upstream as it may, and no turn came in time.
  /// Nothing was sent, and nothing is said of the upstream.
  case congested(retryAfterSeconds: Int)
  /// The upstream could not prove who it is (TLS).
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

  /// Whether somebody else may stand in for the upstream meanwhile, or the request be done later: not for regd's own
  /// congestion, which its user is to feel.
  package var isWorthPuttingOff: Bool { isWorthRepeating && !isOwn }

  /// Whether the request may have left this machine.
  package var wasPerhapsSent: Bool {
    switch self {
    case .offline, .congested, .untrusted: false
    case .unavailable, .rejected, .throttled, .tooEarly, .timeout, .emptyResponse, .malformedResponse, .failed: true
    }
  }

  /// Whether the same request may succeed later, without anybody changing it or the configuration.
  package var isWorthRepeating: Bool {
    switch self {
    case .rejected, .untrusted: false
    case .offline, .unavailable, .throttled, .tooEarly, .congested, .timeout, .emptyResponse, .malformedResponse,
      .failed:
      true
    }
  }
}
