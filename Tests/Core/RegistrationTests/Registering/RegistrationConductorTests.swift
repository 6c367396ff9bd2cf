import Registration
import TestDoubles
import Testing

@Suite("Registration conductor")
struct RegistrationConductorTests {
  private let email = Fixtures.account("new@example.com").account.email
  private let hash = PasswordHash(phc: "hash")

  /// A dialogue: passes the events to a conductor, and returns the last action.
  private func conduct(
    upstream: Bool, _ events: [RegistrationConductor.Event]
  ) -> RegistrationConductor.Action {
    var conductor = RegistrationConductor(email: email, hasUpstream: upstream, now: Fixtures.time)
    var action = conductor.first
    #expect(action == .find(email.key))
    for event in events { action = conductor.next(event) }
    return action
  }

  /// The account that a dialogue inserts.
  private func inserted(upstream: Bool) throws -> StoredAccount {
    var conductor = RegistrationConductor(email: email, hasUpstream: upstream, now: Fixtures.time)
    _ = conductor.next(.found(nil))
    guard case .insert(let account, request: nil) = conductor.next(.hashed(hash)) else { throw Unexpected() }
    return account
  }

  private struct Unexpected: Error {}

  @Test(
    "an address that has an account is taken before anything is hashed", arguments: [Account.State.active, .disabled])
  func taken(_ state: Account.State) {
    #expect(conduct(upstream: true, [.found(Fixtures.account(state: state))]) == .finish(.taken))
  }

