/// Conducts a sign-in where the store is the authority.
package struct SignInConductor: SignInConducting {
  package typealias Event = SignInEvent
  package typealias Action = SignInAction

  private enum Phase {
    case looking
    case verifying(StoredAccount?)
    /// The throttle is being told; this is what to do then.
    case noting(Action)
    /// The hash is of old parameters; that it is renewed is a service, and its failure nobody's.
    case renewing(StoredAccount)
    case finished
  }

  private var phase = Phase.looking
  private let key: EmailKey?
  /// Whose hash is to be renewed when the throttle has been told.
  private var outdated: StoredAccount?

  /// - Parameter key: Nil where what was typed is no address; it gets the same work and the same answer.
  package init(key: EmailKey?) { self.key = key }

  package var first: Action { key.map { .find($0) } ?? .verify(nil) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .found(let found)):
      phase = .verifying(found)
      return .verify(found?.passwordHash)
    case (.verifying(let found?), .verified(.right(let isOutdated))):
      guard isOutdated, found.account.mayRenewHash else { return note(.right, then: .finish(welcome(found))) }
      outdated = found
      return note(.right, then: .hash)
    case (.looking, .verified), (.verifying, .verified):
      return note(.wrong, then: .finish(.rejected))
    case (.noting(let action), .noted):
      phase = outdated.map { .renewing($0) } ?? .finished
      return action
    case (.renewing(let found), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash)
    case (.renewing(var found), .hashReplaced(let time?)):
      found.account.updatedAt = max(found.account.updatedAt, time)
      return finish(welcome(found))
    case (.renewing(let found), _):
      return finish(welcome(found))
    case (.looking, .hashingFailed(let failure)), (.verifying, .hashingFailed(let failure)):
      return note(.unknown, then: .finish(.hashing(failure)))
    case (.looking, .storeFailed(let failure)):
      return note(.unknown, then: .finish(.store(failure)))
    default:
      return finish(.store(.unavailable(detail: "\(event) is out of place")))
    }
  }

  /// Before a hash is renewed, so that nobody who comes meanwhile waits for that.
  private mutating func note(_ ending: SignInThrottle.Ending, then action: Action) -> Action {
    phase = .noting(action)
    return .note(ending)
  }

  private func welcome(_ found: StoredAccount) -> SignInOutcome { SignInOutcome(toOwnerOf: found.account) }

  private mutating func finish(_ outcome: SignInOutcome) -> Action {
    phase = .finished
    return .finish(outcome)
  }
}

extension Account {
  /// Whether a sign-in may replace the hash. A pending account's is what the upstream is asked to register, under one
  /// `Idempotency-Key`: a repeat must not bring another one.
  var mayRenewHash: Bool { state != .pending }
}
