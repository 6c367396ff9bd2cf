import TestDoubles

@testable import Registration

/// A throttle with a clock that tests move, and accounts with passwords.
struct ThrottledDoor {
  enum Sight: Equatable {
    case right
    case wrong
    case wait(Int)
  }

  var throttle: SignInThrottle
  var seconds = 0.0
  /// The password of each account.
  var passwords = ["owner": "right"]
  private var count = 0

  /// - Parameter isLucky: Whether waits end at random moments, as in regd. Otherwise each wait ends as announced.
  init(
    _ limits: SignInLimits = SignInLimits(), seed: UInt64 = 1, isLucky: Bool = false, keeping kept: KeptClients? = nil
  ) {
    var generator = SeededGenerator(seed: seed)
    var limits = limits
    if !isLucky { limits.luck = nil }
    throttle = SignInThrottle(limits, keeping: kept, using: &generator)
  }

  var now: Duration { .milliseconds(Int64(seconds * 1000)) }

  /// The user for whom the caller asks, or nil if the caller names none.
  var origin: Origin?

  func attempt(_ password: String, _ account: String = "owner", _ caller: UInt32 = 1) -> SignInAttempt {
    throttle.attempts.attempt(
      account: account, share: Share(uid: caller, origin: origin), password: Fixtures.password(password))
  }

  mutating func admit(_ attempt: SignInAttempt) -> SignInThrottle.Verdict { throttle.admit(attempt, at: now) }

  mutating func end(_ attempt: SignInAttempt, _ ending: SignInThrottle.Ending) {
    _ = throttle.ended(attempt, ending, at: now)
  }

  /// One try from beginning to end.
  mutating func knock(_ password: String, _ account: String = "owner", _ caller: UInt32 = 1) -> Sight {
    let attempt = attempt(password, account, caller)
    if case .wait(let seconds) = admit(attempt) { return .wait(seconds) }
    let isRight = passwords[account] == password
    end(attempt, isRight ? .right : .wrong)
    return isRight ? .right : .wrong
  }

  /// A password that is untried, belongs to no account, and is never mistaken for the correct password.
  mutating func fresh(_ account: String = "owner", _ caller: UInt32 = 1) -> String {
    while true {
      count += 1
      let password = "wrong \(count)"
      let attempt = attempt(password, account, caller)
      let right = passwords[account].map { self.attempt($0, account, caller).trace }
      if attempt.trace != attempt.decoy, attempt.trace != right { return password }
    }
  }

  mutating func knockWrong(_ account: String = "owner", _ caller: UInt32 = 1) -> Sight {
    knock(fresh(account, caller), account, caller)
  }
}
