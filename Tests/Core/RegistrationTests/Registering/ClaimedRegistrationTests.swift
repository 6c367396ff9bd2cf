import TestDoubles
import Testing

@testable import Registration

/// Dialogues of attempts that meet another regd's lease.
@Suite("Conductors when another regd has the lease")
struct ClaimedRegistrationTests {
  private let pending = Fixtures.account("new@example.com", state: .pending)
  private let mark = Timestamp(microseconds: Fixtures.time.microseconds + 1)

  @Test(
    "a repeat is pending without a request to the upstream, and accepted only if an earlier request was deferred",
    arguments: [false, true], [false, true])
  func repeated(_ mayDefer: Bool, _ wasPutOff: Bool) {
    var conductor = RegistrationConductor(
      email: pending.account.email, hasUpstream: true, mayDefer: mayDefer, now: Fixtures.time)
    #expect(conductor.next(.found(pending)) == .verify(pending.passwordHash, of: .account(pending.account.id)))
    #expect(
      conductor.next(.verified(.right(isOutdated: false)))
        == .resume(pending.account.id, seen: Fixtures.time, at: mark))
    let outcome: RegistrationOutcome =
      mayDefer && wasPutOff
      ? .deferred(pending.account, .timeout) : .obstructed(.network(.timeout), isPending: true)
    #expect(conductor.next(.claimedElsewhere(wasPutOff: wasPutOff)) == .finish(outcome))
  }

  @Test("before a reservation is taken over, an answer about another regd's lease is a fault")
  func unexpected() {
    var conductor = RegistrationConductor(email: pending.account.email, hasUpstream: true, now: Fixtures.time)
    guard case .finish(.obstructed(.fault, isPending: true)) = conductor.next(.claimedElsewhere(wasPutOff: true)) else {
      Issue.record("no fault")
      return
    }
  }

  @Test("a delivery whose lease or fencing token now belongs to another regd sends no request")
  func delivery() {
    for answer in [ResumeAnswer.gone, .claimed(wasPutOff: true)] {
      var marking = DeliveryConductor(pending, isMarked: false, now: Fixtures.time)
      #expect(marking.first == .mark(pending.account.id, seen: Fixtures.time, at: mark))
      #expect(marking.next(.marked(answer)) == .finish(.claimedElsewhere), "\(answer)")
    }
    var renewing = DeliveryConductor(pending, isMarked: true, now: Fixtures.time)
    #expect(renewing.first == .renew(pending.account.id, seen: Fixtures.time))
    #expect(renewing.next(.renewed(false)) == .finish(.claimedElsewhere))
  }

  @Test("a delivery uses the fencing token of its own lease")
  func claimed() {
    for isMarked in [false, true] {
      var conductor = DeliveryConductor(pending, isMarked: isMarked, now: Fixtures.time)
      let first = conductor.next(isMarked ? .renewed(true) : .marked(.resumed))
      #expect(first == .ask(UpstreamRegistration(pending)))
      let release = conductor.next(.upstreamAnswered(.taken))
      #expect(release == .release(pending.account.id, seen: isMarked ? Fixtures.time : mark))
    }
  }

  @Test("if the store fails to renew a lease, the delivery ends without a request")
  func failing() {
    var conductor = DeliveryConductor(pending, isMarked: true, now: Fixtures.time)
    #expect(conductor.next(.obstructed(.store(.full))) == .finish(.obstructed(.store(.full))))
  }
}
