import TestDoubles
import Testing

@testable import Registration

@Suite("Sign-in throttle compared with a naive throttle")
struct SignInThrottleModelTests {
  @Test("on random days both throttles give the same verdicts", arguments: 1...6 as ClosedRange<UInt64>)
  func same(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var limits = SignInLimits()
    limits.failures = SignInRate(atOnce: 8, interval: 1000)
    limits.mistakes = SignInRate(atOnce: 1, interval: 20_000)
    var door = ThrottledDoor(limits, seed: seed)
    var naive = NaiveThrottle(limits)
    var flying: [NaiveThrottle.Try] = []
    // Few callers reach ladders and buckets. Many callers reach the strangers' ladder.
    let callers: UInt32 = seed.isMultiple(of: 2) ? 2 : 50
    // a caller that names origins has a bucket over all accounts
    door.origin = seed > 3 ? Origin("somebody") : nil
    for step in 0..<1500 {
      switch UInt8.random(in: 0..<100, using: &generator) {
      case 0..<55:
        let account = "account \(UInt8.random(in: 0..<2, using: &generator))"
        let caller = UInt32.random(in: 0..<callers, using: &generator)
        let password = "phrase \(UInt8.random(in: 0..<40, using: &generator))"
        let one = NaiveThrottle.Try(
          account: account, caller: caller, password: password, attempt: door.attempt(password, account, caller),
          hasOrigin: door.origin != nil)
        let verdict = door.admit(one.attempt)
        #expect(verdict == naive.admit(one), "step \(step)")
        if verdict == .go { flying.append(one) }
      case 55..<95:
        guard !flying.isEmpty else { break }
        let one = flying.remove(at: Int.random(in: 0..<flying.count, using: &generator))
        let isLost = UInt8.random(in: 0..<8, using: &generator) == 0
        let ending: SignInThrottle.Ending = isLost ? .unknown : one.password == "phrase 7" ? .right : .wrong
        door.end(one.attempt, ending)
        naive.ended(one, ending)
      default:
        let seconds = [1, 1, 2, 5, 30, 300, 900].randomElement(using: &generator) ?? 1
        door.seconds += Double(seconds)
        for _ in 0..<seconds { naive.tick() }
      }
    }
  }
}
