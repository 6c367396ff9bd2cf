/// What came of a sign-in.
package enum SignInOutcome: Equatable, Sendable {
  case signedIn(Account)
  /// Unknown address or wrong password: which of them is not said.
  case rejected
  /// The password was right.
  case disabled
  /// The password was right.
  case pending
  /// Too many wrong passwords; nothing was looked up, hashed or counted. Said alike of an address that is not known.
  case throttled(retryAfterSeconds: Int)
  case hashing(HashingFailure)
  case store(StoreFailure)
  /// The upstream is the authority and gave no answer that counts; whether the password is right is not known.
  case network(NetworkFailure)

  /// What who has the right password of this account is told.
  init(toOwnerOf account: Account) {
    self =
      switch account.state {
      case .active: .signedIn(account)
      case .disabled: .disabled
      case .pending: .pending
      }
  }
}

/// What has happened, as the driver of a sign-in tells its conductor.
package enum SignInEvent: Equatable, Sendable {
  case noted
  case found(StoredAccount?)
  case verified(PasswordVerdict)
  case hashed(PasswordHash)
  /// With the time of the change; nil where somebody else was quicker.
  case hashReplaced(at: Timestamp?)
  case hashingFailed(HashingFailure)
  case storeFailed(StoreFailure)

  // MARK: Where the upstream is the authority

  case upstreamAnswered(UpstreamSession)
  case networkFailed(NetworkFailure)
  case adopted(ImportAnswer)
  /// Nobody waits for it any more: what was to be done has not been done.
  case cancelled
}

/// What the driver of a sign-in is to do next.
package enum SignInAction: Equatable, Sendable {
  /// Tell the throttle, once, what came of the attempt, which it has let go.
  case note(SignInThrottle.Ending)
  case find(EmailKey)
  /// Compare the password with this hash; with nil, do the same work for nothing.
  case verify(PasswordHash?)
  case hash
  case replaceHash(of: AccountID, from: PasswordHash, to: PasswordHash)
  case finish(SignInOutcome)

  // MARK: Where the upstream is the authority

  /// Ask the upstream for the password.
  case ask(EmailAddress)
  /// Add the account from elsewhere.
  case adopt(StoredAccount)
  /// Compare the password with this hash, also where nobody waits any more; with nil, do the same work for nothing.
  case verifyAnyway(PasswordHash?)
  /// Hash a password that nobody has, also where nobody waits any more.
  case hashNobodys
  /// Note that the upstream stands behind the hash in the store, or that it has refused the account. Not done where the
  /// store fails.
  case confirm(AccountID, isRight: Bool)
}

/// Takes every decision of one sign-in, and does nothing itself: an event in, the next action out. After `finish` there
/// are no more events; one that does not belong to the phase is a fault of the driver.
protocol SignInConducting {
  var first: SignInAction { get }
  mutating func next(_ event: SignInEvent) -> SignInAction
}

extension SignInOutcome {
  /// Whether it says something of the account and the password; if not, only of the one who asked.
  var isOfGuess: Bool {
    switch self {
    case .signedIn, .rejected, .disabled, .pending, .store(.unavailable), .store(.unknown), .store(.full),
      .store(.readOnly),
      .hashing(.unavailable), .hashing(.unreadableHash):
      true
    case .network(let failure): !failure.isOwn
    case .throttled, .hashing(.busy), .hashing(.cancelled), .store(.cancelled): false
    }
  }

  /// What the throttle is told of it.
  var ending: SignInThrottle.Ending {
    switch self {
    case .signedIn, .disabled, .pending: .right
    case .rejected: .wrong
    case .throttled, .hashing, .store, .network: .unknown
    }
  }
}
