import Registration
import TestDoubles
import Testing

@Suite("Sign-in conductor")
struct SignInConductorTests {
  private let account = Fixtures.account("name@example.com")

  /// Starts with the first action after the throttle's.
  private func conduct(_ key: EmailKey?, _ events: [SignInConductor.Event]) -> [SignInConductor.Action] {
    var conductor = SignInConductor(key: key)
    return [conductor.first] + events.map { conductor.next($0) }
  }

  @Test("an invalid and an unknown address take a password's work, count the same and get the same answer")
  func nobody() {
    #expect(
      conduct(nil, [.verified(.wrong), .noted]) == [.verify(nil), .note(.wrong), .finish(.refused(.rejected))])
    let key = account.account.email.key
    #expect(
      conduct(key, [.found(nil), .verified(.wrong), .noted])
        == [.find(key), .verify(nil), .note(.wrong), .finish(.refused(.rejected))])
  }

  @Test("a wrong password is rejected and counts, whatever the account's state", arguments: Account.State.allCases)
  func wrong(_ state: Account.State) {
    let account = Fixtures.account(state: state)
    #expect(
      conduct(account.account.email.key, [.found(account), .verified(.wrong), .noted]).suffix(2)
        == [.note(.wrong), .finish(.refused(.rejected))])
  }

  @Test("only the correct password reveals the account's state, and it counts as correct in every state")
  func states() {
    let right = SignInConductor.Event.verified(.right(isOutdated: false))
    for (state, outcome) in [
      (Account.State.disabled, SignInOutcome.refused(.disabled)), (.pending, .refused(.pending)),
    ] {
      let account = Fixtures.account(state: state)
      #expect(
        conduct(account.account.email.key, [.found(account), right, .noted]).suffix(2)
          == [.note(.right), .finish(outcome)])
    }
    #expect(
      conduct(account.account.email.key, [.found(account), right, .noted]).suffix(2)
        == [.note(.right), .finish(.signedIn(account.account))])
  }

  @Test("an outdated hash is renewed after the throttle is informed, and a failed renewal does not stop the sign-in")
  func outdated() {
    let new = PasswordHash(phc: "new")
    let key = account.account.email.key
    let outdated: [SignInConductor.Event] = [.found(account), .verified(.right(isOutdated: true)), .noted]
    let done = SignInConductor.Action.finish(.signedIn(account.account))
    let replace = SignInConductor.Action.replaceHash(
      of: account.account.id, from: account.passwordHash, to: new, epoch: nil)
    let later = Timestamp(microseconds: Fixtures.time.microseconds + 1)
    var renewed = account.account
    renewed.updatedAt = later
    // the account is returned as it is now
    #expect(
      conduct(key, outdated + [.hashed(new), .hashReplaced(at: later)]).suffix(4)
        == [.note(.right), .hash, replace, .finish(.signedIn(renewed))])
    #expect(conduct(key, outdated + [.hashed(new), .hashReplaced(at: nil)]).last == done)
    #expect(conduct(key, outdated + [.obstructed(.hashing(.unavailable))]).last == done)
    #expect(conduct(key, outdated + [.hashed(new), .obstructed(.store(.readOnly))]).last == done)
  }

  @Test("a pending account keeps the hash that the upstream registers, and a disabled account's hash is renewed")
  func pendingKeepsItsHash() {
    let outdated = SignInConductor.Event.verified(.right(isOutdated: true))
    let pending = Fixtures.account(state: .pending)
    #expect(
      conduct(pending.account.email.key, [.found(pending), outdated, .noted]).suffix(2)
        == [.note(.right), .finish(.refused(.pending))])
    let disabled = Fixtures.account(state: .disabled)
    #expect(
      conduct(disabled.account.email.key, [.found(disabled), outdated, .noted, .obstructed(.hashing(.unavailable))])
        .suffix(3)
        == [.note(.right), .hash, .finish(.refused(.disabled))])
  }

  @Test("a fault is not a wrong password, and the throttle gets an unknown result")
  func faults() {
    let key = account.account.email.key
    #expect(
      conduct(key, [.obstructed(.store(.full)), .noted]).suffix(2) == [
        .note(.unknown), .finish(.obstructed(.store(.full))),
      ])
    for failure in [HashingFailure.busy(retryAfterSeconds: 1), .cancelled, .unavailable] {
      let end: [SignInConductor.Action] = [.note(.unknown), .finish(.obstructed(.hashing(failure)))]
      #expect(conduct(key, [.found(account), .obstructed(.hashing(failure)), .noted]).suffix(2) == end[...])
      #expect(conduct(nil, [.obstructed(.hashing(failure)), .noted]).suffix(2) == end[...])
    }
  }
}
