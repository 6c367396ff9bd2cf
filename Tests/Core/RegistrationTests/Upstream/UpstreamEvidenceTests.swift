import TestKit
import Testing

@testable import Registration

/// What opens the breaker, and what does not.
@Suite("What failures say of the upstream")
struct UpstreamEvidenceTests {
  private static let ofRequests: [NetworkFailure] = [
    .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable(retryAfterSeconds: 9),
  ]

  @Test("one address that always fails says nothing while the upstream works for another user", arguments: ofRequests)
  func contradicted(_ failure: NetworkFailure) {
    var bench = BreakerBench(failures: 3)
    #expect(bench.call(.answered, by: .by(2, about: 7)) == nil)
    for _ in 0..<100 { #expect(bench.call(.failed(failure)) == nil) }
    bench.now += .seconds(10)
    #expect(bench.call(.failed(failure)) == nil)
    #expect(bench.call(.answered, by: .by(2, about: 7)) == nil)
  }

  @Test("nor do many addresses of one user")
  func manyAddresses() {
    var bench = BreakerBench(failures: 3)
    _ = bench.call(.answered, by: .by(2, about: 7))
    for subject in 100..<200 as Range<UInt64> {
      #expect(bench.call(.failed(.failed), by: .by(1, about: subject)) == nil)
    }
  }

  @Test("a user's success speaks for the upstream for ten seconds, and only until that user's request fails")
  func until() {
    var late = BreakerBench(failures: 3)
    _ = late.call(.answered, by: .by(2, about: 7))
    late.now += .milliseconds(10_001)
    for _ in 0..<3 { #expect(late.call(.failed(.failed)) == nil) }
    #expect(!late.breaker.isClosed)

    var itself = BreakerBench(failures: 3)
    _ = itself.call(.answered, by: .by(2, about: 7))
    for _ in 0..<9 { _ = itself.call(.failed(.failed)) }
    #expect(itself.breaker.isClosed)
    _ = itself.call(.failed(.failed), by: .by(2, about: 7))
    #expect(!itself.breaker.isClosed)
  }

  @Test("one address counts once while another works, also of a single user")
  func once() {
    var bench = BreakerBench(failures: 3)
    _ = bench.call(.answered, by: .by(1, about: 7))
    for _ in 0..<100 { #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil) }
    for _ in 0..<100 { #expect(bench.call(.failed(.failed), by: .by(1, about: 2)) == nil) }
    #expect(bench.call(.failed(.failed), by: .by(1, about: 3)) == nil)
    #expect(!bench.breaker.isClosed, "three addresses, and nobody for whom it works")
  }

  @Test("two addresses are the least, however few failures open it")
  func least() {
    var bench = BreakerBench(failures: 1)
    _ = bench.call(.answered, by: .by(1, about: 7))
    for _ in 0..<9 { #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil) }
    _ = bench.call(.failed(.failed), by: .by(1, about: 2))
    #expect(!bench.breaker.isClosed)
  }

  @Test("an address that worked, and then fails, is no other address")
  func worked() {
    var bench = BreakerBench(failures: 3)
    _ = bench.call(.answered, by: .by(1, about: 7))
    for _ in 0..<3 { #expect(bench.call(.failed(.failed), by: .by(1, about: 7)) == nil) }
    #expect(!bench.breaker.isClosed)
  }

  @Test(
    "an upstream that does not answer fails for all, and each failure counts",
    arguments: [NetworkFailure.offline, .untrusted])
  func connection(_ failure: NetworkFailure) {
    var bench = BreakerBench(failures: 3)
    _ = bench.call(.answered, by: .by(2, about: 7))
    for _ in 0..<3 { #expect(bench.call(.failed(failure)) == nil) }
    #expect(bench.call(.answered, by: .by(2, about: 7)) == failure)
  }

  @Test("one of those does not make a user's others count")
  func mixed() {
    var bench = BreakerBench(failures: 3)
    _ = bench.call(.answered, by: .by(2, about: 7))
    _ = bench.call(.failed(.offline))
    for _ in 0..<9 { #expect(bench.call(.failed(.failed)) == nil) }
    #expect(bench.breaker.isClosed)
  }

  @Test("a user is forgotten for a later one where there are too many, and what is remembered is bounded")
  func bounded() {
    var successes = RecentSuccesses<Int>(capacity: 2)
    let now = ContinuousClock.now
    for key in 1...3 { successes.succeeded(key, at: now + .milliseconds(key)) }
    for key in 2...3 {
      #expect(successes.areAny(at: now))
      successes.failed(key)
    }
    #expect(!successes.areAny(at: now))
  }

  // MARK: Whatever happens

  @Test(
    "no failures of one user open it while the upstream works for another user, which asks every ten seconds",
    arguments: 0..<50)
  func neverOpens(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var bench = BreakerBench(failures: Int.random(in: 1...5, using: &dice))
    let addresses = UInt64.random(in: 1...9, using: &dice)
    var worked = bench.now
    #expect(bench.call(.answered, by: .by(2, about: 50)) == nil)
    for _ in 0..<2000 {
      bench.now += .milliseconds(Int.random(in: 0...300, using: &dice))
      if bench.now - worked >= .milliseconds(9700) {
        worked = bench.now
        #expect(bench.call(.answered, by: .by(2, about: UInt64.random(in: 50...60, using: &dice))) == nil)
      }
      let failure = Self.ofRequests.randomElement(using: &dice) ?? .failed
      _ = bench.call(.failed(failure), by: .by(1, about: UInt64.random(in: 0..<addresses, using: &dice)))
      #expect(bench.breaker.isClosed)
    }
  }

  @Test(
    "when the upstream works for no user any more the breaker is open ten seconds later, whichever users ask about whichever addresses",
    arguments: 0..<50)
  func opens(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let needed = Int.random(in: 1...9, using: &dice)
    var bench = BreakerBench(failures: needed)
    let (users, addresses) = (UInt32.random(in: 1...50, using: &dice), UInt64.random(in: 1...50, using: &dice))
    func anybody(_ dice: inout SeededGenerator) -> UpstreamQuestion {
      .by(UInt32.random(in: 0..<users, using: &dice), about: UInt64.random(in: 0..<addresses, using: &dice))
    }
    for _ in 0..<200 {
      bench.now += .milliseconds(Int.random(in: 0...100, using: &dice))
      _ = bench.call(Bool.random(using: &dice) ? .answered : .failed(.failed), by: anybody(&dice))
    }
    if !bench.breaker.isClosed { bench = BreakerBench(failures: needed) }
    _ = bench.call(.answered, by: anybody(&dice))
    for _ in 0..<Int.random(in: 0...30, using: &dice) { _ = bench.call(.failed(.failed), by: anybody(&dice)) }
    bench.now += .milliseconds(10_001)
    var asked = 0
    while bench.breaker.isClosed, asked <= needed {
      _ = bench.call(.failed(.timeout), by: anybody(&dice))
      asked += 1
    }
    #expect(!bench.breaker.isClosed, "\(asked) calls")
    #expect(asked <= needed)
  }
}
