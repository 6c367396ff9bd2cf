import TestDoubles
import Testing

@testable import Registration

/// An open breaker, and the users that may probe the upstream.
@Suite("Probes of an upstream that is down")
struct UpstreamProbesTests {
  /// Opened by user 1; two seconds on, when all users may probe.
  private func open() -> BreakerBench {
    var bench = BreakerBench(failures: 1, first: .seconds(2), maximum: .seconds(60))
    #expect(bench.call(.failed(.offline)) == nil)
    #expect(bench.breaker.isOpenForAll)
    bench.now += .seconds(2)
    return bench
  }

  @Test("before the first pause is over no user probes")
  func firstPause() {
    var bench = open()
    bench.now -= .milliseconds(1)
    for uid in [1, 2] as [UInt32] { #expect(bench.call(.answered, by: .by(uid)) != nil) }
  }

  @Test("a user's probe that fails postpones its own next one, and no other user's")
  func own() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1)) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1)) == .unavailable(retryAfterSeconds: 4))
    #expect(bench.call(.failed(.failed), by: .by(2)) == nil)
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1)) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1)) == .unavailable(retryAfterSeconds: 8))
    #expect(bench.call(.failed(.failed), by: .by(2)) == nil)
    #expect(bench.call(.answered, by: .by(3)) == nil, "who comes for the first time")
    #expect(bench.breaker.isClosed)
  }

  @Test(
    "a user that asks all the time does not probe for others: a quiet user is let through when its own pause is over")
  func shouting() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(2, about: 9)) == nil)
    for step in 0..<400 {
      if step > 0 { bench.now += .milliseconds(10) }
      _ = bench.call(.failed(.failed), by: .by(1))
    }
    #expect(bench.call(.answered, by: .by(2, about: 9)) != nil)
    bench.now += .milliseconds(10)
    #expect(bench.call(.answered, by: .by(2, about: 9)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("at most one probe of a user is under way, and four of all")
  func underWay() throws {
    var bench = open()
    let probes = try (1...4).map { try bench.begin(.by($0)) }
    #expect(bench.breaker.state == .halfOpen)
    #expect(bench.call(.answered, by: .by(1, about: 5)) != nil)
    #expect(bench.call(.answered, by: .by(5)) != nil)
    bench.end(probes[0], .failed(.failed))
    #expect(try bench.begin(.by(5)) != probes[0])
    #expect(bench.call(.answered, by: .by(6)) != nil)
  }

  @Test("of those two at most are of users whose probes have failed: there is room for users that have not tried")
  func room() throws {
    var bench = open()
    for uid in 1...6 as ClosedRange<UInt32> { #expect(bench.call(.failed(.failed), by: .by(uid)) == nil) }
    bench.now += .seconds(4)
    for uid in 1...2 as ClosedRange<UInt32> { _ = try bench.begin(.by(uid)) }
    for uid in 3...6 as ClosedRange<UInt32> { #expect(bench.call(.answered, by: .by(uid)) != nil) }
    #expect(bench.call(.answered, by: .by(7)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("a success of any user's probe closes it for all, and probes that fail later do not open it again")
  func closes() throws {
    var bench = open()
    let (late, good) = (try bench.begin(.by(1)), try bench.begin(.by(2)))
    bench.end(good, .answered)
    #expect(bench.breaker.state == .closed(failures: 0))
    bench.end(late, .failed(.offline))
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("closed by a probe, one bad address does not open it again")
  func closedByProbe() {
    var bench = open()
    #expect(bench.call(.answered, by: .by(2, about: 9)) == nil)
    for _ in 0..<50 { #expect(bench.call(.failed(.failed), by: .by(1)) == nil) }
    #expect(bench.call(.answered, by: .by(2, about: 9)) == nil)
  }

  @Test("within a user, the address that failed last waits a pause longer where another is asked about")
  func addresses() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil)
    #expect(bench.call(.answered, by: .by(1, about: 2)) != nil, "the user's pause")
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == .unavailable(retryAfterSeconds: 4))
    #expect(bench.call(.answered, by: .by(1, about: 2)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("and so does the origin, whatever it asks about")
  func origins() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1, from: "loud")) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 2, from: "quiet")) != nil)
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 3, from: "loud")) != nil)
    #expect(bench.call(.answered, by: .by(1, about: 2, from: "quiet")) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("a user that waits a pause longer is let through then, though no other has come")
  func longer() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil)
    #expect(bench.call(.answered, by: .by(1, about: 2)) != nil)
    bench.now += .seconds(8)
    #expect(bench.call(.answered, by: .by(1, about: 1)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("regd itself chooses what it probes with, and waits no longer for that")
  func daemon() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: UpstreamQuestion(.daemon, subject: 1)) == nil)
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == .seconds(4))
    #expect(bench.call(.answered, by: UpstreamQuestion(.daemon, subject: 2)) != nil)
    bench.now += .seconds(4)
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == nil)
    #expect(bench.call(.answered, by: UpstreamQuestion(.daemon, subject: 1)) == nil)
  }

  @Test("a Retry-After holds for the user that has heard it")
  func retryAfter() {
    var bench = open()
    #expect(bench.call(.failed(.unavailable(retryAfterSeconds: 60)), by: .by(1)) == nil)
    #expect(bench.call(.answered, by: .by(1)) == .unavailable(retryAfterSeconds: 60))
    #expect(bench.call(.answered, by: .by(2)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("after an administrator's retry all users may probe, whatever has failed before")
  func probeNow() {
    var bench = open()
    #expect(bench.call(.failed(.unavailable(retryAfterSeconds: 60)), by: .by(2)) == nil)
    bench.breaker.probeNow(at: bench.now)
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == nil)
    for uid in 1...2 as ClosedRange<UInt32> { #expect(bench.call(.failed(.failed), by: .by(uid)) == nil) }
    #expect(bench.call(.answered, by: .by(2)) == .unavailable(retryAfterSeconds: 8), "each has one try for that")
  }

  @Test("what is remembered of users is bounded: the one that may probe first is forgotten first")
  func bounded() {
    var bench = open()
    for uid in 1...1024 as ClosedRange<UInt32> {
      #expect(bench.call(.failed(.failed), by: .by(uid)) == nil)
      bench.now += .microseconds(1)
    }
    #expect(bench.breaker.pause(of: Share(uid: 1), at: bench.now) != nil)
    #expect(bench.call(.failed(.failed), by: .by(2000)) == nil)
    #expect(bench.breaker.pause(of: Share(uid: 1), at: bench.now) == nil)
    #expect(bench.breaker.pause(of: Share(uid: 2), at: bench.now) != nil)
  }
}
