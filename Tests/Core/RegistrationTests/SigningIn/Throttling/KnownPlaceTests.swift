import TestDoubles
import Testing

@testable import Registration

/// What is guessed from a place that the owner has been at.
@Suite("A known place")
struct KnownPlaceTests {
  private var door = ThrottledDoor()
  private static let day = 24 * 60 * 60.0

  /// So many passwords that look wrong at the place: how many of them are compared.
  private mutating func guess(_ count: Int) -> Int {
    var compared = 0
    for _ in 0..<count where door.knockWrong() == .wrong { compared += 1 }
    return compared
  }

  /// As if the password were right here, though it was not compared: the 12 bits of its trace are.
  private mutating func looksRight(_ password: String) -> Bool {
    door.throttle.looksRight(door.attempt(password), at: door.now)
  }

  private mutating func isNews() -> Bool { door.throttle.isNews(door.attempt("right"), at: door.now) }

  @Test("past a thousand wrong passwords within a day it is a stranger's, refused ones counted, for a day")
  mutating func bound() {
    #expect(door.knock("right") == .right)
    // of the last eight, one in 8192 is taken for a repeat
    #expect(guess(990) == 4)
    #expect(door.knock("right") == .right)
    #expect(isNews() == false)
    #expect(guess(20) == 0)
    #expect(looksRight("right") == false)
    #expect(isNews() == true)
    #expect(isNews() == false, "once")
    // as a stranger it has a wait, which the right password does not pass
    #expect(door.knock("right") == .wait(1))
    door.seconds += 1
    #expect(door.knock("right") == .right)
    #expect(looksRight("right") == false, "a sign-in does not make it trusted")
    door.seconds += Self.day - 2
    #expect(looksRight("right") == false)
    door.seconds += 1
    #expect(looksRight("right") == true)
  }

  @Test("what the crowd has used up stands in its way then")
  mutating func stranger() {
    #expect(door.knock("right") == .right)
    for caller in 0..<120 as Range<UInt32> { _ = door.knockWrong("owner", 100 + caller) }
    #expect(door.knock("right") == .right)
    _ = guess(1020)
    door.seconds += 1
    // one guess each is let go where the ladder allows one
    #expect(door.knockWrong("owner", 300) == .wrong)
    #expect(door.knock("right") == .wait(2))
  }

  @Test("a forgotten account is forgiven, and so is the place of its owner")
  mutating func recovered() {
    #expect(door.knock("right") == .right)
    _ = guess(1020)
    door.throttle.forget(account: "owner")
    door.throttle.remember(door.attempt("right"), at: door.now)
    #expect(looksRight("right") == true)
    #expect(guess(1000) == 4)
    #expect(looksRight("right") == true)
  }

  @Test("a thousand in two days are no thousand in one")
  mutating func twoDays() {
    #expect(door.knock("right") == .right)
    for _ in 0..<6 {
      _ = guess(300)
      door.seconds += Self.day / 2.5
    }
    #expect(looksRight("right") == true)
    _ = guess(600)
    #expect(looksRight("right") == false)
  }

  @Test("a device that repeats old passwords for days is one mistake each, and does not bar the place")
  mutating func device() {
    #expect(door.knock("right") == .right)
    let old = (0..<3).map { _ in door.fresh() }
    for _ in 0..<3000 {
      for password in old { _ = door.knock(password) }
      door.seconds += 20
    }
    #expect(looksRight("right") == true)
  }

  @Test("where another account has the address by now, the place is no owner's after one wrong password")
  mutating func otherAccount() {
    let (old, new) = (Fixtures.account("a@example.com").account.id, Fixtures.account("b@example.com").account.id)
    #expect(old != new)
    door.throttle.remember(door.attempt("right"), of: old, at: door.now)
    let key = door.attempt("right").key
    #expect(door.throttle.isKnown(key, of: old) && !door.throttle.isKnown(key, of: new))
    for caller in 0..<101 as Range<UInt32> { _ = door.knockWrong("owner", 100 + caller) }
    var compared = 0
    for _ in 0..<4 {
      let attempt = door.attempt(door.fresh())
      guard door.admit(attempt) == .go else { continue }
      _ = door.throttle.ended(attempt, .wrong, of: new, at: door.now)
      compared += 1
    }
    #expect(compared == 1)
    #expect(!door.throttle.isKnown(key, of: old))
  }
}
