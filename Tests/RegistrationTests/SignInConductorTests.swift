import Registration
import TestKit
import Testing

@Suite("Sign-in conductor")
struct SignInConductorTests {
  private let account = Fixtures.account("name@example.com")

  private func conduct(
    _ email: EmailAddress?, _ events: [SignInConductor.Event]
  ) -> [SignInConductor.Action] {
    var conductor = SignInConductor(email: email)
    return [conductor.first] + events.map { conductor.next($0) }
  }

  @Test("no address and an unknown one get the work of a password, and one answer")
  func nobody() {
    #expect(conduct(nil, [.verified(.wrong)]) == [.verify(nil), .finish(.rejected)])
    let email = account.account.email
    #expect(
      conduct(email, [.found(nil), .verified(.wrong)]) == [.find(email.key), .verify(nil), .finish(.rejected)])
  }

  @Test("a wrong password is rejected, whatever the account's state", arguments: Account.State.allCases)
  func wrong(_ state: Account.State) {
    let account = Fixtures.account(state: state)
    #expect(conduct(account.account.email, [.found(account), .verified(.wrong)]).last == .finish(.rejected))
  }

  @Test("only the right password learns of the state")
  func states() {
    let right = SignInConductor.Event.verified(.right(isOutdated: false))
    for (state, outcome) in [
      (Account.State.disabled, SignInOutcome.disabled), (.pending, .pending),
    ] {
      let account = Fixtures.account(state: state)
      #expect(conduct(account.account.email, [.found(account), right]).last == .finish(outcome))
    }
    #expect(conduct(account.account.email, [.found(account), right]).last == .finish(.signedIn(account.account)))
  }

  @Test("an outdated hash is renewed, and that it could not be is nobody's trouble")
  func outdated() {
    let new = PasswordHash(phc: "new")
    let email = account.account.email
    let outdated: [SignInConductor.Event] = [.found(account), .verified(.right(isOutdated: true))]
    let done = SignInConductor.Action.finish(.signedIn(account.account))
    let replace = SignInConductor.Action.replaceHash(
      of: account.account.id, from: account.passwordHash, to: new)
    #expect(conduct(email, outdated + [.hashed(new), .hashReplaced]).suffix(3) == [.hash, replace, done])
    #expect(conduct(email, outdated + [.hashingFailed(.unavailable)]).last == done)
    #expect(conduct(email, outdated + [.hashed(new), .storeFailed(.readOnly)]).last == done)
  }

  @Test("faults are faults, not wrong passwords")
  func faults() {
    let email = account.account.email
    #expect(conduct(email, [.storeFailed(.full)]).last == .finish(.store(.full)))
    let busy = HashingFailure.busy(retryAfterSeconds: 1)
    #expect(conduct(email, [.found(account), .hashingFailed(busy)]).last == .finish(.hashing(busy)))
  }
}
