import Testing

@testable import Registration

@Suite("Sign-in throttle")
struct SignInThrottleTests {
  private var door = ThrottledDoor()

  @Test("three wrong passwords are free; after each further one the wait is twice as long, up to 300 s")
  mutating func ladder() {
    for _ in 0..<3 { #expect(door.knockWrong() == .wrong) }
    for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] {
      #expect(door.knockWrong() == .wrong)
      #expect(door.knockWrong() == .wait(wait))
      door.seconds += Double(wait) - 0.5
      // an attempt that comes too early does not make the wait longer, and waits a second at least
      #expect(door.knockWrong() == .wait(1))
      door.seconds += 0.5
    }
  }

  @Test("one password, however often, is one guess; nine others later it is one again")
  mutating func repeats() {
    for _ in 0..<100 { #expect(door.knock("again") == .wrong) }
    for _ in 0..<3 { #expect(door.knockWrong() == .wrong) }
    #expect(door.knock("again") == .wait(1))
    door.seconds += 1
    for _ in 0..<100 { #expect(door.knock("again") == .wrong) }
    #expect(door.knockWrong() == .wrong)
    for wait in [2, 4, 8, 16] {
      door.seconds += Double(wait)
      #expect(door.knockWrong() == .wrong)
    }
    door.seconds += 32
    #expect(door.knock("again") == .wrong)
    #expect(door.knockWrong() == .wait(64))
  }

  @Test("equal passwords at two accounts, and those of two callers, have nothing to do with each other")
  mutating func keys() {
    let (one, two) = (door.attempt("phrase", "a"), door.attempt("phrase", "b"))
    #expect(one.key.account != two.key.account)
    #expect(one.mark != two.mark)
    #expect(door.attempt("phrase", "a", 2).mark == one.mark)
    #expect(ThrottledDoor(seed: 2).attempt("phrase", "a").mark != one.mark)
    for _ in 0..<4 { #expect(door.knockWrong("a") == .wrong) }
    #expect(door.knockWrong("a") == .wait(1))
    #expect(door.knockWrong("b") == .wrong)
    #expect(door.knockWrong("a", 2) == .wrong)
  }

  @Test("of what is no address, the first 1024 bytes say which it is")
  mutating func long() {
    let long = String(repeating: "x", count: 1024)
    for end in ["", "a", "b", "c"] { #expect(door.knockWrong(long + end) == .wrong) }
    #expect(door.knockWrong(long + "d") == .wait(1))
    #expect(door.knockWrong(String(long.dropLast())) == .wrong)
  }

  @Test("after a quarter of an hour without a failure one is forgotten, and one more after each further")
  mutating func fading() {
    for _ in 0..<4 { _ = door.knockWrong() }
    door.seconds += 899
    #expect(door.knockWrong() == .wrong)
    #expect(door.knockWrong() == .wait(2))
    door.seconds += 900
    #expect(door.knockWrong() == .wrong)
    #expect(door.knockWrong() == .wait(2))
    door.seconds += 3 * 900
    for wait in [1, 2] {
      #expect(door.knockWrong() == .wrong)
      if wait == 1 { #expect(door.knockWrong() == .wrong) }
      #expect(door.knockWrong() == .wait(wait))
      door.seconds += Double(wait)
    }
  }

  @Test("from the top, all is forgotten in 13 quarters of an hour, however many failures there were")
  mutating func top() {
    for _ in 0..<40 {
      _ = door.knockWrong()
      door.seconds += 300
    }
    door.seconds += 13 * 900
    for _ in 0..<4 { #expect(door.knockWrong() == .wrong) }
    #expect(door.knockWrong() == .wait(1))
  }

  @Test(
    "an unknown account, a known one and one whose owner has signed in refuse alike",
    arguments: 0..<20 as Range<UInt64>)
  mutating func alike(_ seed: UInt64) {
    door = ThrottledDoor(seed: seed)
    door.passwords["signed in"] = "right"
    #expect(door.knock("right", "signed in") == .right)
    for step in 0..<60 {
      let sights = ["owner", "signed in", "unknown"].map { account in door.knock(door.fresh(account), account) }
      #expect(Set(sights.map { "\($0)" }).count == 1, "\(sights) in step \(step)")
      door.seconds += Double(step % 7)
    }
  }

  @Test("one origin has a hundred wrong passwords over all accounts, and one more a second")
  mutating func spraying() {
    door.origin = Origin("a")
    for number in 0..<100 { #expect(door.knockWrong("account \(number)") == .wrong) }
    #expect(door.knockWrong("another") == .wait(1))
    #expect(door.knockWrong("another", 2) == .wrong)
    // the right ones of accounts where this origin was never seen wait as well: they cannot be told from wrong ones
    #expect(door.knock("right") == .wait(1))
    // another origin of the same user has nothing to do with it, and neither has a caller that names none
    for origin in [Origin("b"), nil] {
      door.origin = origin
      #expect(door.knockWrong("another") == .wrong)
    }
    door.origin = Origin("a")
    door.seconds += 2
    for _ in 0..<5 { #expect(door.knock("right") == .right) }
    #expect(door.knockWrong("another") == .wrong)
    #expect(door.knockWrong("another") == .wrong)
    #expect(door.knockWrong("another") == .wait(1))
    #expect(door.knock("right") == .right)
  }

  @Test("an origin that is empty is none; its bytes are compared, and it does not touch the uid's own waits")
  mutating func origins() {
    #expect(Origin("") == nil)
    #expect(Origin(String(repeating: "x", count: 129)) == nil)
    #expect(Origin("e\u{301}") != Origin("\u{e9}"))
    for origin in [Origin("a"), Origin("b"), nil] {
      door.origin = origin
      for _ in 0..<4 { #expect(door.knockWrong() == .wrong) }
      #expect(door.knockWrong() == .wait(1))
    }
  }

  @Test("a clock that was read earlier and asks later moves nothing back")
  mutating func order() {
    for _ in 0..<4 { _ = door.knockWrong() }
    door.seconds += 1
    #expect(door.knock("a") == .wrong)
    door.seconds -= 1
    #expect(door.knockWrong() == .wait(2))
  }

  @Test("an administrator's new password begins everything anew at that account only")
  mutating func forgotten() {
    #expect(door.knock("right") == .right)
    for account in ["owner", "other"] { for _ in 0..<4 { _ = door.knockWrong(account) } }
    for caller in 1000..<1101 as Range<UInt32> { _ = door.knockWrong("owner", caller) }
    #expect(door.knockWrong("owner", 2000) == .wait(1))
    door.throttle.forget(account: "owner")
    #expect(door.knockWrong("other") == .wait(1))
    #expect(door.knockWrong("owner", 2000) == .wrong)
    for _ in 0..<4 { #expect(door.knockWrong() == .wrong) }
    #expect(door.knockWrong() == .wait(1))
    // what was right before looks like nothing now
    #expect(door.knock("right") == .wait(1))
  }

  @Test("a bucket owes nothing: what is taken by force from an empty one costs no further wait")
  func bucket() {
    let rate = SignInRate(atOnce: 2, interval: 1000)
    var bucket = Bucket()
    for _ in 0..<5 { bucket.take(rate, at: 500) }
    #expect(bucket.wait(rate, at: 500) == 1000)
    #expect(bucket.wait(rate, at: 1500) == 0)
    bucket.giveBack(rate)
    #expect(bucket.wait(rate, at: 500) == 0)
  }
}
