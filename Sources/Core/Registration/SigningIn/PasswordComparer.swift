/// Compares passwords with hashes, if the throttle admits the attempt, and hashes no more often than necessary.
struct PasswordComparer: Sendable {
  let hasher: any PasswordHasher
  /// The throttle, or nil if wrong passwords cause no waits.
  private(set) var throttle: SignInGuard?
  private let alarm: GuessAlarm
  let inFlight = SingleFlight<PasswordGuess, Result<PasswordVerdict, HashingFailure>>()
  /// Passwords that were wrong within the last five minutes. The stored hash with which a password was compared is part
  /// of its key, so that no old entry matches once the account has another password.
  private let wrong = KeyedMemory(milliseconds: 300_000)

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

  /// Compares the password that came with a registration or a code with the hash of the reservation, claim, request or
  /// account in question. A password can be guessed here as well as at a sign-in, so a wrong password counts in the
  /// same way. Equal guesses at the same time are compared once.
  func guess(
    _ password: Password, against hash: PasswordHash, of email: EmailAddress, _ subject: GuessSubject,
    by requester: Requester?
  ) async throws(Obstacle) -> PasswordVerdict {
    guard let throttle, let requester else {
      return try await Obstacle.ofHasher(
        try await compare(password, with: hash, account: email.key.value, HashingTurn(requester.share)))
    }
    let attempt = throttle.attempt(
      account: subject.name(at: email), share: requester.share, password: password)
    if case .wait(let seconds) = await admit(attempt, at: email.key, by: requester) {
      throw .throttled(retryAfterSeconds: seconds)
    }
    do throws(HashingFailure) {
      let turn = HashingTurn(requester.share, goesFirst: throttle.looksRight(attempt))
      let verdict = try await compare(password, with: hash, account: email.key.value, turn)
      let ending: SignInThrottle.Ending =
        verdict == .wrong ? .wrong : subject.account == nil ? .unknown : .right
      await ended(attempt, ending, of: subject.account, at: email.key, by: requester)
      return verdict
    } catch {
      await throttle.ended(attempt, .unknown)
      throw .hashing(error)
    }
  }

  /// Asks the throttle. Notifies administrators if so many passwords were tried from a known client (uid and origin)
  /// that the client now counts as a stranger's.
  ///
  /// - Parameter key: The key of the typed address, or nil if the text is not an address.
  func admit(
    _ attempt: SignInAttempt, at key: EmailKey?, by requester: Requester
  ) async -> SignInThrottle.Verdict {
    let verdict = await throttle?.admit(attempt) ?? .go
    if verdict != .go { await tell(of: attempt, at: key, by: requester) }
    return verdict
  }

  /// Reports to the throttle how the attempt ended, and notifies administrators as `admit` does.
  ///
  /// - Parameters:
  ///   - account: The account that was found at the address, or nil if unknown.
  ///   - key: The key of the typed address, or nil if the text is not an address.
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

  /// Compares without the throttle. A password that was wrong a moment ago is not hashed again, whether or not the
  /// account exists, and equal guesses at the same time are hashed once.
  ///
  /// Equal guesses share only the hashing. Each caller has read the account itself, so no caller uses a hash that was
  /// replaced before its call.
  ///
  /// - Parameters:
  ///   - hash: The account's hash. Nil does the same work, for an account that does not exist.
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - memory: Remembers correct passwords for a moment, so that a repeat need not be hashed.
  func compare(
    _ password: Password, with hash: PasswordHash?, account: String, _ turn: HashingTurn,
    sparing memory: PasswordMemory? = nil
  ) async throws(HashingFailure) -> PasswordVerdict {
    if wrong[wrong.key(password, [account, hash?.phc ?? ""])] != nil { return .wrong }
    if let memory, let hash, memory.contains(password, for: hash) { return .right(isOutdated: false) }
    // does not join another caller's comparison, because a cancelled joiner gets no verdict
    guard !turn.isDoneAnyway else { return try await hashed(password, hash, account, turn, memory) }
    // includes the hash, because an account, a reservation, a claim and a request may have one address and different
    // hashes
    let guess = PasswordGuess(account: "\(account) \(hash?.phc ?? "")", password: password)
    while true {
      switch await inFlight.join(guess) {
      case .ended(let result):
        // `isOutdated` is false, because the caller that hashed renews an outdated hash
        return try result.get() == .wrong ? .wrong : .right(isOutdated: false)
      case .cancelled: throw .cancelled
      case .gaveUp: continue
      case .ours: break
      }
      do throws(HashingFailure) {
        let verdict = try await hashed(password, hash, account, turn, memory)
        inFlight.end(guess, .success(verdict))
        return verdict
      } catch {
        if error.isOwn { inFlight.giveUp(guess) } else { inFlight.end(guess, .failure(error)) }
        throw error
      }
    }
  }

