extension Registrar {
  /// What is held of passwords that are being compared, or were a moment ago.
  struct Guesses: Sendable {
    let signIns = SharedGuesses<SignInOutcome>()
    let comparisons = SharedGuesses<Result<PasswordVerdict, HashingFailure>>()
    let wrong = RecentlyWrong()
  }

  /// Whether a password that came with a registration is that of the reservation, or of the request, that it meets. It is
  /// guessed here as well as by signing in, and counts alike.
  func verify(
    _ password: Password, against hash: PasswordHash, of email: EmailAddress, by requester: Requester?
  ) async throws(HashingFailure) -> RegistrationConductor.Event {
    guard let signIns, let requester else {
      return .verified(try await compare(password, with: hash, of: email, requester.share))
    }
    let attempt = signIns.attempt(account: email.key.value, share: requester.share, password: password)
    if case .wait(let seconds) = signIns.admit(attempt) { return .throttled(retryAfterSeconds: seconds) }
    do {
      let verdict = try await compare(
        password, with: hash, of: email, requester.share, goesFirst: signIns.looksRight(attempt))
      signIns.ended(attempt, verdict == .wrong ? .wrong : .right)
      return .verified(verdict)
    } catch {
      signIns.ended(attempt, .unknown)
      throw error
    }
  }

  /// Once, whoever wants it compared at the same time.
  private func compare(
    _ password: Password, with hash: PasswordHash, of email: EmailAddress, _ share: Share, goesFirst: Bool = false
  ) async throws(HashingFailure) -> PasswordVerdict {
    // a reservation and a request under it may have two hashes
    let subject = "\(email.key.value) \(hash.phc)"
    switch await guesses.comparisons.join(subject, password) {
    case .ended(let result): return try result.get()
    case .cancelled: throw .cancelled
    case .ours: break
    }
    let turn = HashingTurn(share, goesFirst: goesFirst)
    do throws(HashingFailure) {
      let verdict = try await verify(password, against: hash, account: email.key.value, turn)
      guesses.comparisons.end(subject, password, .success(verdict))
      return verdict
    } catch {
      guesses.comparisons.end(subject, password, error.isOwn ? nil : .failure(error))
      throw error
    }
  }

  /// What was wrong a moment ago costs no second hash, for an account that is there and one that is not alike.
  func verify(
    _ password: Password, against hash: PasswordHash?, account: String, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    if guesses.wrong.contains(account, password, hash) { return .wrong }
    let verdict = try await hasher.verify(password, against: hash, turn)
    if verdict == .wrong { guesses.wrong.note(account, password, hash) }
    return verdict
  }
}

extension HashingFailure {
  /// Whether it says something of the caller alone.
  fileprivate var isOwn: Bool {
    switch self {
    case .busy, .cancelled: true
    case .unavailable, .unreadableHash: false
    }
  }
}
