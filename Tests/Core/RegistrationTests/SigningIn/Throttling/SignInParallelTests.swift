import Testing

@testable import Registration

@Suite("Parallel sign-ins")
struct SignInParallelTests {
  private var door = ThrottledDoor()

  @Test("of a thousand simultaneous wrong passwords four are hashed, because passwords in flight count as failed")
  mutating func thousand() {
    var flying: [SignInAttempt] = []
    for _ in 0..<1000 {
      let attempt = door.attempt(door.fresh())
      if door.admit(attempt) == .go { flying.append(attempt) }
    }
    #expect(flying.count == 4)
    for attempt in flying { door.end(attempt, .wrong) }
    #expect(door.knockWrong() == .wait(1))
    door.seconds += 1
    // after the free guesses, one after the other
    let next = door.attempt(door.fresh())
    #expect(door.admit(next) == .go)
    #expect(door.admit(door.attempt(door.fresh())) == .wait(seconds: 2))
    door.end(next, .wrong)
    #expect(door.knockWrong() == .wait(2))
  }

  @Test("the correct password from many connections is always accepted, at any height of the ladder")
  mutating func honest() {
    for _ in 0..<5 {
      _ = door.knockWrong()
      door.seconds += 4
    }
    let attempt = door.attempt("right")
    for _ in 0..<500 { #expect(door.admit(attempt) == .go) }
    for _ in 0..<500 { door.end(attempt, .right) }
    // these did not count
    #expect(door.knockWrong() == .wrong)
    #expect(door.knockWrong() == .wait(4))
  }

  @Test("the same wrong password from many connections counts as one failure")
  mutating func together() {
    let attempt = door.attempt("wrong")
    for _ in 0..<50 { #expect(door.admit(attempt) == .go) }
    for _ in 0..<50 { door.end(attempt, .wrong) }
    for _ in 0..<3 { #expect(door.knockWrong() == .wrong) }
    #expect(door.knockWrong() == .wait(1))
  }

  @Test("an attempt that was not hashed leaves nothing behind, at the account or with the caller")
  mutating func abandoned() {
    for _ in 0..<500 {
      let attempts = (0..<4).map { _ in door.attempt(door.fresh()) }
      for attempt in attempts + attempts { #expect(door.admit(attempt) == .go) }
      // half of the attempts: the passwords are still in flight
      for attempt in attempts { door.end(attempt, .unknown) }
      #expect(door.admit(door.attempt(door.fresh())) == .wait(seconds: 1))
      for attempt in attempts { door.end(attempt, .unknown) }
    }
    door.origin = Origin("somebody")
    for number in 0..<100 { #expect(door.knockWrong("account \(number)") == .wrong) }
    #expect(door.knockWrong() == .wait(1))
  }

  @Test("an origin's hundred guesses include passwords in flight at any account, and correct ones are given back")
  mutating func spraying() {
    door.origin = Origin("somebody")
    let attempts = (0..<100).map { door.attempt("phrase", "account \($0)") }
    for attempt in attempts { #expect(door.admit(attempt) == .go) }
    #expect(door.admit(door.attempt("phrase", "one more")) == .wait(seconds: 1))
    for attempt in attempts { door.end(attempt, .right) }
    for attempt in attempts { #expect(door.admit(attempt) == .go) }
    #expect(door.admit(door.attempt("phrase", "one more")) == .go)
  }

  @Test("many simultaneous users share the strangers' quota")
  mutating func crowd() {
    var count = 0
    for caller in 0..<500 as Range<UInt32> where door.admit(door.attempt(door.fresh(), "owner", caller)) == .go {
      count += 1
    }
    #expect(count == 101)
  }

  @Test("attempts that strangers give up do not count and cause no wait")
  mutating func crowdGivesUp() {
    for caller in 0..<300 as Range<UInt32> {
      let attempt = door.attempt(door.fresh(), "owner", caller)
      #expect(door.admit(attempt) == .go)
      door.end(attempt, .unknown)
    }
    let attempts = (0..<101 as Range<UInt32>).map { door.attempt("phrase", "owner", $0) }
    for attempt in attempts { #expect(door.admit(attempt) == .go) }
    #expect(door.knockWrong("owner", 1000) == .wait(1))
    for attempt in attempts { door.end(attempt, .unknown) }
    #expect(door.knockWrong("owner", 1000) == .wrong)
  }
}
