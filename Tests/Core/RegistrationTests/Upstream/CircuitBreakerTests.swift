import Registration
import Testing

@Suite("The circuit breaker")
struct CircuitBreakerTests {
  private typealias Bench = BreakerBench

  private static let failures: [NetworkFailure] = [
    .offline, .unavailable(retryAfterSeconds: nil), .timeout, .emptyResponse, .malformedResponse, .untrusted, .failed,
  ]

  @Test(
    "the breaker opens after the set number of failures in a row, and then does not ask the upstream",
    arguments: failures)
  func opens(_ failure: NetworkFailure) {
    var bench = Bench()
    for number in 0..<3 {
      #expect(bench.breaker.state == .closed(failures: number))
      #expect(bench.call(.failed(failure)) == nil)
    }
    #expect(bench.breaker.state == .open(until: bench.now + .seconds(2)))
    let told = bench.call(.answered)
    #expect(told != nil)
    #expect(told?.mayHaveActed == false, "nothing was sent")
  }

  @Test("an answer in between resets the count")
  func resets() {
    var bench = Bench()
    for _ in 0..<10 {
      #expect(bench.call(.failed(.offline)) == nil)
      #expect(bench.call(.failed(.offline)) == nil)
      #expect(bench.call(.answered) == nil)
    }
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("a caller that left does not count for the breaker")
  func unknown() {
    var bench = Bench(failures: 2)
    _ = bench.call(.failed(.offline))
    _ = bench.call(.unknown)
    #expect(bench.breaker.state == .closed(failures: 1))
    _ = bench.call(.failed(.offline))
    #expect(!bench.breaker.state.isClosed)
  }

  @Test("the breaker repeats offline and untrusted, and returns other failures as unavailable with the wait")
  func memory() {
    for failure in Self.failures {
      var bench = Bench(failures: 2)
      for _ in 0..<2 { _ = bench.call(.failed(failure)) }
      bench.now += .milliseconds(500)
      let expected: NetworkFailure =
        failure == .offline || failure == .untrusted ? failure : .unavailable(retryAfterSeconds: 2)
      #expect(bench.call(.answered) == expected)
      bench.now += .milliseconds(600)
      if expected != failure { #expect(bench.call(.answered) == .unavailable(retryAfterSeconds: 1)) }
    }
  }

  @Test("after the pause one request is let through, and others are refused until that request ends")
  func halfOpen() throws {
    var bench = Bench(failures: 1)
    _ = bench.call(.failed(.offline))
    bench.now += .milliseconds(1999)
    #expect(bench.call(.answered) == .offline)
    bench.now += .milliseconds(1)
    let probe = try bench.begin()
    #expect(bench.breaker.state == .halfOpen)
    for _ in 0..<3 { #expect(bench.call(.answered) == .offline) }
    bench.breaker.ended(probe, .answered, at: bench.now, dice: 0)
    #expect(bench.breaker.state == .closed(failures: 0))
    #expect(bench.call(.answered) == nil)
  }

  @Test("each failed probe doubles the pause up to the maximum, and a success resets the pause")
  func grows() {
    var bench = Bench(failures: 1)
    _ = bench.call(.failed(.offline))
    for seconds in [2, 4, 8, 10, 10] {
      #expect(bench.breaker.state == .open(until: bench.now + .seconds(seconds)))
      bench.now += .seconds(seconds)
      #expect(bench.call(.failed(.offline)) == nil)
    }
    bench.now += .seconds(10)
    #expect(bench.call(.answered) == nil)
    _ = bench.call(.failed(.offline))
    #expect(bench.breaker.state == .open(until: bench.now + .seconds(2)))
  }

  @Test("jitter shortens a pause by up to half", arguments: [(0.0, 2000), (0.5, 1500), (1.0, 1000)])
  func jitter(_ dice: Double, _ milliseconds: Int) {
    var bench = Bench(failures: 1)
    _ = bench.call(.failed(.offline), dice: dice)
    #expect(bench.breaker.state == .open(until: bench.now + .milliseconds(milliseconds)))
  }

  @Test(
    "the breaker follows an upstream's Retry-After within the limits of its own pauses",
    arguments: [(7, 7), (1, 2), (100_000, 10)])
  func retryAfter(_ asked: Int, _ kept: Int) {
    var bench = Bench(failures: 2)
    for _ in 0..<2 { _ = bench.call(.failed(.unavailable(retryAfterSeconds: asked)), dice: 0) }
    #expect(bench.breaker.state == .open(until: bench.now + .seconds(kept)))
    #expect(bench.call(.answered) == .unavailable(retryAfterSeconds: kept))
  }

  @Test("after a cancelled probe the next request may probe")
  func probeGone() throws {
    var bench = Bench(failures: 1)
    _ = bench.call(.failed(.offline))
    bench.now += .seconds(2)
    let probe = try bench.begin()
    bench.breaker.ended(probe, .unknown, at: bench.now, dice: 0)
    #expect(bench.call(.answered) == nil)
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("a request that began before the breaker opened neither closes the breaker nor counts afterwards")
  func late() throws {
    var bench = Bench(failures: 1)
    let (slow, slower) = (try bench.begin(), try bench.begin())
    _ = bench.call(.failed(.offline))
    let state = bench.breaker.state
    bench.breaker.ended(slow, .answered, at: bench.now, dice: 0)
    #expect(bench.breaker.state == state)
    bench.now += .seconds(2)
    let probe = try bench.begin()
    bench.breaker.ended(slower, .answered, at: bench.now, dice: 0)
    #expect(bench.breaker.state == .halfOpen)
    bench.breaker.ended(probe, .answered, at: bench.now, dice: 0)
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("an administrator's retry lets the next request through")
  func probeNow() {
    var bench = Bench(failures: 2)
    for _ in 0..<2 { _ = bench.call(.failed(.unavailable(retryAfterSeconds: 300))) }
    #expect(!bench.breaker.isClosed)
    bench.breaker.probeNow(at: bench.now)
    #expect(bench.call(.answered) == nil)
    #expect(bench.breaker.state == .closed(failures: 0))
  }
}
