/// Decides each step of a sign-in when this daemon is the authority for passwords.
package struct SignInConductor: Conductor {
  package typealias Event = SignInEvent
  package typealias Action = SignInAction

  enum Phase: ConductorPhase {
    /// Looks up the account. Then `verifying` or `noting`.
    case looking
    /// Compares the password with the account's hash. Then `noting`.
    case verifying(StoredAccount?)
    /// Tells the throttle the outcome. Then the given action, in the phase `renewing` or `finished`.
    case noting(renewing: StoredAccount?, then: Action)
    /// Renews the outdated hash, best effort. Then `renewing` or `finished`.
    case renewing(StoredAccount)
    case finished
  }

  var phase: Phase
  private let key: EmailKey?

  /// - Parameter key: The key of the typed address, or nil if the text is not an address. Such a sign-in costs the same
  ///   work and gets the same answer as a wrong password.
  package init(key: EmailKey?) {
    self.key = key
    phase = key == nil ? .verifying(nil) : .looking
  }

  package var first: Action { key.map { .find($0) } ?? .verify(nil) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .found(let found)): return go(.verifying(found), .verify(found?.passwordHash))
    case (.looking, .obstructed(let obstacle)), (.verifying, .obstructed(let obstacle)):
      return note(.unknown, then: .finish(.obstructed(obstacle)))
    case (.verifying(let found?), .verified(.right(let isOutdated))):
      guard isOutdated, found.account.mayRenewHash else { return note(.right, then: .finish(welcome(found))) }
      return note(.right, renewing: found, then: .hash)
    case (.verifying, .verified): return note(.wrong, then: .finish(.refused(.rejected)))
    case (.noting(let outdated, let action), .noted): return go(outdated.map { .renewing($0) } ?? .finished, action)
    case (.renewing(let found), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash, epoch: nil)
    case (.renewing(var found), .hashReplaced(let time?)):
      found.account.updatedAt = max(found.account.updatedAt, time)
      return finish(welcome(found))
    case (.renewing(let found), .hashReplaced(nil)), (.renewing(let found), .obstructed): return finish(welcome(found))
    default: return finish(.obstructed(fault(event)))
    }
  }

  /// Tells the throttle the outcome before the hash is renewed, so that the renewal delays no other attempt.
  private mutating func note(
    _ ending: SignInThrottle.Ending, renewing found: StoredAccount? = nil, then action: Action
  ) -> Action {
    go(.noting(renewing: found, then: action), .note(ending))
  }

  private func welcome(_ found: StoredAccount) -> SignInOutcome { SignInOutcome(toOwnerOf: found.account) }
}

extension Account {
  /// Whether a sign-in may replace the hash. False for an account that the upstream has yet to register, because regd sends
  /// this hash under an idempotency key, and a repeat must not send another hash.
  var mayRenewHash: Bool { !isUnregistered }

  /// Whether the registration is still incomplete, so that the upstream, if any, may not know the account.
  var isUnregistered: Bool { state == .pending || state == .waiting }
}
