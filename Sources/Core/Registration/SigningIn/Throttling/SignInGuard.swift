internal import Synchronization

/// The throttle for all sign-ins of a process: one at a time, by one clock.
package final class SignInGuard: Sendable {
  private let throttle: Mutex<SignInThrottle>
  private let attempts: SignInAttempts
  private let clock: @Sendable () -> Duration

  /// By the time since now, of a clock that no step of the wall clock moves and that goes on while the machine sleeps
  /// (CLOCK_BOOTTIME, clock_gettime(2)).
  package convenience init(_ limits: SignInLimits = SignInLimits()) {
    var generator = SystemRandomNumberGenerator()
    let start = ContinuousClock.now
    self.init(SignInThrottle(limits, using: &generator)) { start.duration(to: .now) }
  }

  /// - Parameter clock: The time since any moment that stays the same.
  package init(_ throttle: SignInThrottle, clock: @escaping @Sendable () -> Duration) {
    attempts = throttle.attempts
    self.throttle = Mutex(throttle)
    self.clock = clock
  }

  /// Takes the password's fingerprint, outside of the lock, so that a long password delays no other attempt.
  ///
  /// - Parameters:
  ///   - account: The key of what was typed, or what was typed where it is no address.
  ///   - share: The share of the calling process.
  package func attempt(account: String, share: Share, password: Password) -> SignInAttempt {
    attempts.attempt(account: account, share: share, password: password)
  }

  package func admit(_ attempt: SignInAttempt) -> SignInThrottle.Verdict {
    throttle.withLock { $0.admit(attempt, at: clock()) }
  }

  package func ended(_ attempt: SignInAttempt, _ ending: SignInThrottle.Ending) {
    throttle.withLock { $0.ended(attempt, ending, at: clock()) }
  }

  /// The password is the account's, for it has just been registered with it.
  package func remember(_ attempt: SignInAttempt) { throttle.withLock { $0.remember(attempt) } }

  /// Whether the password is very likely the right one: it looks like that which was right here last.
  package func looksRight(_ attempt: SignInAttempt) -> Bool { throttle.withLock { $0.looksRight(attempt) } }

  package func forget(account: EmailKey) { throttle.withLock { $0.forget(account: account.value) } }
}
