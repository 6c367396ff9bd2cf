/// The outcome of a registration.
package enum RegistrationOutcome: ObstructibleOutcome, Equatable, Sendable {
  /// The account in its present state.
  case registered(Account)
  /// The account is pending, because the upstream could not be reached. regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// The address has to be proven first.
  case claimed(AddressClaim)
  /// The claim has ended, so no proof of it can make the account.
  case claimGone
  /// Another account has the address.
  case taken
  /// The request's id belongs to another registration, which has another address or another password.
  case conflict
  /// The invitation does not exist, is used up, has expired, was revoked, or is for another address.
  case invitationRejected
  /// `isPending`: the registration may have taken place. The address remains reserved for it.
  case obstructed(Obstacle, isPending: Bool = false)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle, _) = self { obstacle } else { nil } }
}

extension RegistrationOutcome {
  /// The outcome for a caller who stops waiting for another task's attempt.
  static var unended: RegistrationOutcome { .obstructed(.network(.timeout), isPending: true) }

  /// Whether the outcome concerns this caller alone, and nothing was done.
  var isOwn: Bool {
    switch self {
    // a throttled outcome also concerns the callers who joined, because the wait applies to the address
    case .obstructed(.throttled, _), .obstructed(_, isPending: true): false
    case .obstructed(let obstacle, isPending: false): obstacle.isOwn
    case .registered, .deferred, .claimed, .claimGone, .taken, .conflict, .invitationRejected: false
    }
  }

  /// Whether an account may have been left pending.
  var isPending: Bool {
    switch self {
    case .deferred, .obstructed(_, isPending: true): true
    case .registered, .claimed, .claimGone, .taken, .conflict, .invitationRejected, .obstructed(_, isPending: false):
      false
    }
  }

  /// Whether the registration's password is now the account's.
  var isOfPassword: Bool {
    switch self {
    case .registered, .deferred, .obstructed(.network, isPending: true): true
    case .claimed, .claimGone, .taken, .conflict, .invitationRejected, .obstructed: false
    }
  }

  var failure: NetworkFailure? {
    switch self {
    case .obstructed(.network(let failure), _), .deferred(_, let failure): failure
    case .registered, .claimed, .claimGone, .taken, .conflict, .invitationRejected, .obstructed: nil
    }
  }

  /// The outcome for a cancelled caller: a pending registration is `unended`, because a store that refuses work for a cancelled
  /// caller is not at fault.
  var ofCancelled: RegistrationOutcome {
    switch self {
    case .obstructed(.store(.unavailable), isPending: true), .obstructed(.store(.cancelled), isPending: true),
      .obstructed(.network, isPending: true):
      .unended
    case .registered, .deferred, .claimed, .claimGone, .taken, .conflict, .invitationRejected, .obstructed: self
    }
  }
}