  private func hashed(
    _ password: Password, _ hash: PasswordHash?, _ account: String, _ turn: HashingTurn, _ memory: PasswordMemory?
  ) async throws(HashingFailure) -> PasswordVerdict {
    let verdict = try await hasher.verify(password, against: hash, turn)
    if verdict == .wrong { wrong.note(wrong.key(password, [account, hash?.phc ?? ""])) }
    if case .right = verdict, let hash { memory?.note(password, isRightFor: hash) }
    return verdict
  }

  /// Reports to the throttle that the password is the account's own. From then on, the requester's client counts as
  /// known.
  ///
  /// - Parameter account: The account, or nil if its id is not known yet.
  func remember(_ password: Password, of email: EmailAddress, _ account: AccountID?, from requester: Requester?) {
    guard let throttle, let requester else { return }
    throttle.remember(
      throttle.attempt(account: email.key.value, share: requester.share, password: password), of: account)
  }

  /// Reports to the throttle that the account's owner uses the requester's client, although no password was compared.
  func rememberClient(_ requester: Requester, of account: AccountID, at email: EmailAddress) {
    guard let throttle else { return }
    throttle.rememberClient(
      throttle.attempt(account: email.key.value, share: requester.share, password: Password(utf8: [])), of: account)
  }

  /// Whether, as far as this regd knows, the account's owner has used the requester's client. False without a throttle.
  func isKnown(_ requester: Requester?, at account: Account) -> Bool {
    guard let throttle, let requester else { return false }
    return throttle.isKnown(requester.share, at: account)
  }
}

/// A typed password, and the account at which it was typed.
struct PasswordGuess: Hashable, Sendable {
  /// The key of an address, or the typed text if it is not an address, perhaps with the hash for the comparison.
  let account: String
  let password: Password

  static func == (one: PasswordGuess, other: PasswordGuess) -> Bool {
    one.account == other.account && one.password.isCompared(as: other.password)
  }

  /// Leaves out the password, because a hash table needs no hash of a secret.
  func hash(into hasher: inout Hasher) { hasher.combine(account) }
}

/// The stored password with which regd compares the password of a registration or of a code, as opposed to a sign-in.
package enum GuessSubject: Hashable, Sendable {
  /// The account's own password. A right guess shows that the account's owner uses the caller's client (uid and
  /// origin).
  case account(AccountID)
  /// The password with which a registration was requested. The account may have another one by now. A wrong guess
  /// counts against the account, but a correct guess does not show that the account's owner uses the caller's client.
  case request
  /// The password with which a claim was made, whoever made it. A guess counts against the claim, and shows nothing
  /// about the account that has the address.
  case claim(ClaimID)

  /// The account whose own password is guessed, or nil for a request or a claim.
  var account: AccountID? {
    switch self {
    case .account(let id): id
    case .request, .claim: nil
    }
  }

  /// The name under which the throttle counts the guess. A claim's name has no @, so it never equals the key of an
  /// address.
  func name(at email: EmailAddress) -> String {
    switch self {
    case .account, .request: email.key.value
    case .claim(let id): id.description
    }
  }
}

/// Notifies administrators that many passwords were tried for an account from a client (uid and origin) that its owner
/// has used. Writes an audit entry, which causes an event.
struct GuessAlarm: Sendable {
  let store: Accounts
  let time: any TimeSource

  /// - Returns: Whether the guesses are reported, or need no report. False if the store has failed.
  func sound(at key: EmailKey, by requester: Requester) async -> Bool {
    do throws(StoreFailure) {
      guard let account = try await store.find(key)?.account else { return true }
      let stamp = Stamp(time.now(), by: requester)
      _ = try await store.noteGuessed(account.id, stamp)
      return true
    } catch {
      return false
    }
  }
}
