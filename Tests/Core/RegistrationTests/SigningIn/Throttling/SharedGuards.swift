import TestDoubles

@testable import Registration

/// Several regd processes that share one count. Each has a separate throttle and a hasher that recognizes the correct
/// password at once.
struct SharedGuards {
  let clock = StagedClock()
  let board: StagedThrottle
  let guards: [SignInGuard]
  private let attempts: SignInAttempts

  init(_ count: Int) {
    let board = StagedThrottle(clock)
    self.board = board
    // the same random numbers for all, so that chance accepts the same passwords
    let throttle = ThrottledDoor().throttle
    attempts = throttle.attempts
    guards = (0..<count).map { [clock] _ in SignInGuard(throttle, shared: board) { clock.passed } }
  }

  /// One try from beginning to end.
  ///
  /// - Parameters:
  ///   - number: The index of the regd that is asked.
  ///   - caller: A uid, which makes a separate client.
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

  /// Tries a wrong password from each of these clients.
  func fail(_ number: Int, from callers: Range<UInt32>) async {
    for caller in callers { _ = await knock(number, wrong(caller), caller) }
  }

  /// A separate wrong password for each caller, which is never mistaken for the correct password.
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
