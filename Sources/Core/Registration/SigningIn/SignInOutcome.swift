/// The outcome of a sign-in.
package enum SignInOutcome: ObstructibleOutcome, Equatable, Sendable {
  case signedIn(Account)
  case refused(SignInRefusal)
  /// It is not known whether the password is right.
  case obstructed(Obstacle)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle) = self { obstacle } else { nil } }

  /// The outcome for a caller who has proved the password of this account.
  init(toOwnerOf account: Account) {
    self =
      switch account.state {
      case .active: .signedIn(account)
      case .disabled: .refused(.disabled)
      case .pending: .refused(.pending)
      case .waiting: .refused(.waiting(account))
      }
  }

  /// The outcome where only accounts that meet the requirement may sign in.
  func requiring(_ requirement: GroupRequirement) -> SignInOutcome {
    guard case .signedIn(let account) = self, !requirement.isMet(by: account.groups) else { return self }
    return .refused(.notMember)
  }

  /// Whether the outcome holds for every caller who tries this password at this account, and not for this caller alone.
  var isOfGuess: Bool {
    switch self {
    case .signedIn, .refused: true
    case .obstructed(let obstacle): !obstacle.isOwn
    }
  }

  /// The account that the caller has signed in to.
  var account: AccountID? { if case .signedIn(let account) = self { account.id } else { nil } }

  /// How the attempt ended, for the throttle.
  var ending: SignInThrottle.Ending {
    switch self {
    case .signedIn, .refused(.disabled), .refused(.pending), .refused(.waiting), .refused(.notMember): .right
    case .refused(.rejected): .wrong
    case .obstructed: .unknown
    }
  }
}

/// Why a caller may not sign in.
package enum SignInRefusal: Equatable, Sendable {
  /// Unknown address or wrong password. The caller does not learn which.
  case rejected
  /// The password was right, but the account is disabled.
  case disabled
  /// The password was right, but the account is pending.
  case pending
  /// The password was right, but an administrator has to approve the account.
  case waiting(Account)
  /// The password was right, but the account is in none of the groups that may sign in there.
  case notMember
}
