/// What has happened, as the driver of a sign-in tells its conductor.
package enum SignInEvent: Equatable, Sendable, HashingEvents, StoreEvents, NetworkEvents {
  case noted
  case found(StoredAccount?)
  case verified(PasswordVerdict)
  case hashed(PasswordHash)
  /// With the time of the change; nil if the hash had been replaced meanwhile.
  case hashReplaced(at: Timestamp?)
  case hashingFailed(HashingFailure)
  case storeFailed(StoreFailure)

  // MARK: Where the upstream is the authority

  case upstreamAnswered(UpstreamSession)
  case networkFailed(NetworkFailure)
  case adopted(ImportAnswer?)
  /// Whether the account still exists.
  case confirmed(Bool)
  /// The caller waits no longer: what was to be done has not been done.
  case cancelled
}

/// What the driver of a sign-in is to do next.
package enum SignInAction: Equatable, Sendable {
  /// Tell the throttle, once, the ending of the attempt that it has admitted.
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
  /// Compare the password with this hash, even if the caller waits no longer; with nil, do the same work for nothing.
  case verifyAnyway(PasswordHash?)
  /// Hash a random password that no one has, even if the caller waits no longer.
  case hashNobodys
  /// Note that the upstream stands behind the hash in the store, or that it has refused the account. Best effort.
  case confirm(AccountID, isRight: Bool)
}

/// Takes every decision of one sign-in, and does nothing itself: an event in, the next action out. After `finish` there
/// are no more events; one that does not belong to the phase is a fault of the driver.
protocol SignInConducting {
  var first: SignInAction { get }
  mutating func next(_ event: SignInEvent) -> SignInAction
}
