import TestDoubles
import Testing

@testable import Registration

@Suite("Network sign-in conductor")
struct NetworkSignInConductorTests {
  typealias Event = SignInEvent
  typealias Action = SignInAction

  private let account = Fixtures.account("Name@example.com")
  private let new = PasswordHash(phc: "new")
  private let another = SessionEpoch(stored: "another")
  private let later = Timestamp(microseconds: Fixtures.time.microseconds + 1)
  private let upstreamID = "0190a6c1-2f00-4abc-8def-0123456789ab"

  private var email: EmailAddress { account.account.email }

  /// Starts with the first action after the throttle's.
  private func conduct(_ email: EmailAddress?, _ events: [Event]) -> [Action] {
    var conductor = NetworkSignInConductor(email: email, offline: .refuse, now: Fixtures.time, epoch: another)
    return [conductor.first] + events.map { conductor.next($0) }
  }

  /// Starts with the upstream's answer.
  private func answered(_ found: StoredAccount?, _ events: [Event]) -> [Action] {
    Array(conduct(email, [.found(found)] + events).dropFirst(2))
  }

  private func replace(_ found: StoredAccount, by hash: PasswordHash, _ epoch: SessionEpoch? = nil) -> Action {
    .replaceHash(of: found.account.id, from: found.passwordHash, to: hash, epoch: epoch)
  }