  @Test("a failure ends the registration, and without a reservation nothing is pending")
  func failures() {
    #expect(conduct(upstream: false, [.obstructed(.store(.full))]) == .finish(.obstructed(.store(.full))))
    let busy = HashingFailure.busy(retryAfterSeconds: 3)
    #expect(
      conduct(upstream: false, [.found(nil), .obstructed(.hashing(busy))]) == .finish(.obstructed(.hashing(busy))))
    #expect(
      conduct(upstream: false, [.found(nil), .hashed(hash), .obstructed(.store(.readOnly))])
        == .finish(.obstructed(.store(.readOnly))))
  }

  @Test("the insertion into the store decides a race, not the earlier look")
  func race() {
    let winner = Fixtures.account("new@example.com")
    #expect(conduct(upstream: false, [.found(nil), .hashed(hash), .inserted(.taken(winner))]) == .finish(.taken))
  }

  @Test("without an upstream the account is active at once and acknowledged when inserted")
  func authority() throws {
    let account = try inserted(upstream: false)
    #expect(account.account.state == .active)
    #expect(account.account.email == email)
    #expect(account.passwordHash == hash)
    var conductor = RegistrationConductor(email: email, hasUpstream: false, now: Fixtures.time)
    #expect(conductor.next(.found(nil)) == .hash)
    guard case .insert(let mine, request: nil) = conductor.next(.hashed(hash)) else { throw Unexpected() }
    #expect(conductor.next(.inserted(.inserted)) == .finish(.registered(mine.account)))
  }

  @Test("with an upstream, the conductor reserves, asks, activates and then acknowledges")
  func upstream() throws {
    var conductor = RegistrationConductor(email: email, hasUpstream: true, now: Fixtures.time)
    _ = conductor.next(.found(nil))
    guard case .insert(let reserved, request: nil) = conductor.next(.hashed(hash)) else { throw Unexpected() }
    #expect(reserved.account.state == .pending)
    let question = UpstreamRegistration(id: reserved.account.id, email: email, passwordHash: hash)
    #expect(conductor.next(.inserted(.inserted)) == .ask(question))
    #expect(conductor.next(.upstreamAnswered(.registered)) == .activate(reserved, request: nil))
    var active = reserved.account
    active.state = .active
    #expect(conductor.next(.activated(.active(active))) == .finish(.registered(active)))
  }

  @Test(
    "if the upstream certainly did nothing, the reservation is released before the answer",
    arguments: [NetworkFailure.offline, .unavailable(retryAfterSeconds: 3), .rejected, .untrusted])
  func certain(_ failure: NetworkFailure) throws {
    var conductor = RegistrationConductor(email: email, hasUpstream: true, now: Fixtures.time)
    _ = conductor.next(.found(nil))
    guard case .insert(let reserved, request: nil) = conductor.next(.hashed(hash)) else { throw Unexpected() }
    _ = conductor.next(.inserted(.inserted))
    #expect(
      conductor.next(.obstructed(.network(failure)))
        == .release(reserved.account.id, seen: Fixtures.time, remembered: false, endingClaim: false))
    #expect(conductor.next(.released(true)) == .finish(.obstructed(.network(failure))))
  }

  @Test(
    "if the upstream may have acted, the registration stays pending",
    arguments: [NetworkFailure.timeout, .emptyResponse, .malformedResponse, .failed])
  func uncertain(_ failure: NetworkFailure) {
    let action = conduct(
      upstream: true, [.found(nil), .hashed(hash), .inserted(.inserted), .obstructed(.network(failure))])
    #expect(action == .finish(.obstructed(.network(failure), isPending: true)))
  }

  @Test("if the address is taken upstream, the reservation is released and the registration fails as taken")
  func takenUpstream() throws {
    var conductor = RegistrationConductor(email: email, hasUpstream: true, now: Fixtures.time)
    _ = conductor.next(.found(nil))
    guard case .insert(let reserved, request: nil) = conductor.next(.hashed(hash)) else { throw Unexpected() }
    _ = conductor.next(.inserted(.inserted))
    #expect(
      conductor.next(.upstreamAnswered(.taken))
        == .release(reserved.account.id, seen: Fixtures.time, remembered: false, endingClaim: false)
    )
    #expect(conductor.next(.released(true)) == .finish(.taken))
  }

  @Test("a reservation that cannot be released is reported as pending")
  func unreleased() {
    let action = conduct(
      upstream: true,
      [.found(nil), .hashed(hash), .inserted(.inserted), .obstructed(.network(.offline)), .obstructed(.store(.full))])
    #expect(action == .finish(.obstructed(.network(.offline), isPending: true)))
  }

  @Test("an account registered upstream but not activated in regd is reported as pending, not as failed")
  func unactivated() {
    let action = conduct(
      upstream: true,
      [.found(nil), .hashed(hash), .inserted(.inserted), .upstreamAnswered(.registered), .obstructed(.store(.full))])
    #expect(action == .finish(.obstructed(.store(.full), isPending: true)))
  }

  @Test("a repeat of a pending registration is recognized by its password, and asks the upstream with the same id")
  func resumed() {
    let pending = Fixtures.account("new@example.com", state: .pending)
    var conductor = RegistrationConductor(email: email, hasUpstream: true, now: Fixtures.time)
    #expect(conductor.next(.found(pending)) == .verify(pending.passwordHash, of: .account(pending.account.id)))
    let question = UpstreamRegistration(
      id: pending.account.id, email: pending.account.email, passwordHash: pending.passwordHash)
    let mark = Timestamp(microseconds: Fixtures.time.microseconds + 1)
    #expect(
      conductor.next(.verified(.right(isOutdated: false)))
        == .resume(pending.account.id, seen: Fixtures.time, at: mark))
    #expect(conductor.next(.resumed(mark: mark)) == .ask(question))
    var resumed = pending
    resumed.account.updatedAt = mark
    #expect(conductor.next(.upstreamAnswered(.registered)) == .activate(resumed, request: nil))
  }

  @Test("another password for a pending address fails as taken")
  func resumedByAnother() {
    let pending = Fixtures.account("new@example.com", state: .pending)
    #expect(conduct(upstream: true, [.found(pending), .verified(.wrong)]) == .finish(.taken))
  }

  @Test("a repeat that cannot reach the upstream releases nothing, because the first attempt may have succeeded")
  func resumedOffline() {
    let pending = Fixtures.account("new@example.com", state: .pending)
    let action = conduct(
      upstream: true,
      [
        .found(pending), .verified(.right(isOutdated: false)), .resumed(mark: Fixtures.time),
        .obstructed(.network(.offline)),
      ])
    #expect(action == .finish(.obstructed(.network(.offline), isPending: true)))
  }

  @Test("a reservation that is gone when it should be resumed is looked up again")
  func resumedTooLate() {
    let pending = Fixtures.account("new@example.com", state: .pending)
    let events: [RegistrationConductor.Event] = [
      .found(pending), .verified(.right(isOutdated: false)), .resumed(mark: nil),
    ]
    #expect(conduct(upstream: true, events) == .find(email.key))
    #expect(conduct(upstream: true, events + [.found(nil)]) == .hash)
  }

  @Test("a caller that joins an attempt in progress gets its outcome")
  func joined() {
    let pending = Fixtures.account("new@example.com", state: .pending)
    let outcome = RegistrationOutcome.obstructed(.network(.offline))
    let events: [RegistrationConductor.Event] = [
      .found(pending), .verified(.right(isOutdated: false)), .joined(outcome),
    ]
    #expect(conduct(upstream: true, events) == .finish(outcome))
  }

  @Test("a reservation that a repeat has resumed is not released, and is reported as pending")
  func keptByRepeat() {
    let action = conduct(
      upstream: true,
      [.found(nil), .hashed(hash), .inserted(.inserted), .obstructed(.network(.offline)), .released(false)])
    #expect(action == .finish(.obstructed(.network(.offline), isPending: true)))
  }

  @Test("after the upstream's approval, another account at the address means taken, and a known request is compared")
  func takenMeanwhile() throws {
    let activating: [RegistrationConductor.Event] = [
      .found(nil), .hashed(hash), .inserted(.inserted), .upstreamAnswered(.registered),
    ]
    #expect(conduct(upstream: true, activating + [.activated(.taken)]) == .finish(.taken))
    let other = Fixtures.account("new@example.com", hash: "other")
    let known = KnownRequest(account: other.account, passwordHash: other.passwordHash)
    #expect(
      conduct(upstream: true, activating + [.activated(.requestKnown(known))])
        == .verify(other.passwordHash, of: .request))
  }

  @Test("an event in the wrong phase is an internal fault, and the log contains only names")
  func outOfPlace() {
    let event = RegistrationConductor.Event.inserted(.taken(Fixtures.account("new@example.com")))
    guard case .finish(.obstructed(.fault(let fault), isPending: true)) = conduct(upstream: true, [.found(nil), event])
    else {
      Issue.record("no fault")
      return
    }
    #expect(fault.detail == "the event inserted in the phase hashing")
  }
}
