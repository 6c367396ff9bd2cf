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

  /// From the first action after the throttle's.
  private func conduct(_ email: EmailAddress?, _ events: [Event]) -> [Action] {
    var conductor = NetworkSignInConductor(email: email, offline: .refuse, now: Fixtures.time, epoch: another)
    return [conductor.first] + events.map { conductor.next($0) }
  }

  /// From the upstream's answer on.
  private func answered(_ found: StoredAccount?, _ events: [Event]) -> [Action] {
    Array(conduct(email, [.found(found)] + events).dropFirst(2))
  }

  private func replace(_ found: StoredAccount, by hash: PasswordHash, _ epoch: SessionEpoch? = nil) -> Action {
    .replaceHash(of: found.account.id, from: found.passwordHash, to: hash, epoch: epoch)
  }

  @Test("what is no address gets the work of a password and is rejected; the upstream is not asked")
  func noAddress() {
    #expect(conduct(nil, [.verified(.wrong), .noted]) == [.verify(nil), .note(.wrong), .finish(.refused(.rejected))])
    #expect(
      conduct(nil, [.obstructed(.hashing(.unavailable)), .noted])
        == [.verify(nil), .note(.unknown), .finish(.obstructed(.hashing(.unavailable)))])
  }

  @Test("the upstream is asked by the address that was registered, else by what was typed")
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

  @Test("accepted: the throttle knows before the hash is looked at; one of this password stays as it is")
  func accepted() {
    #expect(
      answered(account, [.upstreamAnswered(.accepted(id: "7")), .noted, .verified(.right(isOutdated: false))])
        == [.note(.right), .verify(account.passwordHash), .finish(.signedIn(account.account))])
  }

  @Test("accepted: a hash of another password, of old parameters or of nothing is replaced")
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

  @Test("accepted: where another call was quicker with another password, the sign-in is of the epoch that it began")
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

  @Test("accepted: a hash that could not be replaced is no failure of the sign-in")
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

  @Test("accepted: a disabled account stays disabled, and its hash is kept true; a pending one is left alone")
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

  @Test("rejected: a hash of that password is replaced once the throttle knows; not a pending account's")
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
    // the upstream may not have it yet
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

  @Test("rejected: unknown and wrong are one answer after one password's work; failing at it changes nothing")
  func rejected() {
    let rejected: [Event] = [.upstreamAnswered(.rejected), .noted]
    for found in [nil, account] {
      let actions = [Action.note(.wrong), .verifyAnyway(found?.passwordHash), .finish(.refused(.rejected))]
      #expect(answered(found, rejected + [.verified(.wrong)]) == actions)
    }
    // what could not be compared may be what was refused: it does not stand in for the upstream any more
    let busy: [Event] = [.obstructed(.hashing(.busy(retryAfterSeconds: 1)))]
    #expect(answered(nil, rejected + busy).last == .finish(.refused(.rejected)))
    #expect(
      answered(account, rejected + busy + [.confirmed(true)]).suffix(2)
        == [.confirm(account.account.id, isRight: false), .finish(.refused(.rejected))])
    #expect(
      answered(account, rejected + [.obstructed(.hashing(.unreadableHash(.missing))), .verified(.wrong)]).suffix(2)
        == [.verifyAnyway(nil), .finish(.refused(.rejected))])
  }

  @Test("only the upstream has it: it is adopted, by the upstream's id where that is one")
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

  @Test("an id that another account has is not used; if a new one is taken as well, it is an internal fault")
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
    "an account that another process has adopted meanwhile is the one; one that was deleted meanwhile is adopted again")
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

  @Test("an adoption that fails is no sign-in, and is told as what it is")
  func notAdopted() {
    let accepted: [Event] = [.upstreamAnswered(.accepted(id: upstreamID)), .noted]
    let busy = HashingFailure.busy(retryAfterSeconds: 1)
    #expect(answered(nil, accepted + [.obstructed(.hashing(busy))]).last == .finish(.obstructed(.hashing(busy))))
    #expect(
      answered(nil, accepted + [.hashed(new), .obstructed(.store(.full))]).last == .finish(.obstructed(.store(.full))))
    #expect(answered(nil, accepted + [.hashed(new), .obstructed(.cancelled)]).last == .finish(.obstructed(.cancelled)))
  }
}
