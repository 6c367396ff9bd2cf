import TestDoubles

@testable import Registration

/// Several regd that share one count, each with a throttle of its own and a hasher that knows the right password at once.
struct SharedGuards {
  let clock = StagedClock()
  let board: StagedThrottle
  let guards: [SignInGuard]
  private let attempts: SignInAttempts

  init(_ count: Int) {
    let board = StagedThrottle(clock)
    self.board = board
    // the same numbers for all, so that chance lets the same passwords through
    let throttle = ThrottledDoor().throttle
    attempts = throttle.attempts
    guards = (0..<count).map { [clock] _ in SignInGuard(throttle, shared: board) { clock.passed } }
  }

  /// One try from beginning to end.
  ///
  /// - Parameters:
  ///   - number: Which regd is asked.
  ///   - caller: A uid: a place of its own.
  func knock(_ number: Int, _ password: String, _ caller: UInt32 = 1) async -> ThrottledDoor.Sight {
    await Self.knock(guards[number], password, caller)
  }

  static func knock(_ door: SignInGuard, _ password: String, _ caller: UInt32) async -> ThrottledDoor.Sight {
    let attempt = attempt(door, password, caller)
    if case .wait(let seconds) = await door.admit(attempt) { return .wait(seconds) }
    await door.ended(attempt, password == "right" ? .right : .wrong)
    return password == "right" ? .right : .wrong
  }

  static func attempt(_ door: SignInGuard, _ password: String, _ caller: UInt32) -> SignInAttempt {
    door.attempt(account: "owner", share: Share(uid: caller), password: Fixtures.password(password))
  }

  /// A password that was wrong from each of so many places.
  func fail(_ number: Int, from callers: Range<UInt32>) async {
    for caller in callers { _ = await knock(number, wrong(caller), caller) }
  }

  /// Each caller's own wrong password, which is taken for the right one by no chance.
  func wrong(_ caller: UInt32) -> String {
    var count = 0
    while true {
      let password = "wrong \(caller) \(count)"
      let attempt = attempts.attempt(
        account: "owner", share: Share(uid: caller), password: Fixtures.password(password))
      if attempt.trace != attempt.decoy { return password }
      count += 1
    }
  }
}