  @Test("an invalid address takes the work of a password and is rejected without a request to the upstream")
  func noAddress() {
    #expect(conduct(nil, [.verified(.wrong), .noted]) == [.verify(nil), .note(.wrong), .finish(.refused(.rejected))])
    #expect(
      conduct(nil, [.obstructed(.hashing(.unavailable)), .noted])
        == [.verify(nil), .note(.unknown), .finish(.obstructed(.hashing(.unavailable)))])
  }

  @Test("the upstream is asked with the registered address, or with the typed address if there is no account")
  func asked() {
    let typed = EmailAddress(stored: "NAME@example.com", key: email.key)
    #expect(conduct(typed, [.found(account)]) == [.find(email.key), .ask(email)])
    #expect(conduct(typed, [.found(nil)]) == [.find(email.key), .ask(typed)])
    #expect(
      conduct(typed, [.obstructed(.store(.full)), .noted]) == [
        .find(email.key), .note(.unknown), .finish(.obstructed(.store(.full))),
      ])
    #expect(
      answered(account, [.obstructed(.cancelled), .noted]) == [.note(.unknown), .finish(.obstructed(.cancelled))])
  }

  @Test("after acceptance, the throttle is informed before the hash is compared, and a correct hash stays")
  func accepted() {
    #expect(
      answered(account, [.upstreamAnswered(.accepted(id: "7")), .noted, .verified(.right(isOutdated: false))])
        == [.note(.right), .verify(account.passwordHash), .finish(.signedIn(account.account))])
  }

  @Test("after acceptance, a hash of another password, an outdated hash or an unreadable hash is replaced")
  func remembered() {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: "7")), .noted]
    let problem = HashingFailure.unreadableHash(.missing)
    let ends: [(seen: Event, epoch: SessionEpoch?)] = [
      (.verified(.wrong), another), (.verified(.right(isOutdated: true)), nil),
      (.obstructed(.hashing(problem)), another),
    ]
    for (seen, epoch) in ends {
      var renewed = account.account
      renewed.updatedAt = later
      renewed.epoch = epoch ?? renewed.epoch
      #expect(
        answered(account, accepted + [seen, .hashed(new), .hashReplaced(at: later)]).dropFirst(2)
          == [.hash, replace(account, by: new, epoch), .finish(.signedIn(renewed))])
    }
  }

  @Test("after acceptance, if another call has replaced the hash first, the sign-in gets that call's epoch")
  func recurring() {
    let wrong: [Event] = [
      .upstreamAnswered(.accepted(id: "7")), .noted, .verified(.wrong), .hashed(new), .hashReplaced(at: nil),
    ]
    var other = account
    other.passwordHash = PasswordHash(phc: "the quicker one's")
    other.account.epoch = SessionEpoch(stored: "the quicker one's")
    #expect(
      answered(account, wrong + [.found(other), .verified(.right(isOutdated: false))]).suffix(3)
        == [.find(email.key), .verify(other.passwordHash), .finish(.signedIn(other.account))])
    let again: [Event] = [.found(other), .verified(.wrong), .hashed(new), .hashReplaced(at: nil)]
    #expect(answered(account, wrong + again).last == .finish(.signedIn(other.account)), "once")
    for event in [Event.found(nil), .found(Fixtures.account()), .obstructed(.store(.full))] {
      #expect(answered(account, wrong + [event]).last == .finish(.signedIn(account.account)))
    }
  }

  @Test("after acceptance, a hash that cannot be replaced does not fail the sign-in")
  func notRemembered() {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: "7")), .noted]
    let wrong = accepted + [.verified(.wrong)]
    let failures: [[Event]] = [
      accepted + [.obstructed(.hashing(.busy(retryAfterSeconds: 1)))], accepted + [.obstructed(.hashing(.cancelled))],
      wrong + [.obstructed(.hashing(.unavailable))],
      wrong + [.hashed(new), .obstructed(.store(.readOnly))],
    ]
    for events in failures { #expect(answered(account, events).last == .finish(.signedIn(account.account))) }
  }

  @Test("after acceptance, a disabled account stays disabled with a correct hash; a pending account does not change")
  func acceptedStates() {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: "7")), .noted]
    let disabled = Fixtures.account(state: .disabled)
    #expect(
      answered(disabled, accepted + [.verified(.wrong), .hashed(new), .hashReplaced(at: later)]).suffix(2)
        == [replace(disabled, by: new, another), .finish(.refused(.disabled))])
    #expect(answered(Fixtures.account(state: .pending), accepted) == [.note(.right), .finish(.refused(.pending))])
    let waiting = Fixtures.account(state: .waiting)
    #expect(answered(waiting, accepted) == [.note(.right), .finish(.refused(.waiting(waiting.account)))])
  }

  @Test("after rejection, the throttle is informed, then a hash of that password is replaced unless pending")
  func forgotten() {
    let rejected: [Event] = [.upstreamAnswered(.rejected), .noted]
    for state in [Account.State.active, .disabled] {
      let found = Fixtures.account(state: state)
      for isOutdated in [false, true] {
        let right = rejected + [.verified(.right(isOutdated: isOutdated)), .hashed(new)]
        let actions: [Action] = [
          .note(.wrong), .verifyAnyway(found.passwordHash), .hashNobodys, replace(found, by: new),
          .finish(.refused(.rejected)),
        ]
        for end in [Event.hashReplaced(at: later), .hashReplaced(at: nil), .obstructed(.store(.full))] {
          #expect(answered(found, right + [end]) == actions)
        }
      }
    }
    // the upstream may not have the account yet
    for state in [Account.State.pending, .waiting] {
      let found = Fixtures.account(state: state)
      let verify = Action.verify(found.passwordHash)
      #expect(
        answered(found, [.upstreamAnswered(.rejected), .verified(.right(isOutdated: true)), .noted])
          == [verify, .note(.right), .finish(SignInOutcome(toOwnerOf: found.account))])
      for failure in [Event.verified(.wrong), .obstructed(.hashing(.unreadableHash(.missing)))] {
        #expect(
          answered(found, [.upstreamAnswered(.rejected), failure, .noted])
            == [verify, .note(.wrong), .finish(.refused(.rejected))])
      }
    }
  }

  @Test("after rejection, unknown and wrong get one answer after one password's work, even if the work fails")
  func rejected() {
    let rejected: [Event] = [.upstreamAnswered(.rejected), .noted]
    for found in [nil, account] {
      let actions = [Action.note(.wrong), .verifyAnyway(found?.passwordHash), .finish(.refused(.rejected))]
      #expect(answered(found, rejected + [.verified(.wrong)]) == actions)
    }
    // a hash that could not be compared may be of the rejected password, so it no longer replaces the upstream
    let busy: [Event] = [.obstructed(.hashing(.busy(retryAfterSeconds: 1)))]
    #expect(answered(nil, rejected + busy).last == .finish(.refused(.rejected)))
    #expect(
      answered(account, rejected + busy + [.confirmed(true)]).suffix(2)
        == [.confirm(account.account.id, isRight: false), .finish(.refused(.rejected))])
    #expect(
      answered(account, rejected + [.obstructed(.hashing(.unreadableHash(.missing))), .verified(.wrong)]).suffix(2)
        == [.verifyAnyway(nil), .finish(.refused(.rejected))])
  }

  @Test("an account that only the upstream has is adopted, with the upstream's id if that id is valid")
  func adopted() throws {
    for (id, isUsed) in [(upstreamID, true), ("7", false)] {
      let actions = answered(nil, [.upstreamAnswered(.accepted(id: id)), .noted, .hashed(new), .adopted(.imported)])
      guard case .adopt(let made) = try #require(actions.dropLast().last) else {
        Issue.record("\(actions)")
        continue
      }
      #expect(actions == [.note(.right), .hash, .adopt(made), .finish(.signedIn(made.account))])
      #expect(made.passwordHash == new)
      #expect(made.account.email == email)
      #expect(made.account.state == .active)
      #expect(made.account.createdAt == Fixtures.time)
      #expect((made.account.id == AccountID(upstreamID)) == isUsed)
    }
  }

  @Test("another account's id is not used, and if a new id is also taken, the sign-in ends with an internal fault")
  func idTaken() throws {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: upstreamID)), .noted, .hashed(new), .adopted(.idTaken)]
    let actions = answered(nil, accepted + [.adopted(.idTaken)])
    guard case .adopt(let made) = actions[3], case .finish(.obstructed(.fault)) = actions[4] else {
      Issue.record("\(actions)")
      return
    }
    #expect(made.account.id != AccountID(upstreamID))
  }

  @Test(
    "an account that another process has adopted meanwhile is used, and one deleted meanwhile is adopted again")
  func met() {
    let lost: [Event] = [.upstreamAnswered(.accepted(id: upstreamID)), .noted, .hashed(new)]
    for answer in [ImportAnswer.emailTaken, .present] {
      let taken = lost + [.adopted(answer)]
      #expect(
        answered(nil, taken + [.found(account), .verified(.right(isOutdated: false))]).suffix(3)
          == [.find(email.key), .verify(account.passwordHash), .finish(.signedIn(account.account))])
      #expect(answered(nil, taken + [.found(Fixtures.account(state: .pending))]).last == .finish(.refused(.pending)))
      let again = answered(nil, taken + [.found(nil)])
      #expect(again.last == again[2])
      #expect(answered(nil, taken + [.obstructed(.store(.full))]).last == .finish(.obstructed(.store(.full))))
    }
  }

  @Test("an adoption that fails is not a sign-in, and its failure is reported")
  func notAdopted() {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: upstreamID)), .noted]
    let busy = HashingFailure.busy(retryAfterSeconds: 1)
    #expect(answered(nil, accepted + [.obstructed(.hashing(busy))]).last == .finish(.obstructed(.hashing(busy))))
    #expect(
      answered(nil, accepted + [.hashed(new), .obstructed(.store(.full))]).last == .finish(.obstructed(.store(.full))))
    #expect(answered(nil, accepted + [.hashed(new), .obstructed(.cancelled)]).last == .finish(.obstructed(.cancelled)))
  }
}
