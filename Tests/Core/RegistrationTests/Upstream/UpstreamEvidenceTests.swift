import TestDoubles
import Testing

@testable import Registration

/// The evidence behind the upstream status that operators see.
@Suite("Evidence of upstream failures")
struct UpstreamEvidenceTests {
  /// Evidence, and a clock that tests set.
  private struct Bench {
    var evidence: UpstreamEvidence
    var now = ContinuousClock.now
    var isDown = false

    init(failures: Int) { evidence = UpstreamEvidence(needed: failures) }

    mutating func answered(_ question: UpstreamQuestion) { evidence.succeeded(question, at: now) }

    mutating func failed(_ failure: NetworkFailure, _ question: UpstreamQuestion = .by(1)) {
      if evidence.failed(question, failure, at: now) { isDown = true }
    }
  }

  private static let ofRequests: [NetworkFailure] = [
    .timeout, .emptyResponse, .malformedResponse, .failed, .unavailable(retryAfterSeconds: 9),
  ]

  @Test(
    "one address that always fails is not evidence while the upstream works for another user", arguments: ofRequests)
  func contradicted(_ failure: NetworkFailure) {
    var bench = Bench(failures: 3)
    bench.answered(.by(2, about: 7))
    for _ in 0..<100 { bench.failed(failure) }
    bench.now += .seconds(10)
    bench.failed(failure)
    #expect(!bench.isDown)
  }

  @Test("many failing addresses of one user are not evidence while the upstream works for another user")
  func manyAddresses() {
    var bench = Bench(failures: 3)
    bench.answered(.by(2, about: 7))
    for subject in 100..<200 as Range<UInt64> {
      bench.failed(.failed, .by(1, about: subject))
    }
    #expect(!bench.isDown)
  }

  @Test("a user's success is evidence for the upstream for ten seconds, or until that user's request fails")
  func until() {
    var late = Bench(failures: 3)
    late.answered(.by(2, about: 7))
    late.now += .milliseconds(10_001)
    for _ in 0..<3 { late.failed(.failed) }
    #expect(late.isDown)

    var itself = Bench(failures: 3)
    itself.answered(.by(2, about: 7))
    for _ in 0..<9 { itself.failed(.failed) }
    #expect(!itself.isDown)
    itself.failed(.failed, .by(2, about: 7))
    #expect(itself.isDown)
  }

  @Test("while another address works, each failing address counts once, also for a single user")
  func once() {
    var bench = Bench(failures: 3)
    bench.answered(.by(1, about: 7))
    for _ in 0..<100 { bench.failed(.failed, .by(1, about: 1)) }
    for _ in 0..<100 { bench.failed(.failed, .by(1, about: 2)) }
    bench.failed(.failed, .by(1, about: 3))
    #expect(bench.isDown, "three addresses failed, and no address works")
  }

  @Test("at least two addresses must fail, even if one failure is configured as enough")
  func least() {
    var bench = Bench(failures: 1)
    bench.answered(.by(1, about: 7))
    for _ in 0..<9 { bench.failed(.failed, .by(1, about: 1)) }
    bench.failed(.failed, .by(1, about: 2))
    #expect(bench.isDown)
  }

  @Test("an address that worked and then fails does not contradict its own failures")
  func worked() {
    var bench = Bench(failures: 3)
    bench.answered(.by(1, about: 7))
    for _ in 0..<3 { bench.failed(.failed, .by(1, about: 7)) }
    #expect(bench.isDown)
  }

  @Test(
    "a failed connection counts for all users, and each failure counts",
    arguments: [NetworkFailure.offline, .untrusted])
  func connection(_ failure: NetworkFailure) {
    var bench = Bench(failures: 3)
    bench.answered(.by(2, about: 7))
    for _ in 0..<3 { bench.failed(failure) }
    #expect(bench.isDown)
  }

  @Test("one failed connection does not make a user's other failures count")
  func mixed() {
    var bench = Bench(failures: 3)
    bench.answered(.by(2, about: 7))
    bench.failed(.offline)
    for _ in 0..<9 { bench.failed(.failed) }
    #expect(!bench.isDown)
  }
}
