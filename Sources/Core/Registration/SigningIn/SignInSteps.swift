/// An event that the driver of a sign-in reports to its conductor.
package enum SignInEvent: Equatable, Sendable, PortEvents {
  case noted
  case found(StoredAccount?)
  case verified(PasswordVerdict)
  case hashed(PasswordHash)
  /// The time of the change, or nil if another call replaced the hash meanwhile.
  case hashReplaced(at: Timestamp?)
  /// The action has failed. `cancelled` means that the caller no longer waits, and that the action was not done.
  case obstructed(Obstacle)

  // MARK: If the upstream is the authority

  case upstreamAnswered(UpstreamSession)
  case adopted(ImportAnswer?)
  /// Whether the account still exists.
  case confirmed(Bool)
}

/// The action that the driver of a sign-in has to do next.
package enum SignInAction: ConductedAction, Equatable, Sendable {
  /// Report to the throttle how the attempt has ended, at most once per sign-in.
  case note(SignInThrottle.Ending)
  case find(EmailKey)
  /// Compare the password with this hash. With nil, do the same work without a comparison.
  case verify(PasswordHash?)
  case hash
  /// `epoch`: the account's epoch from then on, if the new hash is of another password that the owner knows. Nil keeps
  /// the epoch.
  case replaceHash(of: AccountID, from: PasswordHash, to: PasswordHash, epoch: SessionEpoch?)
  case finish(SignInOutcome)

  // MARK: If the upstream is the authority

  /// Ask the upstream whether the password is right.
  case ask(EmailAddress)
  /// Add an account that only the upstream has.
  case adopt(StoredAccount)
  /// Compare the password with this hash, even if the caller no longer waits. With nil, do the same work without a comparison.
  case verifyAnyway(PasswordHash?)
  /// Hash a random password that no person knows, even if the caller no longer waits.
  case hashNobodys
  /// Note that the upstream has confirmed the password of the stored hash, or that the upstream has refused the account. Best
  /// effort.
  case confirm(AccountID, isRight: Bool)
}
