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
}

/// Takes every decision of one sign-in, and does nothing itself: an event in, the next action out.
package struct SignInConductor {
  package enum Event: Equatable, Sendable {
    case admitted(SignInThrottle.Verdict)
    case noted
    case found(StoredAccount?)
    case verified(PasswordVerdict)
    case hashed(PasswordHash)
    /// With the time of the change; nil where somebody else was quicker.
    case hashReplaced(at: Timestamp?)
    case hashingFailed(HashingFailure)
    case storeFailed(StoreFailure)
  }

  package enum Action: Equatable, Sendable {
    /// Ask the throttle.
    case admit
    /// Tell the throttle, once, what came of an attempt that it let go.
    case note(SignInThrottle.Ending)
    case find(EmailKey)
    /// Compare the password with this hash; with nil, do the same work for nothing.
    case verify(PasswordHash?)
    case hash
    case replaceHash(of: AccountID, from: PasswordHash, to: PasswordHash)
    case finish(SignInOutcome)
  }

  private enum Phase {
    case asking
    case looking
    case verifying(StoredAccount?)
    /// The throttle is being told; this is what to do then.
    case noting(Action)
    /// The hash is of old parameters; that it is renewed is a service, and its failure nobody's.
    case renewing(StoredAccount)
    case finished
  }

  private var phase = Phase.asking
  private let key: EmailKey?
  /// Whose hash is to be renewed when the throttle has been told.
  private var outdated: StoredAccount?

  /// - Parameter key: Nil where what was typed is no address; it gets the same work and the same answer.
  package init(key: EmailKey?) { self.key = key }

  package var first: Action { .admit }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.asking, .admitted(.wait(let seconds))):
      return finish(.throttled(retryAfterSeconds: seconds))
    case (.asking, .admitted(.go)):
      phase = .looking
      return key.map { .find($0) } ?? .verify(nil)
    case (.looking, .found(let found)):
      phase = .verifying(found)
      return .verify(found?.passwordHash)
    case (.verifying(let found?), .verified(.right(let isOutdated))):
      if isOutdated { outdated = found }
      return note(.right, then: isOutdated ? .hash : .finish(welcome(found)))
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

  private func welcome(_ found: StoredAccount) -> SignInOutcome {
    switch found.account.state {
    case .active: .signedIn(found.account)
    case .disabled: .disabled
    case .pending: .pending
    }
  }

  private mutating func finish(_ outcome: SignInOutcome) -> Action {
    phase = .finished
    return .finish(outcome)
  }
}

extension Registrar {
  /// - Parameter requester: Who asks: wrong passwords count for each user by itself, and the audit has who had a hash renewed.
  package func signIn(
    email typed: String, password: Password, by requester: Requester
  ) async -> SignInOutcome {
    let key = try? rules.email.addressOfAccount(typed).get().key
    let attempt = signIns?.attempt(account: key?.value ?? typed, caller: requester.uid, password: password)
    var conductor = SignInConductor(key: key)
    var action = conductor.first
    while true {
      switch action {
      case .finish(let outcome): return outcome
      case .admit:
        action = conductor.next(.admitted(attempt.flatMap { signIns?.admit($0) } ?? .go))
      case .note(let ending):
        if let attempt { signIns?.ended(attempt, ending) }
        action = conductor.next(.noted)
      case .find, .verify, .hash, .replaceHash:
        action = conductor.next(await perform(action, password, requester))
      }
    }
  }

  private func perform(
    _ action: SignInConductor.Action, _ password: Password, _ requester: Requester
  ) async -> SignInConductor.Event {
    do {
      switch action {
      case .verify(let hash): return .verified(try await hasher.verify(password, against: hash))
      case .hash: return .hashed(try await hasher.hash(password))
      default: break
      }
    } catch {
      return .hashingFailed(error)
    }
    do {
      switch action {
      case .find(let key): return .found(try await store.find(key))
      case .replaceHash(let id, let old, let new):
        let stamp = Stamp(time.now(), by: requester)
        let isReplaced = try await store.replaceHash(of: id, from: old, to: new, stamp)
        return .hashReplaced(at: isReplaced ? stamp.time : nil)
      case .admit, .note, .verify, .hash, .finish: return .storeFailed(.unavailable(detail: "no store operation"))
      }
    } catch {
      return .storeFailed(error)
    }
  }
}
