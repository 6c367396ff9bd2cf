extension Registrar {
  /// - Parameter requester: Who asks: wrong passwords count for each user by itself, and the audit has who had a hash
  ///   replaced or an account adopted.
  package func signIn(
    email typed: String, password: Password, by requester: Requester
  ) async -> SignInOutcome {
    let email = try? rules.email.addressOfAccount(typed).get()
    let attempt = signIns?.attempt(account: email?.key.value ?? typed, caller: requester.uid, password: password)
    var conductor = conductor(of: email)
    var action = conductor.first
    while true {
      switch action {
      case .finish(let outcome): return outcome
      case .admit:
        action = conductor.next(.admitted(attempt.flatMap { signIns?.admit($0) } ?? .go))
      case .note(let ending):
        if let attempt { signIns?.ended(attempt, ending) }
        action = conductor.next(.noted)
      case .verify, .hash, .hashNobodys:
        action = conductor.next(await hash(action, password, HashingTurn(requester.share)))
      case .ask(let email):
        action = conductor.next(await ask(email, password, requester.share))
      case .find, .replaceHash, .adopt:
        action = conductor.next(await store(action, requester))
      }
    }
  }

  private func conductor(of email: EmailAddress?) -> any SignInConducting {
    switch signInAuthority {
    case .store: SignInConductor(key: email?.key)
    case .network(let offline): NetworkSignInConductor(email: email, offline: offline, now: time.now())
    }
  }

  private func hash(_ action: SignInAction, _ password: Password, _ turn: HashingTurn) async -> SignInEvent {
    do {
      switch action {
      case .verify(let hash): return .verified(try await hasher.verify(password, against: hash, turn))
      case .hashNobodys: return .hashed(try await hasher.hash(.nobodys(), turn))
      default: return .hashed(try await hasher.hash(password, turn))
      }
    } catch {
      return .hashingFailed(error)
    }
  }

  /// Without an upstream it is as if it were away: that the store says instead what it should say would be worse.
  private func ask(_ email: EmailAddress, _ password: Password, _ share: Share) async -> SignInEvent {
    guard !Task.isCancelled else { return .cancelled }
    guard let network else { return .networkFailed(.offline) }
    do { return .upstreamAnswered(try await network.signIn(email, password, for: share)) } catch {
      return .networkFailed(error)
    }
  }

  private func store(_ action: SignInAction, _ requester: Requester) async -> SignInEvent {
    let stamp = Stamp(time.now(), by: requester)
    do {
      switch action {
      case .find(let key): return .found(try await store.find(key))
      case .replaceHash(let id, let old, let new):
        let isReplaced = try await store.replaceHash(of: id, from: old, to: new, stamp)
        return .hashReplaced(at: isReplaced ? stamp.time : nil)
      case .adopt(let account):
        guard !Task.isCancelled else { return .cancelled }
        guard let answer = try await store.importing([account], stamp).first else { break }
        return .adopted(answer)
      case .admit, .note, .verify, .hash, .hashNobodys, .ask, .finish: break
      }
      return .storeFailed(.unavailable(detail: "no store operation"))
    } catch {
      return .storeFailed(error)
    }
  }
}

extension Password {
  /// 32 random bytes in hexadecimal digits, which nobody has seen and nobody guesses.
  fileprivate static func nobodys() -> Password {
    let digits = Array("0123456789abcdef".utf8)
    var random = SystemRandomNumberGenerator()
    return Password(utf8: (0..<64).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
  }
}
