/// The outcome of a code: of `claim.prove`, or of `recovery.finish`.
package enum ProofOutcome: Equatable, Sendable {
  /// The account in its present state.
  case proven(Account)
  /// The account is pending, because the upstream could not be reached; regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// The new password breaks rules.
  case invalid([Problem])
  /// `attemptsLeft` is 0 if the claim is over.
  case codeRejected(attemptsLeft: Int)
  /// This user has no such claim, or no longer, or it was used up.
  case gone
  /// Another account has the address.
  case taken
  /// There were too many wrong passwords at the account; nothing was compared.
  case throttled(retryAfterSeconds: Int)
  /// The caller withdrew before anything was done.
  case cancelled
  case hashing(HashingFailure)
  /// The caller may prove the claim again, unless the failure is `rejected`.
  case network(NetworkFailure, isPending: Bool)
  case store(StoreFailure, isPending: Bool)
  case off(Feature)
  case fault(InternalFault)

  init(_ outcome: RegistrationOutcome) {
    self =
      switch outcome {
      case .registered(let account): .proven(account)
      case .deferred(let account, let failure): .deferred(account, failure)
      case .invalid(let problems): .invalid(problems)
      case .taken, .conflict: .taken
      case .claimGone, .claimed: .gone
      case .throttled(let seconds): .throttled(retryAfterSeconds: seconds)
      case .cancelled: .cancelled
      case .hashing(let failure): .hashing(failure)
      case .network(let failure, let isPending): .network(failure, isPending: isPending)
      case .store(let failure, let isPending): .store(failure, isPending: isPending)
      case .fault(let fault): .fault(fault)
      }
  }
}

/// The outcome of requesting a claim: of `recovery.start`, `claim.resend` or `owner.changeEmail`.
package enum ClaimOutcome: Equatable, Sendable {
  case claimed(AddressClaim)
  /// No proof was required: the account has the address now.
  case changed(Account)
  /// The text is not a valid address.
  case invalid([Problem])
  /// Another account has the address.
  case taken
  case gone
  /// A mail for this claim was requested a moment ago.
  case tooSoon(retryAfterSeconds: Int)
  /// The owner's password was not accepted.
  case refused(SignInOutcome)
  case cancelled
  case store(StoreFailure)
  case off(Feature)
  case fault(InternalFault)
}

/// A feature that the daemon's configuration may lack.
package enum Feature: Equatable, Sendable {
  /// There is no mail system.
  case mail
  /// The upstream is the authority for passwords.
  case passwordsOfUpstream
  /// The upstream has no such operation.
  case changesAtUpstream
}
