internal import Synchronization

/// The throttle for all sign-ins of a process: one at a time, by one clock, and with the count that several regd share.
package final class SignInGuard: Sendable {
  private let throttle: Mutex<SignInThrottle>
  private let attempts: SignInAttempts
  private let shared: Live<SharedCount?>
  private let clock: @Sendable () -> Duration

  /// By the time since now, of a clock that no step of the wall clock moves and that goes on while the machine sleeps
  /// (CLOCK_BOOTTIME, clock_gettime(2)).
  package convenience init(_ limits: SignInLimits = SignInLimits(), shared: (any SharedThrottle)? = nil) {
    var generator = SystemRandomNumberGenerator()
    let start = ContinuousClock.now
    self.init(SignInThrottle(limits, using: &generator), shared: shared) { start.duration(to: .now) }
  }

  /// - Parameters:
  ///   - shared: Nil if this regd shares no count.
  ///   - clock: The time since any moment that stays the same.
  package init(
    _ throttle: SignInThrottle, shared: (any SharedThrottle)? = nil, clock: @escaping @Sendable () -> Duration
  ) {
    attempts = throttle.attempts
    self.throttle = Mutex(throttle)
    self.shared = Live(shared.map { SharedCount($0, clock: clock) })
    self.clock = clock
  }

  /// Counts by another shared throttle from now on, or by none. An attempt that is under way is counted by this regd alone.
  package func share(_ throttle: (any SharedThrottle)?) {
    shared.replace(throttle.map { SharedCount($0, clock: clock) })
  }

  /// Takes the password's fingerprint, outside of the lock, so that a long password delays no other attempt.
  ///
  /// - Parameters:
  ///   - account: The key of what was typed, or what was typed where it is no address.
  ///   - share: The share of the calling process.
  package func attempt(account: String, share: Share, password: Password) -> SignInAttempt {
    attempts.attempt(account: account, share: share, password: password, sharedBy: shared.value?.throttle.key)
  }

  /// Waits for the shared throttle where much was guessed at the account and this place has never signed in there; for
  /// nothing else. Ignores cancellation.
  package func admit(_ attempt: SignInAttempt) async -> SignInThrottle.Verdict {
    let isShared = shared.value?.isAnswering ?? false
    let (verdict, mustAsk) = throttle.withLock {
      ($0.admit(attempt, at: clock(), isShared: isShared), $0.mustAsk(attempt))
    }
    guard verdict == .go, mustAsk else { return verdict }
    let answer = await shared.value?.admit(attempt)
    return throttle.withLock { $0.answered(attempt, answer, at: clock()) }
  }

  /// Waits for the shared throttle where a wrong password counts there. Ignores cancellation.
  ///
  /// - Parameter account: The account that was found at the address; nil where that is not known.
  package func ended(_ attempt: SignInAttempt, _ ending: SignInThrottle.Ending, of account: AccountID? = nil) async {
    switch throttle.withLock({ $0.ended(attempt, ending, of: account, at: clock()) }) {
    case .failed:
      guard let failures = await shared.value?.failed(attempt) else { return }
      throttle.withLock { $0.heard(attempt, failures, at: clock()) }
    case .takenBack: await shared.value?.takeBack(attempt)
    case nil: break
    }
  }

  /// The password is the account's, for it has just been registered with it.
  package func remember(_ attempt: SignInAttempt, of account: AccountID?) {
    throttle.withLock { $0.remember(attempt, of: account, at: clock()) }
  }

  /// The owner of the account is at this place. Of the attempt the password does not count.
  package func rememberPlace(_ attempt: SignInAttempt, of account: AccountID) {
    throttle.withLock { $0.rememberPlace(attempt, of: account, at: clock()) }
  }

  /// Whether the password is very likely the right one: it looks like that which was right here last.
  package func looksRight(_ attempt: SignInAttempt) -> Bool {
    throttle.withLock { $0.looksRight(attempt, at: clock()) }
  }

  /// Tells administrators, once within a day for an account, that so many wrong passwords came from this place, which is known,
  /// that it counts as a stranger's from now on.
  ///
  /// - Parameter tell: Whether they could be told; if not, it is tried again at the next attempt there.
  package func tell(of attempt: SignInAttempt, _ tell: () async -> Bool) async {
    guard throttle.withLock({ $0.isNews(attempt, at: clock()) }) else { return }
    if await !tell() { throttle.withLock { $0.isNewsAgain(attempt) } }
  }

  /// Whether the owner of the account has been at this place: has registered, proven the address, recovered or signed in from
  /// there. What this regd has seen since it was started; what it is not certain of is false.
  package func isKnown(_ share: Share, at account: Account) -> Bool {
    let place = attempts.key(account: account.email.key.value, share: share)
    return throttle.withLock { $0.isKnown(place, of: account.id) }
  }

  /// Forgets what this regd and the shared throttle know of the account. What other regd have counted by themselves fades.
  package func forget(account: EmailKey) async {
    throttle.withLock { $0.forget(account: account.value) }
    await shared.value?.forget(account: account.value)
  }
}
