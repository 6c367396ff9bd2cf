/// The outcome of a code: of `claim.prove`, or of `recovery.finish`.
package enum ProofOutcome: ObstructibleOutcome, Equatable, Sendable {
  /// The account in its present state, with the epoch in which the caller has proven to be its owner: it may have ended
  /// if a proof is repeated.
  case proven(Account)
  /// The account is pending, because the upstream could not be reached; regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// `attemptsLeft` is 0 if the claim has ended.
  case codeRejected(attemptsLeft: Int)
  /// This user has no such claim, or no longer, or it was used up.
  case gone
  /// Another account has the address.
  case taken
  /// `isPending`: the registration may have taken place. The caller may prove the claim again, unless the upstream has rejected it.
  case obstructed(Obstacle, isPending: Bool = false)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle, _) = self { obstacle } else { nil } }

  init(_ outcome: RegistrationOutcome) {
    self =
      switch outcome {
      case .registered(let account): .proven(account.proven(in: .first))
      case .deferred(let account, let failure): .deferred(account, failure)
      case .taken, .conflict: .taken
      case .claimGone, .claimed, .invitationRejected: .gone
      case .obstructed(let obstacle, let isPending): .obstructed(obstacle, isPending: isPending)
      }
  }
}

/// The outcome of requesting a claim: of `recovery.start`, `claim.resend` or `owner.changeEmail`.
package enum ClaimOutcome: ObstructibleOutcome, Equatable, Sendable {
  case claimed(AddressClaim)
  /// No proof was required: the account has the address now.
  case changed(Account)
  /// Another account has the address.
  case taken
  case gone
  /// A mail for this claim was requested a moment ago.
  case tooSoon(retryAfterSeconds: Int)
  /// The owner's password was not accepted.
  case refused(SignInRefusal)
  case obstructed(Obstacle)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle) = self { obstacle } else { nil } }
}
