import Testing

@testable import Registration

/// An attacker who tries to lock out the owner of an account.
@Suite("Lock-out attacks")
struct SignInLockOutTests {
  private var door = ThrottledDoor()

  @Test("another user's failures do not affect the owner's first sign-in")
  mutating func otherUser() {
    for _ in 0..<50 {
      _ = door.knockWrong("owner", 666)
      door.seconds += 30
    }
    #expect(door.knock("right", "owner", 1) == .right)
  }

  @Test("through one web server, an owner who has signed in there gets in, and the others continue to wait")
  mutating func sameUser() {
    #expect(door.knock("right") == .right)
    for _ in 0..<4 { #expect(door.knockWrong() == .wrong) }
    for _ in 0..<1000 { #expect(door.knock("right") == .right) }
    #expect(door.knockWrong() == .wait(1))
    // for hours, one failure whenever the ladder allows it, and three tries in between
    for _ in 0..<100 {
      while door.knockWrong() != .wrong { door.seconds += 100 }
      #expect(door.knockWrong() == .wait(300) || door.seconds < 1000)
      #expect(door.knock("right") == .right)
      door.seconds += 100
    }
  }

  @Test("the guesses of others never use up the quota of the correct password, however many they are")
  mutating func flood() {
    #expect(door.knock("right") == .right)
    for _ in 0..<12 {
      #expect(door.knockWrong() == .wrong)
      door.seconds += 300
    }
    #expect(door.knockWrong() == .wrong)
    // together with the earlier guesses, too few to bar the client
    for _ in 0..<900 { #expect(door.knockWrong() == .wait(300)) }
    #expect(door.knock("right") == .right)
    for number in 0..<20_000 as Range<UInt32> { _ = door.knockWrong("owner", 100 + number) }
    #expect(door.knockWrong("owner", 99) != .wrong)
    #expect(door.knock("right") == .right)
  }

  @Test("an owner who has registered from a client is accepted as after a sign-in")
  mutating func registered() {
    door.throttle.remember(door.attempt("right"), at: door.now)
    for _ in 0..<4 { _ = door.knockWrong() }
    #expect(door.knockWrong() == .wait(1))
    #expect(door.knock("right") == .right)
  }

  @Test("a device that repeats an old password does not keep other devices out")
  mutating func oldDevice() {
    #expect(door.knock("right") == .right)
    for _ in 0..<4 { _ = door.knockWrong() }
    let old = door.fresh()
    for _ in 0..<500 { #expect(door.knock(old) == .wait(1)) }
    #expect(door.knock("right") == .right)
  }

  @Test("invented addresses through a web server that names no origins do not lock out an account")
  mutating func madeUp() {
    for number in 0..<1500 { #expect(door.knockWrong("made up \(number)") == .wrong) }
    #expect(door.knock("right") == .right)
  }

  @Test("an attacker who changes the origin with every guess gains nothing, and the owner's origin is not affected")
  mutating func changingOrigins() {
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
    var compared = 0
    for number in 0..<2000 {
      door.origin = Origin("guess \(number)")
      if door.knockWrong() == .wrong { compared += 1 }
    }
    // the strangers' quota, and one guess for the ladder's first step, because no time has passed
    #expect(compared == 101)
    door.origin = Origin("elsewhere")
    #expect(door.knock("right") == .wait(1))
    door.origin = Origin("home")
    #expect(door.knock("right") == .right)
  }

  @Test("wrong passwords that look right have a limit, plus one each second")
  mutating func mistakes() {
    var limits = SignInLimits()
    limits.mistakes.atOnce = 3
    door = ThrottledDoor(limits)
    #expect(door.knock("right") == .right)
    for _ in 0..<4 { _ = door.knockWrong() }
    let trace = door.attempt("right").trace
    var doubles: [String] = []
    var number = 0
    while doubles.count < 6 {
      number += 1
      if door.attempt("double \(number)").trace == trace { doubles.append("double \(number)") }
    }
    for double in doubles.prefix(3) { #expect(door.knock(double) == .wrong) }
    guard case .wait = door.knock(doubles[3]) else {
      Issue.record("guesses that look right have no bound")
      return
    }
    door.seconds += 1
    #expect(door.knock(doubles[4]) == .wrong)
  }

  @Test("a wrong password that looks right is hashed and counts")
  mutating func chance() {
    #expect(door.knock("right") == .right)
    let trace = door.attempt("right").trace
    var number = 0
    while door.attempt("double \(number)").trace != trace { number += 1 }
    let double = "double \(number)"
    for _ in 0..<4 { _ = door.knockWrong() }
    #expect(door.knock(double) == .wrong)
    #expect(door.knockWrong() == .wait(2))
    // it does not replace the correct password either
    #expect(door.knock("right") == .right)
  }

  @Test("a new password is remembered at its first success, and then the old password counts as wrong")
  mutating func changed() {
    #expect(door.knock("right") == .right)
    door.passwords["owner"] = "new"
    #expect(door.knock("new") == .right)
    for _ in 0..<4 { _ = door.knockWrong() }
    #expect(door.knock("right") == .wait(1))
    #expect(door.knock("new") == .right)
  }

  @Test(
    "many users share 100 guesses and then wait; an owner who has signed in neither waits nor adds to them"
  )
  mutating func crowd() {
    #expect(door.knock("right", "owner", 1) == .right)
    for caller in 0..<25 as Range<UInt32> {
      for _ in 0..<4 { #expect(door.knockWrong("owner", 100 + caller) == .wrong) }
    }
    #expect(door.knockWrong("owner", 200) == .wrong)
    #expect(door.knockWrong("owner", 201) == .wait(1))
    #expect(door.knockWrong("other", 201) == .wrong)
    for _ in 0..<3 { #expect(door.knockWrong("owner", 1) == .wrong) }
    #expect(door.knock("right", "owner", 1) == .right)
    door.seconds += 1
    // an owner who has not signed in adds nothing either, if no wait is running
    #expect(door.knock("right", "owner", 202) == .right)
    #expect(door.knockWrong("owner", 201) == .wrong)
    #expect(door.knockWrong("owner", 203) == .wait(2))
    for caller in [1, 202] as [UInt32] { #expect(door.knock("right", "owner", caller) == .right) }
    door.seconds += 2
    #expect(door.knockWrong("owner", 201) == .wrong)
  }

  /// An attacker tries once a second, and the owner every few seconds until a try succeeds. Both use one client without
  /// origins.
  ///
  /// - Returns: How many of the attacker's passwords were compared, and how many tries the owner needed, or nil if none
  /// of the owner's tries succeeded.
  private mutating func compete(everySeconds pause: Int, for seconds: Int) -> (guessed: Int, owner: Int?) {
    var (guessed, tried) = (0, 0)
    var got: Int?
    for second in 0..<seconds {
      door.seconds += 0.5
      if second % pause == pause - 1, got == nil {
        tried += 1
        if door.knock("right") == .right { got = tried }
      }
      door.seconds += 0.5
      if door.knockWrong() == .wrong { guessed += 1 }
    }
    return (guessed, got)
  }

  @Test("if everyone uses one client, a slow attacker delays the owner but does not lock the owner out")
  mutating func oneClient() {
    var tries: [Int] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      door = ThrottledDoor(seed: seed, isLucky: true)
      #expect(door.knock("right") == .right)
      for _ in 0..<1100 { _ = door.knockWrong() }
      tries.append(compete(everySeconds: 2, for: 4000).owner ?? .max)
    }
    // a third of the tries are the owner's, and so are a third of the comparisons
    #expect(tries.max() ?? 0 <= 2000, "\(tries)")
    #expect(tries.sorted()[10] < 400, "\(tries)")
  }

  @Test("after a restart twenty guesses lock out no owner, unlike with waits that end exactly as announced")
  mutating func restarted() {
    for isLucky in [true, false] {
      var locked = 0
      for seed in 1...20 as ClosedRange<UInt64> {
        door = ThrottledDoor(seed: seed, isLucky: isLucky)
        for _ in 0..<20 {
          _ = door.knockWrong()
          door.seconds += 300
        }
        if compete(everySeconds: 2, for: 8000).owner == nil { locked += 1 }
      }
      #expect(isLucky ? locked == 0 : locked > 10, "\(locked)")
    }
  }

  @Test("with random moments, an attacker still has only about a thousand guesses a day at an account")
  mutating func daily() {
    let day = 24 * 60 * 60
    for seed in 1...3 as ClosedRange<UInt64> {
      door = ThrottledDoor(seed: seed, isLucky: true)
      for _ in 0..<100 { _ = door.knockWrong() }
      let guessed = compete(everySeconds: 2 * day, for: day).guessed
      #expect((500...1100).contains(guessed), "\(guessed)")
    }
  }

  @Test("strangers' waits also end at random moments, so an owner who uses a new client gets in")
  mutating func newClient() {
    door = ThrottledDoor(isLucky: true)
    var caller: UInt32 = 1000
    for _ in 0..<120 {
      caller += 1
      _ = door.knockWrong("owner", caller)
    }
    var got = false
    for second in 0..<6000 where !got {
      door.seconds += 0.5
      if second % 2 == 0 { got = door.knock("right", "owner", 1) == .right }
      door.seconds += 0.5
      caller += 1
      _ = door.knockWrong("owner", caller)
    }
    #expect(got)
  }
}
