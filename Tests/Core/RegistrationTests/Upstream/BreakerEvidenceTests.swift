import TestDoubles
import Testing

@testable import Registration

/// The failures that open the breaker, for whom they open it, and the failures that do not open it.
@Suite("Evidence that opens the breaker")
struct BreakerEvidenceTests {
  static let ofRequests: [NetworkFailure] = [
    .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable(retryAfterSeconds: 9),
  ]

  @Test(
    "one address at which the upstream always fails blocks no user, even without other evidence",
    arguments: ofRequests, [1, 5])
  func oneAddress(_ failure: NetworkFailure, _ needed: Int) {
    var bench = BreakerBench(failures: needed)
    for _ in 0..<1000 { #expect(bench.call(.failed(failure), by: .by(1, about: 7)) == nil) }
    #expect(bench.breaker.isClosed)
    #expect(bench.call(.answered, by: .by(2)) == nil)
  }

  @Test("many failing addresses of one user block that user, but no request of another user", arguments: ofRequests)
  func oneUser(_ failure: NetworkFailure) throws {
    var bench = BreakerBench(failures: 3)
    for _ in 0..<100 { _ = bench.call(.failed(failure)) }
    #expect(bench.breaker.heldUsers == [1])
    #expect(!bench.breaker.isOpenForAll)
    #expect(bench.call(.answered)?.mayHaveActed == false, "from memory")
    // all at once, and not as single probes
    let begun = try (0..<50).map { try bench.begin(.by(2, about: $0)) }
    bench.end(begun[0], .failed(failure))
    #expect(bench.call(.failed(failure), by: .by(2, about: 1)) == nil)
    #expect(bench.call(.failed(failure), by: UpstreamQuestion(.daemon, subject: 1)) == nil)
    #expect(bench.breaker.heldUsers == [1])
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == nil)
  }

