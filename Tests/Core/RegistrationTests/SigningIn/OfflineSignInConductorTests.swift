import TestDoubles
import Testing

@testable import Registration

@Suite("Network sign-in conductor while the upstream is away")
struct OfflineSignInConductorTests {
  private static let away: [NetworkFailure] = [
    .offline, .unavailable(retryAfterSeconds: 3), .throttled(retryAfterSeconds: nil), .timeout, .failed, .emptyResponse,
    .malformedResponse,
  ]
  private static let there: [NetworkFailure] = [.rejected, .untrusted]

  private let account = Fixtures.account("Name@example.com")

  /// Starts with the upstream's failure.
  private func failed(
    _ failure: NetworkFailure, _ found: StoredAccount?, _ offline: SignInAuthority.Offline, _ events: [SignInEvent]
  ) -> [SignInAction] {
    var conductor = NetworkSignInConductor(
      email: account.account.email, offline: offline, now: Fixtures.time, epoch: .random())
    _ = conductor.next(.found(found))
    return [conductor.next(.obstructed(.network(failure)))] + events.map { conductor.next($0) }
  }

  @Test(
    "refuse: an upstream failure is returned whatever the store has, and does not count as a guess",
    arguments: away + there)
  func refused(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(failed(failure, found, .refuse, [.noted]) == [.note(.unknown), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test(
    "cached: the store does not replace an upstream that refuses or cannot prove its identity", arguments: there
  )
  func untrusted(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(failed(failure, found, .cached, [.noted]) == [.note(.unknown), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test("cached: the correct password gets the store's answer in every state of the account", arguments: away)
  func right(_ failure: NetworkFailure) {
    for state in Account.State.allCases {
      var found = account
      found.account.state = state
      let outcome: SignInOutcome =
        switch state {
        case .active: .signedIn(found.account)
        case .disabled: .refused(.disabled)
        case .pending: .refused(.pending)
        case .waiting: .refused(.waiting(found.account))
        }
      #expect(
        failed(failure, found, .cached, [.verified(.right(isOutdated: false)), .noted])
          == [.verify(found.passwordHash), .note(.right), .finish(outcome)])
    }
  }

  @Test("cached: an outdated hash is not renewed, because that would look like the upstream's confirmation")
  func outdated() {
    let outdated: [SignInEvent] = [.verified(.right(isOutdated: true)), .noted]
    #expect(
      failed(.offline, account, .cached, outdated).suffix(2) == [.note(.right), .finish(.signedIn(account.account))])
    #expect(
      failed(.offline, Fixtures.account(state: .pending), .cached, outdated).suffix(2)
        == [.note(.right), .finish(.refused(.pending))])
  }

  @Test(
    "cached: wrong and unknown get the upstream's failure after one password's work, and count as guesses",
    arguments: away)
  func wrong(_ failure: NetworkFailure) {
    for found in [nil, account] {
      #expect(
        failed(failure, found, .cached, [.verified(.wrong), .noted])
          == [.verify(found?.passwordHash), .note(.wrong), .finish(.obstructed(.network(failure)))])
    }
  }

  @Test("cached: an unreadable hash is treated like a missing hash, after the same work")
  func unreadable() {
    #expect(
      failed(.timeout, account, .cached, [.obstructed(.hashing(.unreadableHash(.missing))), .verified(.wrong), .noted])
        == [.verify(account.passwordHash), .verify(nil), .note(.wrong), .finish(.obstructed(.network(.timeout)))])
  }

  @Test("cached: a password that was not compared does not count as a guess, and its failure is returned")
  func notCompared() {
    for failure in [HashingFailure.busy(retryAfterSeconds: 1), .unavailable, .cancelled] {
      for found in [nil, account] {
        #expect(
          failed(.offline, found, .cached, [.obstructed(.hashing(failure)), .noted]).suffix(2)
            == [.note(.unknown), .finish(.obstructed(.hashing(failure)))])
      }
    }
  }

  @Test("cached: a hash that the upstream has not confirmed for too long, or has rejected since, is not used")
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
