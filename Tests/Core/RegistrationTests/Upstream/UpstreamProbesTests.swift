import TestDoubles
import Testing

@testable import Registration

/// An open breaker, and the users that may probe the upstream.
@Suite("Probes of an upstream that is down")
struct UpstreamProbesTests {
  /// A breaker that user 1 opened two seconds ago, so that all users may probe.
  private func open() -> BreakerBench {
    var bench = BreakerBench(failures: 1, first: .seconds(2), maximum: .seconds(60))
    #expect(bench.call(.failed(.offline)) == nil)
    #expect(bench.breaker.isOpenForAll)
    bench.now += .seconds(2)
    return bench
  }

  @Test("no user may probe before the first pause ends")
  func firstPause() {
    var bench = open()
    bench.now -= .milliseconds(1)
    for uid in [1, 2] as [UInt32] { #expect(bench.call(.answered, by: .by(uid)) != nil) }
  }

  @Test("a user's failed probe delays that user's next probe, but no other user's")
  func own() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1)) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1)) == .unavailable(retryAfterSeconds: 4))
    #expect(bench.call(.failed(.failed), by: .by(2)) == nil)
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1)) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1)) == .unavailable(retryAfterSeconds: 8))
    #expect(bench.call(.failed(.failed), by: .by(2)) == nil)
    #expect(bench.call(.answered, by: .by(3)) == nil, "a user's first request")
    #expect(bench.breaker.isClosed)
  }

  @Test(
    "a user that asks constantly does not delay a quiet user, which may probe after its own pause")
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

  @Test("each user has at most one probe in progress, and all users together have four")
  func inFlight() throws {
    var bench = open()
    let probes = try (1...4).map { try bench.begin(.by($0)) }
    #expect(bench.breaker.state == .halfOpen)
    #expect(bench.call(.answered, by: .by(1, about: 5)) != nil)
    #expect(bench.call(.answered, by: .by(5)) != nil)
    bench.end(probes[0], .failed(.failed))
    #expect(try bench.begin(.by(5)) != probes[0])
    #expect(bench.call(.answered, by: .by(6)) != nil)
  }

  @Test("at most two of the four probes belong to users whose probes have failed, so that new users can probe")
  func room() throws {
    var bench = open()
    for uid in 1...6 as ClosedRange<UInt32> { #expect(bench.call(.failed(.failed), by: .by(uid)) == nil) }
    bench.now += .seconds(4)
    for uid in 1...2 as ClosedRange<UInt32> { _ = try bench.begin(.by(uid)) }
    for uid in 3...6 as ClosedRange<UInt32> { #expect(bench.call(.answered, by: .by(uid)) != nil) }
    #expect(bench.call(.answered, by: .by(7)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("any user's successful probe closes the breaker for all, and probes that fail later do not open it")
  func closes() throws {
    var bench = open()
    let (late, good) = (try bench.begin(.by(1)), try bench.begin(.by(2)))
    bench.end(good, .answered)
    #expect(bench.breaker.state == .closed(failures: 0))
    bench.end(late, .failed(.offline))
    #expect(bench.breaker.state == .closed(failures: 0))
  }

  @Test("after a probe has closed the breaker, one bad address does not open it again")
  func closedByProbe() {
    var bench = open()
    #expect(bench.call(.answered, by: .by(2, about: 9)) == nil)
    for _ in 0..<50 { #expect(bench.call(.failed(.failed), by: .by(1)) == nil) }
    #expect(bench.call(.answered, by: .by(2, about: 9)) == nil)
  }

  @Test("within a user, the address that failed last waits one pause longer if another address is asked about")
  func addresses() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil)
    #expect(bench.call(.answered, by: .by(1, about: 2)) != nil, "the user's pause")
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == .unavailable(retryAfterSeconds: 4))
    #expect(bench.call(.answered, by: .by(1, about: 2)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("within a user, the origin that failed last waits one pause longer, whatever it asks about")
  func origins() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1, from: "loud")) == nil)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 2, from: "quiet")) != nil)
    bench.now += .seconds(4)
    #expect(bench.call(.failed(.failed), by: .by(1, about: 3, from: "loud")) != nil)
    #expect(bench.call(.answered, by: .by(1, about: 2, from: "quiet")) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("a user that waits one pause longer may probe afterwards, even if no other request has come")
  func longer() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: .by(1, about: 1)) == nil)
    #expect(bench.call(.answered, by: .by(1, about: 2)) != nil)
    bench.now += .seconds(8)
    #expect(bench.call(.answered, by: .by(1, about: 1)) == nil)
    #expect(bench.breaker.isClosed)
  }

  @Test("regd itself chooses the subject of its probes, so it does not wait one pause longer")
  func daemon() {
    var bench = open()
    #expect(bench.call(.failed(.failed), by: UpstreamQuestion(.daemon, subject: 1)) == nil)
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == .seconds(4))
    #expect(bench.call(.answered, by: UpstreamQuestion(.daemon, subject: 2)) != nil)
    bench.now += .seconds(4)
    #expect(bench.breaker.pause(of: .daemon, at: bench.now) == nil)
    #expect(bench.call(.answered, by: UpstreamQuestion(.daemon, subject: 1)) == nil)
  }

  @Test("a Retry-After applies only to the user that received it")
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
    #expect(bench.call(.answered, by: .by(2)) == .unavailable(retryAfterSeconds: 8), "each user has one try")
  }

  @Test("the memory of users is bounded, and the user that may probe first is forgotten first")
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