  @Test("any user's success closes the breaker for all, and requests that began earlier do not affect it")
  func closes() throws {
    var bench = BreakerBench(failures: 2)
    let late = try bench.begin()
    for _ in 0..<2 { _ = bench.call(.failed(.failed)) }
    #expect(bench.breaker.heldUsers == [1])
    bench.end(late, .answered)
    #expect(bench.breaker.heldUsers == [1], "the request began before")
    bench.now += .seconds(2)
    let probe = try bench.begin()
    #expect(bench.breaker.state == .halfOpen)
    #expect(bench.call(.answered, by: .by(2)) == nil)
    #expect(bench.breaker.state == .closed(failures: 0))
    #expect(bench.breaker.recoveries == 1)
    bench.end(probe, .failed(.failed))
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("a failed connection or a wrong certificate affects all users, even while one user is blocked")
  func connection() {
    var bench = BreakerBench(failures: 3)
    for _ in 0..<3 { _ = bench.call(.failed(.failed)) }
    #expect(bench.breaker.heldUsers == [1])
    for _ in 0..<3 { #expect(bench.call(.failed(.untrusted), by: .by(2)) == nil) }
    #expect(bench.breaker.isOpenForAll)
    #expect(bench.breaker.heldUsers.isEmpty)
    for uid in 1...3 as ClosedRange<UInt32> { #expect(bench.call(.answered, by: .by(uid)) == .untrusted) }
  }

  // MARK: Origins

  @Test("one origin with many failing addresses does not block other origins of its user", arguments: ofRequests)
  func oneOrigin(_ failure: NetworkFailure) {
    var bench = BreakerBench(failures: 3)
    for subject in 0..<100 as Range<UInt64> {
      #expect(bench.call(.failed(failure), by: .by(1, about: subject, from: "loud")) == nil)
    }
    #expect(bench.call(.answered, by: .by(1, about: 200, from: "quiet")) == nil)
    #expect(bench.call(.answered, by: .by(1, about: 201)) == nil)
  }

  @Test(
    "many origins with failing addresses block no user",
    arguments: [NetworkFailure.failed, .malformedResponse, .emptyResponse])
  func crowd(_ failure: NetworkFailure) {
    var bench = BreakerBench(failures: 3)
    for number in 0..<10_000 as Range<UInt64> {
      #expect(bench.call(.failed(failure), by: .by(1, about: number, from: "\(number)")) == nil)
    }
    #expect(bench.call(.answered, by: .by(1, about: 20_000, from: "owner")) == nil)
  }

  @Test(
    "if many origins of a user find the upstream slow or unavailable, only that user is blocked",
    arguments: [NetworkFailure.timeout, .unavailable(retryAfterSeconds: nil)])
  func slow(_ failure: NetworkFailure) {
    var bench = BreakerBench(failures: 3)
    for number in 0..<3 as Range<UInt64> {
      #expect(bench.call(.failed(failure), by: .by(1, about: number, from: "\(number)")) == nil)
    }
    #expect(bench.breaker.heldUsers == [1])
    #expect(bench.call(.answered, by: .by(2)) == nil)
  }

  // MARK: Contradicting evidence

  @Test("an address that works is evidence for the upstream for ten seconds, or until that address fails")
  func until() {
    var late = BreakerBench(failures: 3)
    _ = late.call(.answered, by: .by(2, about: 7))
    for _ in 0..<9 { #expect(late.call(.failed(.failed)) == nil) }
    late.now += .milliseconds(10_001)
    #expect(late.call(.failed(.failed)) == nil)
    #expect(late.breaker.heldUsers == [1])

    var itself = BreakerBench(failures: 3)
    _ = itself.call(.answered, by: .by(1, about: 7))
    for _ in 0..<9 { #expect(itself.call(.failed(.failed)) == nil) }
    #expect(itself.breaker.isClosed)
    _ = itself.call(.failed(.failed), by: .by(1, about: 7))
    #expect(itself.breaker.heldUsers == [1])
  }

  @Test("the memory of users is bounded, and no user is forgotten in favour of another")
  func bounded() {
    var bench = BreakerBench(failures: 2)
    for uid in 1...1025 as ClosedRange<UInt32> {
      for subject in 1...2 as ClosedRange<UInt64> {
        #expect(bench.call(.failed(.failed), by: .by(uid, about: subject)) == nil)
      }
    }
    #expect(bench.breaker.heldUsers == Array(1...1024))
  }

  @Test("surplus successes are forgotten, the oldest first")
  func successes() {
    var successes = RecentSuccesses<Int>(capacity: 2)
    let now = ContinuousClock.now
    for key in 1...3 { successes.succeeded(key, at: now + .milliseconds(key)) }
    for key in 2...3 {
      #expect(successes.areAny(at: now))
      successes.failed(key)
    }
    #expect(!successes.areAny(at: now))
  }

  // MARK: Random runs

  @Test("no failures of one user block another user, whoever succeeds and when", arguments: 0..<50)
  func nobodyElse(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var bench = BreakerBench(failures: Int.random(in: 1...5, using: &dice))
    let addresses = UInt64.random(in: 1...9, using: &dice)
    for _ in 0..<2000 {
      bench.now += .milliseconds(Int.random(in: 0...300, using: &dice))
      if Int.random(in: 0..<50, using: &dice) == 0 {
        #expect(bench.call(.answered, by: .by(2, about: UInt64.random(in: 50...60, using: &dice))) == nil)
      }
      let failure = Self.ofRequests.randomElement(using: &dice) ?? .failed
      _ = bench.call(.failed(failure), by: .by(1, about: UInt64.random(in: 0..<addresses, using: &dice)))
      #expect(!bench.breaker.isOpenForAll)
    }
  }

  @Test(
    "ten seconds after the last success, each user is blocked after the set number of failing addresses",
    arguments: 0..<50)
  func opens(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let needed = Int.random(in: 1...9, using: &dice)
    var bench = BreakerBench(failures: needed)
    let users = UInt32.random(in: 1...50, using: &dice)
    for _ in 0..<200 {
      bench.now += .milliseconds(Int.random(in: 0...100, using: &dice))
      let question = UpstreamQuestion.by(
        UInt32.random(in: 0..<users, using: &dice), about: UInt64.random(in: 0..<50, using: &dice))
      _ = bench.call(Bool.random(using: &dice) ? .answered : .failed(.failed), by: question)
    }
    bench.now += .milliseconds(10_001)
    for uid in 0..<users {
      var asked = 0
      while !bench.breaker.heldUsers.contains(uid), asked <= max(2, needed) {
        _ = bench.call(.failed(.timeout), by: .by(uid, about: UInt64(100 + asked)))
        asked += 1
      }
      #expect(asked <= max(2, needed))
    }
    #expect(bench.breaker.heldUsers == Array(0..<users))
  }
}
