/// What came of a sign-in.
package enum SignInOutcome: Equatable, Sendable {
  case signedIn(Account)
  /// Unknown address or wrong password: which of them is not said.
  case rejected
  /// The password was right.
  case disabled
  /// The password was right.
  case pending
  case hashing(HashingFailure)
  case store(StoreFailure)
}

/// Takes every decision of one sign-in, and does nothing itself: an event in, the next action out.
package struct SignInConductor {
  package enum Event: Equatable, Sendable {
    case found(StoredAccount?)
    case verified(PasswordVerdict)
    case hashed(PasswordHash)
    case hashReplaced
    case hashingFailed(HashingFailure)
    case storeFailed(StoreFailure)
  }

  package enum Action: Equatable, Sendable {
    case find(EmailKey)
    /// Compare the password with this hash; with nil, do the same work for nothing.
    case verify(PasswordHash?)
    case hash
    case replaceHash(of: AccountID, from: PasswordHash, to: PasswordHash)
    case finish(SignInOutcome)
  }

  private enum Phase {
    case looking
    case verifying(StoredAccount?)
    /// The hash is of old parameters; that it is renewed is a service, and its failure nobody's.
    case renewing(StoredAccount)
    case finished
  }

  private var phase = Phase.looking
  private let email: EmailAddress?

  /// - Parameter email: Nil where what was typed is no address; it gets the same work and the same answer.
  package init(email: EmailAddress?) { self.email = email }

  package var first: Action { email.map { .find($0.key) } ?? .verify(nil) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .found(let found)):
      phase = .verifying(found)
      return .verify(found?.passwordHash)
    case (.verifying(let found?), .verified(.right(let isOutdated))):
      if isOutdated {
        phase = .renewing(found)
        return .hash
      }
      return welcome(found)
    case (.looking, .verified), (.verifying, .verified):
      return finish(.rejected)
    case (.renewing(let found), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash)
    case (.renewing(let found), _):
      return welcome(found)
    case (_, .hashingFailed(let failure)):
      return finish(.hashing(failure))
    case (_, .storeFailed(let failure)):
      return finish(.store(failure))
    default:
      return finish(.store(.unavailable(detail: "\(event) is out of place")))
    }
  }

  private mutating func welcome(_ found: StoredAccount) -> Action {
    switch found.account.state {
    case .active: finish(.signedIn(found.account))
    case .disabled: finish(.disabled)
    case .pending: finish(.pending)
    }
  }

  private mutating func finish(_ outcome: SignInOutcome) -> Action {
    phase = .finished
    return .finish(outcome)
  }
}

extension Registrar {
  package func signIn(
    email typed: String, password: Password, by requester: Requester? = nil
  ) async -> SignInOutcome {
    var conductor = SignInConductor(email: try? rules.email.addressOfAccount(typed).get())
    var action = conductor.first
    while true {
      if case .finish(let outcome) = action { return outcome }
      action = conductor.next(await perform(action, password))
    }
  }

  private func perform(_ action: SignInConductor.Action, _ password: Password) async -> SignInConductor.Event {
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
        _ = try await store.replaceHash(of: id, from: old, to: new, Stamp(time.now()))
        return .hashReplaced
      case .verify, .hash, .finish: return .storeFailed(.unavailable(detail: "no store operation"))
      }
    } catch {
      return .storeFailed(error)
    }
  }
}
