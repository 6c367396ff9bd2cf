/// Compares passwords with hashes: under the throttle, and with no more hashing than needed.
struct PasswordComparer: Sendable {
  enum Guess: Equatable {
    case compared(PasswordVerdict)
    /// Nothing was compared, and nothing counted.
    case throttled(retryAfterSeconds: Int)
  }

  let hasher: any PasswordHasher
  /// Nil if wrong passwords cause no waits.
  private(set) var throttle: SignInGuard?
  private let alarm: GuessAlarm
  private let inFlight = SharedGuesses<Result<PasswordVerdict, HashingFailure>>()
  private let wrong = RecentlyWrong()

  init(_ hasher: any PasswordHasher, throttle: SignInGuard?, alarm: GuessAlarm) {
    self.hasher = hasher
    self.alarm = alarm
    self.throttle = throttle
  }

  /// The same comparer under another throttle.
  func with(throttle: SignInGuard?) -> PasswordComparer {
    var new = self
    new.throttle = throttle
    return new
  }

  /// Compares the password that came with a registration or a code with the hash of the reservation, claim, request or account
  /// that it meets. A password can be guessed here as well as by signing in, so a wrong one counts alike. Equal guesses at one
  /// time are compared once.
  func guess(
    _ password: Password, against hash: PasswordHash, of email: EmailAddress, _ subject: GuessSubject,
    by requester: Requester?
  ) async throws(HashingFailure) -> Guess {
    guard let throttle, let requester else {
      return .compared(try await compareOnce(password, with: hash, of: email, HashingTurn(requester.share)))
    }
    let attempt = throttle.attempt(
      account: subject.name(at: email), share: requester.share, password: password)
    if case .wait(let seconds) = await admit(attempt, at: email.key, by: requester) {
      return .throttled(retryAfterSeconds: seconds)
    }
    do {
      let turn = HashingTurn(requester.share, goesFirst: throttle.looksRight(attempt))
      let verdict = try await compareOnce(password, with: hash, of: email, turn)
      let ending: SignInThrottle.Ending =
        verdict == .wrong ? .wrong : subject.account == nil ? .unknown : .right
      await ended(attempt, ending, of: subject.account, at: email.key, by: requester)
      return .compared(verdict)
    } catch {
      await throttle.ended(attempt, .unknown)
      throw error
    }
  }

  /// As the throttle does; tells administrators where they are to hear of it.
  ///
  /// - Parameter key: Nil for what is no address.
  func admit(
    _ attempt: SignInAttempt, at key: EmailKey?, by requester: Requester
  ) async -> SignInThrottle.Verdict {
    let verdict = await throttle?.admit(attempt) ?? .go
    if verdict != .go { await tell(of: attempt, at: key, by: requester) }
    return verdict
  }

  /// As the throttle does; tells administrators where they are to hear of it.
  ///
  /// - Parameters:
  ///   - account: The account that was found at the address; nil where that is not known.
  ///   - key: Nil for what is no address.
  func ended(
    _ attempt: SignInAttempt, _ ending: SignInThrottle.Ending, of account: AccountID?, at key: EmailKey?,
    by requester: Requester
  ) async {
    await throttle?.ended(attempt, ending, of: account)
    if ending == .wrong { await tell(of: attempt, at: key, by: requester) }
  }

  private func tell(of attempt: SignInAttempt, at key: EmailKey?, by requester: Requester) async {
    guard let key else { return }
    await throttle?.tell(of: attempt) { await alarm.sound(at: key, by: requester) }
  }

  /// Compares, without the throttle. A password that was wrong a moment ago is hashed no second time, whether the account
  /// exists or not.
  ///
  /// - Parameters:
  ///   - hash: Nil does the work of a comparison for an account that does not exist.
  ///   - account: The key of an address, or what was typed if it is no address.
  func compare(
    _ password: Password, with hash: PasswordHash?, account: String, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    if wrong.contains(account, password, hash) { return .wrong }
    let verdict = try await hasher.verify(password, against: hash, turn)
    if verdict == .wrong { wrong.note(account, password, hash) }
    return verdict
  }

  /// Tells the throttle that the password is the account's: the place that it came from is let through from now on.
  ///
  /// - Parameter account: Nil where it is not known yet.
  func remember(_ password: Password, of email: EmailAddress, _ account: AccountID?, from requester: Requester?) {
    guard let throttle, let requester else { return }
    throttle.remember(
      throttle.attempt(account: email.key.value, share: requester.share, password: password), of: account)
  }

  /// Tells the throttle that the owner of the account is at this place, though no password was compared.
  func rememberPlace(_ requester: Requester, of account: Account) {
    guard let throttle else { return }
    throttle.rememberPlace(
      throttle.attempt(account: account.email.key.value, share: requester.share, password: Password(utf8: [])),
      of: account.id)
  }

  /// Whether the owner of the account has been at this place, as far as this regd has seen; false without a throttle.
  func isKnown(_ requester: Requester?, at account: Account) -> Bool {
    guard let throttle, let requester else { return false }
    return throttle.isKnown(requester.share, at: account)
  }

  private func compareOnce(
    _ password: Password, with hash: PasswordHash, of email: EmailAddress, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    // a reservation and a request under it may have two hashes
    let subject = "\(email.key.value) \(hash.phc)"
    switch await inFlight.join(subject, password) {
    case .ended(let result): return try result.get()
    case .cancelled: throw .cancelled
    case .ours: break
    }
    do throws(HashingFailure) {
      let verdict = try await compare(password, with: hash, account: email.key.value, turn)
      inFlight.end(subject, password, .success(verdict))
      return verdict
    } catch {
      inFlight.end(subject, password, error.isOwn ? nil : .failure(error))
      throw error
    }
  }
}

extension HashingFailure {
  /// Whether it says something of this caller alone.
  fileprivate var isOwn: Bool {
    switch self {
    case .busy, .cancelled: true
    case .unavailable, .unreadableHash: false
    }
  }
}
