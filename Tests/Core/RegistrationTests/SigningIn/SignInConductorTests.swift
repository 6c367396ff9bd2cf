import Registration
import TestDoubles
import Testing

@Suite("Sign-in conductor")
struct SignInConductorTests {
  private let account = Fixtures.account("name@example.com")

  /// From the first action after the throttle's.
  private func conduct(_ key: EmailKey?, _ events: [SignInConductor.Event]) -> [SignInConductor.Action] {
    var conductor = SignInConductor(key: key)
    return [conductor.first] + events.map { conductor.next($0) }
  }

  @Test("no address and an unknown one get the work of a password, count alike, and get one answer")
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

  @Test("only the right password learns of the state, and is right in every state")
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

  @Test("an outdated hash is renewed once the throttle knows; if it cannot be, the sign-in goes on")
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
    // the account is told as it is now
    #expect(
      conduct(key, outdated + [.hashed(new), .hashReplaced(at: later)]).suffix(4)
        == [.note(.right), .hash, replace, .finish(.signedIn(renewed))])
    #expect(conduct(key, outdated + [.hashed(new), .hashReplaced(at: nil)]).last == done)
    #expect(conduct(key, outdated + [.obstructed(.hashing(.unavailable))]).last == done)
    #expect(conduct(key, outdated + [.hashed(new), .obstructed(.store(.readOnly))]).last == done)
  }

  @Test("a pending account keeps its hash, which the upstream is asked to register; a disabled one's is renewed")
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

  @Test("faults are faults, not wrong passwords, and the throttle is told that it is not known")
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
