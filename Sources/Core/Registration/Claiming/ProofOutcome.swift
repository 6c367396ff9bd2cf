/// The outcome of `claim.prove` or `recovery.finish`, in which a caller guesses a code.
package enum ProofOutcome: ObstructibleOutcome, Equatable, Sendable {
  /// The account in its present state, but with the session epoch of the proof. If a proof is repeated, that epoch may
  /// have ended already.
  case proven(Account)
  /// The account is pending, because the upstream could not be reached. regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// `attemptsLeft` is 0 if the claim has ended. If `isVerified`, the requester has already proven the claim with its
  /// correct code.
  case codeRejected(attemptsLeft: Int, isVerified: Bool = false)
  /// The requester's user has no such claim, or the claim has ended.
  case gone
  /// Another account has the address.
  case taken
  /// If `isPending`, the registration may have taken place. The claim may be proven again, unless the upstream has
  /// rejected the registration.
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

/// The outcome of `recovery.start`, `claim.resend` or `owner.changeEmail`, which request a claim or its mail.
package enum ClaimOutcome: ObstructibleOutcome, Equatable, Sendable {
  case claimed(AddressClaim)
  /// No proof was required. The account already has the address.
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
