import TestDoubles
import Testing

@testable import Registration

/// Guesses from a client that the owner has used.
@Suite("A known client")
struct KnownClientTests {
  private var door = ThrottledDoor()
  private static let day = 24 * 60 * 60.0

  /// Tries this many passwords that look wrong for the client, and returns how many of them are compared.
  private mutating func guess(_ count: Int) -> Int {
    var compared = 0
    for _ in 0..<count where door.knockWrong() == .wrong { compared += 1 }
    return compared
  }

  /// Whether the password looks right for the client, by the 12 bits of its trace and without a comparison.
  private mutating func looksRight(_ password: String) -> Bool {
    door.throttle.looksRight(door.attempt(password), at: door.now)
  }

  private mutating func isNews() -> Bool { door.throttle.isNews(door.attempt("right"), at: door.now) }

  @Test("after a thousand wrong passwords within a day, refused ones included, a client counts as a stranger for a day")
  mutating func bound() {
    #expect(door.knock("right") == .right)
    // one password in 8192 is mistaken for a repeat of one of the last eight
    #expect(guess(990) == 4)
    #expect(door.knock("right") == .right)
    #expect(isNews() == false)
    #expect(guess(20) == 0)
    #expect(looksRight("right") == false)
    #expect(isNews() == true)
    #expect(isNews() == false, "once")
    // as a stranger, the client has to wait even with the correct password
    #expect(door.knock("right") == .wait(1))
    door.seconds += 1
    #expect(door.knock("right") == .right)
    #expect(looksRight("right") == false, "a sign-in does not make the client trusted")
    door.seconds += Self.day - 2
    #expect(looksRight("right") == false)
    door.seconds += 1
    #expect(looksRight("right") == true)
  }

  @Test("a client that counts as a stranger waits when other strangers have used up their quota")
  mutating func stranger() {
    #expect(door.knock("right") == .right)
    for caller in 0..<120 as Range<UInt32> { _ = door.knockWrong("owner", 100 + caller) }
    #expect(door.knock("right") == .right)
    _ = guess(1020)
    door.seconds += 1
    // each client may guess once when the ladder allows a guess
    #expect(door.knockWrong("owner", 300) == .wrong)
    #expect(door.knock("right") == .wait(2))
  }

  @Test("after an account is forgotten, its guesses are forgiven and its owner's client is trusted again")
  mutating func recovered() {
    #expect(door.knock("right") == .right)
    _ = guess(1020)
    door.throttle.forget(account: "owner")
    door.throttle.remember(door.attempt("right"), at: door.now)
    #expect(looksRight("right") == true)
    #expect(guess(1000) == 4)
    #expect(looksRight("right") == true)
  }

  @Test("a thousand wrong passwords in two days do not bar a client")
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

  @Test("old passwords that a device repeats for days count once each and do not bar the client")
  mutating func device() {
    #expect(door.knock("right") == .right)
    let old = (0..<3).map { _ in door.fresh() }
    for _ in 0..<3000 {
      for password in old { _ = door.knock(password) }
      door.seconds += 20
    }
    #expect(looksRight("right") == true)
  }

  @Test("if another account has the address now, the client is no longer known after one wrong password")
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
