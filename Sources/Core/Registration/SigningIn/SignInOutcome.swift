/// What came of a sign-in.
package enum SignInOutcome: Equatable, Sendable {
  case signedIn(Account)
  /// Unknown address or wrong password: the caller does not learn which.
  case rejected
  /// The password was right.
  case disabled
  /// The password was right.
  case pending
  /// Too many wrong passwords; nothing was looked up, hashed or counted. An unknown address gets the same.
  case throttled(retryAfterSeconds: Int)
  case hashing(HashingFailure)
  case store(StoreFailure)
  /// The upstream is the authority and gave no answer that counts; whether the password is right is not known.
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

  /// Whether it says something of the account and the password, and not of the caller alone.
  var isOfGuess: Bool {
    switch self {
    case .signedIn, .rejected, .disabled, .pending, .store(.unavailable), .store(.unknown), .store(.full),
      .store(.readOnly), .hashing(.unavailable), .hashing(.unreadableHash), .fault:
      true
    case .network(let failure): !failure.isOwn
    case .throttled, .hashing(.busy), .hashing(.cancelled), .store(.cancelled): false
    }
  }

  /// The account that the caller is signed in to.
  var account: AccountID? { if case .signedIn(let account) = self { account.id } else { nil } }

  /// The ending that the throttle is told.
  var ending: SignInThrottle.Ending {
    switch self {
    case .signedIn, .disabled, .pending: .right
    case .rejected: .wrong
    case .throttled, .hashing, .store, .network, .fault: .unknown
    }
  }
}
