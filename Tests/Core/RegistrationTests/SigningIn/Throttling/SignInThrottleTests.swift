import Testing

@testable import Registration

@Suite("Sign-in throttle")
struct SignInThrottleTests {
  private var door = ThrottledDoor()

  @Test("three wrong passwords are free, and after each further one the wait doubles, up to 300 s")
  mutating func ladder() {
    for _ in 0..<3 { #expect(door.knockWrong() == .wrong) }
    for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] {
      #expect(door.knockWrong() == .wrong)
      #expect(door.knockWrong() == .wait(wait))
      door.seconds += Double(wait) - 0.5
      // an early attempt does not lengthen the wait, and waits at least a second
      #expect(door.knockWrong() == .wait(1))
      door.seconds += 0.5
    }
  }

  @Test("repeats of one password count as one guess, until nine other passwords follow")
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

  @Test("equal passwords at two accounts, or of two callers, are unrelated")
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

  @Test("an invalid address is identified by its first 1024 bytes")
  mutating func long() {
    let long = String(repeating: "x", count: 1024)
    for end in ["", "a", "b", "c"] { #expect(door.knockWrong(long + end) == .wrong) }
    #expect(door.knockWrong(long + "d") == .wait(1))
    #expect(door.knockWrong(String(long.dropLast())) == .wrong)
  }

  @Test("one failure is forgotten after each quarter of an hour without a failure")
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

  @Test("from the longest wait, all failures are forgotten in 13 quarters of an hour, however many there were")
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
    "an unknown account, a known one and one whose owner has signed in refuse in the same way",
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

  @Test("an origin has a hundred wrong passwords over all accounts, and one more each second")
  mutating func spraying() {
    door.origin = Origin("a")
    for number in 0..<100 { #expect(door.knockWrong("account \(number)") == .wrong) }
    #expect(door.knockWrong("another") == .wait(1))
    #expect(door.knockWrong("another", 2) == .wrong)
    // correct passwords of accounts that do not know this origin also wait, because the throttle cannot distinguish
    // them from wrong ones
    #expect(door.knock("right") == .wait(1))
    // another origin of the same user is not affected, and neither is a caller without an origin
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

  @Test("an empty or too long origin is invalid, origins are compared by bytes, and they do not affect the uid's waits")
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

  @Test("an attempt with an older clock reading moves nothing back")
  mutating func order() {
    for _ in 0..<4 { _ = door.knockWrong() }
    door.seconds += 1
    #expect(door.knock("a") == .wrong)
    door.seconds -= 1
    #expect(door.knockWrong() == .wait(2))
  }

  @Test("the throttle forgets everything about one account and nothing about another")
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
    // the formerly correct password is unknown now
    #expect(door.knock("right") == .wait(1))
  }

  @Test("a bucket has no debt, so a forced withdrawal from an empty bucket adds no wait")
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
