import TestDoubles
import Testing

@testable import Registration

@Suite("Network sign-in conductor, upstream away")
struct OfflineSignInConductorTests {
  private static let away: [NetworkFailure] = [
    .offline, .unavailable(retryAfterSeconds: 3), .throttled(retryAfterSeconds: nil), .timeout, .failed, .emptyResponse,
    .malformedResponse,
  ]
  private static let there: [NetworkFailure] = [.rejected, .untrusted]

  private let account = Fixtures.account("Name@example.com")

  /// From the upstream's failure on.
  private func failed(
    _ failure: NetworkFailure, _ found: StoredAccount?, _ offline: SignInAuthority.Offline, _ events: [SignInEvent]
  ) -> [SignInAction] {
    var conductor = NetworkSignInConductor(
      email: account.account.email, offline: offline, now: Fixtures.time, epoch: .random())
    _ = conductor.next(.found(found))
    return [conductor.next(.obstructed(.network(failure)))] + events.map { conductor.next($0) }
  }

  @Test("refuse: a failure is the answer, whatever the store has, and counts as no guess", arguments: away + there)
  func refused(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(failed(failure, found, .refuse, [.noted]) == [.note(.unknown), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test(
    "cached: the store does not stand in for an upstream that refuses, or that cannot prove who it is", arguments: there
  )
  func untrusted(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(failed(failure, found, .cached, [.noted]) == [.note(.unknown), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test("cached: the right password is answered as by the store, in every state", arguments: away)
  func right(_ failure: NetworkFailure) {
    for (state, outcome) in [
      (Account.State.active, SignInOutcome.signedIn(account.account)), (.disabled, .refused(.disabled)),
      (.pending, .refused(.pending)),
    ] {
      var found = account
      found.account.state = state
      #expect(
        failed(failure, found, .cached, [.verified(.right(isOutdated: false)), .noted])
          == [.verify(found.passwordHash), .note(.right), .finish(outcome)])
    }
  }

  @Test("cached: an outdated hash is not renewed, for that would look as if the upstream had confirmed it")
  func outdated() {
    let outdated: [SignInEvent] = [.verified(.right(isOutdated: true)), .noted]
    #expect(
      failed(.offline, account, .cached, outdated).suffix(2) == [.note(.right), .finish(.signedIn(account.account))])
    #expect(
      failed(.offline, Fixtures.account(state: .pending), .cached, outdated).suffix(2)
        == [.note(.right), .finish(.refused(.pending))])
  }

  @Test("cached: wrong and unknown hear that the upstream is away, after one work, and count", arguments: away)
  func wrong(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(
        failed(failure, found, .cached, [.verified(.wrong), .noted])
          == [.verify(found?.passwordHash), .note(.wrong), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test("cached: a hash that cannot be read is as good as none, after the same work")
  func unreadable() {
    #expect(
      failed(.timeout, account, .cached, [.obstructed(.hashing(.unreadableHash(.missing))), .verified(.wrong), .noted])
        == [.verify(account.passwordHash), .verify(nil), .note(.wrong), .finish(.obstructed(.network(.timeout)))])
  }

  @Test("cached: a password that was not compared counts as no guess, and its failure is the answer")
  func notCompared() {
    for failure in [HashingFailure.busy(retryAfterSeconds: 1), .unavailable, .cancelled] {
      for found in [nil, account] {
        #expect(
          failed(.offline, found, .cached, [.obstructed(.hashing(failure)), .noted]).suffix(2)
            == [.note(.unknown), .finish(.obstructed(.hashing(failure)))])
      }
    }
  }

  @Test("cached: what the upstream has not confirmed for too long, or has refused since, does not stand in for it")
  func tooOld() {
    let day: Int64 = 86_400_000_000
    for (age, standsIn) in [(0, true), (30 * day, true), (30 * day + 1, false)] as [(Int64, Bool)] {
      var found = Fixtures.account()
      found.confirmedAt = Timestamp(microseconds: Fixtures.time.microseconds - age)
      #expect(failed(.offline, found, .cached, []).last == .verify(standsIn ? found.passwordHash : nil), "\(age)")
    }
    var refused = Fixtures.account()
    refused.confirmedAt = nil
    #expect(
      failed(.offline, refused, .cached, [.verified(.wrong), .noted])
        == [.verify(nil), .note(.wrong), .finish(.obstructed(.network(.offline)))])
  }
}
