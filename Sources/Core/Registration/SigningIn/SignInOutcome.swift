/// The outcome of a sign-in.
package enum SignInOutcome: Equatable, Sendable {
  case signedIn(Account)
  /// Unknown address or wrong password; the caller does not learn which.
  case rejected
  /// The password was right, but the account is disabled.
  case disabled
  /// The password was right, but the account is pending.
  case pending
  /// Too many wrong passwords; nothing was looked up, hashed or counted. An unknown address gets the same outcome.
  case throttled(retryAfterSeconds: Int)
  case hashing(HashingFailure)
  case store(StoreFailure)
  /// The upstream is the authority and gave no usable answer; whether the password is right is unknown.
  case network(NetworkFailure)
  case fault(InternalFault)

  /// The outcome for a caller who has proved the password of this account.
  init(toOwnerOf account: Account) {
    self =
      switch account.state {
      case .active: .signedIn(account)
      case .disabled: .disabled
      case .pending: .pending
      }
  }

  /// Whether the outcome holds for every caller with this account and password, not for this caller alone.
  var isOfGuess: Bool {
    switch self {
    case .signedIn, .rejected, .disabled, .pending, .store(.unavailable), .store(.unknown), .store(.full),
      .store(.readOnly), .hashing(.unavailable), .hashing(.unreadableHash), .fault:
      true
    case .network(let failure): !failure.isOwn
    case .throttled, .hashing(.busy), .hashing(.cancelled), .store(.cancelled): false
    }
  }

  /// The account that the caller has signed in to.
  var account: AccountID? { if case .signedIn(let account) = self { account.id } else { nil } }

  /// How the attempt ended, for the throttle.
  var ending: SignInThrottle.Ending {
    switch self {
    case .signedIn, .disabled, .pending: .right
    case .rejected: .wrong
    case .throttled, .hashing, .store, .network, .fault: .unknown
    }
  }
}
