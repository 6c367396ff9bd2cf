extension Registrar {
  /// - Parameter requester: Who asks: wrong passwords count for each place by itself, and the audit has who had a hash
  ///   replaced or an account adopted.
  package func signIn(
    email typed: String, password: Password, by requester: Requester
  ) async -> SignInOutcome {
    let email = try? rules.email.addressOfAccount(typed).get()
    let account = email?.key.value ?? typed
    let attempt = signIns?.attempt(account: account, share: requester.share, password: password)
    if let attempt, case .wait(let seconds)? = signIns?.admit(attempt) { return .throttled(retryAfterSeconds: seconds) }
    switch await guesses.signIns.join(account, password) {
    case .ended(let outcome):
      if let attempt { signIns?.ended(attempt, outcome.ending) }
      return outcome
    case .cancelled:
      if let attempt { signIns?.ended(attempt, .unknown) }
      return .hashing(.cancelled)
    case .ours:
      let outcome = await conduct(Guess(email, account, password, attempt, requester))
      guesses.signIns.end(account, password, outcome.isOfGuess ? outcome : nil)
      return outcome
    }
  }

  /// What is tried, and who tries it.
  private struct Guess {
    let email: EmailAddress?
    /// The address's key, or what was typed.
    let account: String
    let password: Password
    let attempt: SignInAttempt?
    let requester: Requester

    init(
      _ email: EmailAddress?, _ account: String, _ password: Password, _ attempt: SignInAttempt?, _ requester: Requester
    ) {
      self.email = email
      self.account = account
      self.password = password
      self.attempt = attempt
      self.requester = requester
    }
  }

  private func conduct(_ guess: Guess) async -> SignInOutcome {
    var conductor = conductor(of: guess.email)
    var action = conductor.first
    let turn = HashingTurn(
      guess.requester.share, goesFirst: guess.attempt.map { signIns?.looksRight($0) ?? false } ?? false)
    while true {
      switch action {
      case .finish(let outcome): return outcome
      case .note(let ending):
        if let attempt = guess.attempt { signIns?.ended(attempt, ending) }
        action = conductor.next(.noted)
      case .verify, .verifyAnyway, .hash, .hashNobodys:
        action = conductor.next(await hash(action, guess, turn))
      case .ask(let email):
        action = conductor.next(await ask(email, guess))
      case .find, .replaceHash, .confirm, .adopt:
        action = conductor.next(await store(action, guess.requester))
      }
    }
  }

  private func conductor(of email: EmailAddress?) -> any SignInConducting {
    switch signInAuthority {
    case .store: SignInConductor(key: email?.key)
    case .network(let offline, let days):
      NetworkSignInConductor(email: email, offline: offline, cachedDays: days, now: time.now())
    }
  }

  private func hash(_ action: SignInAction, _ guess: Guess, _ turn: HashingTurn) async -> SignInEvent {
    let anyway = HashingTurn(turn.share, isDoneAnyway: true)
    do {
      switch action {
      case .verify(let hash):
        return .verified(try await verify(guess.password, against: hash, account: guess.account, turn))
      case .verifyAnyway(let hash):
        return .verified(try await verify(guess.password, against: hash, account: guess.account, anyway))
      case .hashNobodys: return .hashed(try await hasher.hash(.nobodys(), anyway))
      default: return .hashed(try await hasher.hash(guess.password, turn))
      }
    } catch {
      return .hashingFailed(error)
    }
  }

  /// Without an upstream it is as if it were away: that the store says instead what it should say would be worse.
  private func ask(_ email: EmailAddress, _ guess: Guess) async -> SignInEvent {
    guard !Task.isCancelled else { return .cancelled }
    guard let network else { return .networkFailed(.offline) }
    do {
      return .upstreamAnswered(try await network.signIn(email, guess.password, for: guess.requester.share))
    } catch {
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
      case .confirm(let id, let isRight):
        _ = try await store.confirm(id, at: isRight ? stamp.time : nil)
        return .noted
      case .adopt(let account):
        guard !Task.isCancelled else { return .cancelled }
        guard let answer = try await store.importing([account], stamp).first else { break }
        return .adopted(answer)
      case .note, .verify, .verifyAnyway, .hash, .hashNobodys, .ask, .finish: break
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
