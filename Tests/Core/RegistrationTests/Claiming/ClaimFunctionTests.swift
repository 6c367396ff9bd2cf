import StoreModels
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Functions of claims over a store with prepared answers, for cases that need concurrent callers or an administrator.
@Suite("Functions of claims")
struct ClaimFunctionTests {
  private static let terms = VerificationTerms(isRequired: true, hasMail: true)
  private static let user = ClaimDesk.user(7)
  private static let now = Fixtures.time
  /// The account of the caller of `register`.
  private static let account = Fixtures.account("a@example.com", hash: "plain:a fine phrase")
  private static let known = KnownRequest(account: account.account, passwordHash: account.passwordHash)

  private static func claim(
    _ kind: AddressClaim.Kind = .registration, _ state: AddressClaim.State = .open, _ terms: VerificationTerms = terms
  ) -> AddressClaim {
    var claim = ClaimDraft(terms, by: user, language: nil, now: now).claim(
      kind, account.account.email, account: account.account.id, hash: account.passwordHash,
      request: RequestKey(uid: 7, id: "r"), isDecoy: false)
    claim.state = state
    return claim
  }

  private static func register(
    _ email: String = "a@example.com", _ password: String = "a fine phrase", _ terms: VerificationTerms = terms,
    over script: StoreScript, mayCommit: Bool = true, faults: @escaping FaultObserver = { _ in }
  ) async -> RegistrationOutcome {
    await Registrar(over: script, terms, at: now, faults: faults).claim(
      Fixtures.account(email).account.email, Fixtures.password(password), Entrance(),
      request: RequestKey(uid: 7, id: "r"), language: nil, by: user, mayCommit: { mayCommit })
  }

  @Test("an answer that the store never gives to a claim is reported as a fault, once")
  func fault() async {
    let faults = Mutex<[InternalFault]>([])
    let script = StoreScript([.claim(nil), .request(nil), .account(nil), .added(.outdated)])
    let outcome = await Self.register(over: script) { fault in faults.withLock { $0.append(fault) } }
    let fault = InternalFault("added", in: "adding")
    #expect(outcome == .obstructed(.fault(fault), isPending: true))
    #expect(faults.withLock { $0 } == [fault])
  }

  @Test("a store failure before the claim was added is the outcome")
  func failing() async {
    let answers: [ClaimOperation.Answer] = [.claim(nil), .request(nil), .account(nil)]
    for count in 0...answers.count {
      let script = StoreScript(Array(answers.prefix(count)), then: .full)
      #expect(await Self.register(over: script) == .obstructed(.store(.full)), "after \(count) answers")
    }
  }

  @Test("a caller that gave up before the claim was added makes no claim and no decoy")
  func cancelled() async {
    let concealed = VerificationTerms(isRequired: true, conceals: true, hasMail: true)
    let cases: [(StoredAccount?, VerificationTerms)] = [(nil, Self.terms), (Self.account, concealed)]
    for (holder, terms) in cases {
      let script = StoreScript([.claim(nil), .request(nil), .account(holder)])
      let outcome = await Self.register("a@example.com", "other", terms, over: script, mayCommit: false)
      #expect(outcome == .obstructed(.cancelled))
      #expect(script.next == nil, "the store is asked to add a claim")
    }
  }

  @Test("a request whose claim was verified returns its account, but only for the same address and password")
  func requests() async {
    let answers: [ClaimOperation.Answer] = [.claim(nil), .request(Self.known)]
    #expect(await Self.register("b@example.com", over: StoreScript(answers)) == .conflict)
    #expect(await Self.register("a@example.com", "another phrase", over: StoreScript(answers)) == .conflict)
    #expect(await Self.register(over: StoreScript(answers)) == .registered(Self.known.account))
    // verified between the look and the transaction
    let late: [ClaimOperation.Answer] = [
      .claim(nil), .request(nil), .account(nil), .added(.requestHasAccount(Self.known)),
    ]
    let script = StoreScript(late)
    #expect(await Self.register(over: script) == .registered(Self.known.account))
    guard script.asked.count == 4, case .findKey(Self.account.account.email.key) = script.asked[2],
      case .add = script.asked[3]
    else {
      Issue.record("\(script.asked)")
      return
    }
    #expect(await Self.register("a@example.com", "another phrase", over: StoreScript(late)) == .conflict)
  }

  @Test("if an equal request added its claim meanwhile, that claim is the outcome, but only for the same password")
  func equal() async {
    let claim = Self.claim()
    let answers: [ClaimOperation.Answer] = [.claim(nil), .request(nil), .account(nil), .added(.requestKnown(claim))]
    #expect(await Self.register(over: StoreScript(answers)) == .claimed(claim))
    #expect(await Self.register("a@example.com", "another phrase", over: StoreScript(answers)) == .conflict)
  }

  @Test("a code expires no later than its claim, whether it is the first code or a renewed one")
  func bounds() async {
    let claim = Self.claim(.registration, .open, VerificationTerms(isRequired: true, claim: .seconds(100)))
    #expect(claim.codeUntil == claim.expiresAt)
    let ending = Self.claim(.registration, .open, VerificationTerms(isRequired: true, claim: .seconds(901)))
    let script = StoreScript([.claim(ending)])
    _ = await Registrar(over: script, Self.terms, at: Self.now.advanced(by: Self.terms.code)).resend(
      ending.id, by: Self.user)
    guard case .renew(let renewed, _, _, _)? = script.next else {
      Issue.record("it is not mailed again")
      return
    }
    #expect(renewed.codeUntil == ending.expiresAt)
    #expect(renewed.generation == ending.generation + 1)
  }

  @Test("if another call has renewed the claim meanwhile, a resend reads the claim again")
  func renewed() async {
    var claim = Self.claim()
    claim.resendAt = Self.now
    let script = StoreScript([.claim(claim), .done(false)])
    _ = await Registrar(over: script, Self.terms, at: Self.now).resend(claim.id, by: Self.user)
    guard case .findClaim(claim.id, _)? = script.next else {
      Issue.record("\(script.asked), then \(String(describing: script.next))")
      return
    }
    // the other call's mail was sent at this moment
    var later = claim
    later.resendAt = Self.now.advanced(by: .seconds(60))
    let again = StoreScript([.claim(claim), .done(false), .claim(later)])
    #expect(
      await Registrar(over: again, Self.terms, at: Self.now).resend(claim.id, by: Self.user)
        == .tooSoon(retryAfterSeconds: 60))
  }

  @Test("a caller that gave up has no mail sent again")
  func notResent() async {
    var claim = Self.claim()
    claim.resendAt = Self.now
    let script = StoreScript([.claim(claim)])
    let outcome = await Registrar(over: script, Self.terms, at: Self.now).resend(
      claim.id, by: Self.user, mayCommit: { false })
    #expect(outcome == .obstructed(.cancelled))
    #expect(script.next == nil)
  }

  // MARK: Recoveries

  /// Finishes a recovery with the code of every claim, 123456.
  private static func recover(
    _ claim: AddressClaim, _ password: String = "a fine phrase", over script: StoreScript, now: Timestamp = now,
    mayCommit: Bool = true
  ) async -> ProofOutcome {
    await Registrar(over: script, terms, at: now).finishRecovery(
      claim.id, code: "123456", password: Fixtures.password(password), confirmation: Fixtures.password(password),
      by: user, mayCommit: { mayCommit })
  }

  @Test("an answer that the store never gives to a recovery is reported as a fault, once")
  func faultOfRecovery() async {
    for answer in [ClaimAnswer.outdated, .invitationRejected, .requestKnown(Self.claim())] {
      let faults = Mutex<[InternalFault]>([])
      let script = StoreScript([.account(nil), .added(answer)])
      let registrar = Registrar(
        over: script, Self.terms, at: Self.now, faults: { fault in faults.withLock { $0.append(fault) } })
      let outcome = await registrar.startRecovery("a@example.com", language: nil, by: Self.user)
      let fault = InternalFault("added", in: "adding")
      #expect(outcome == .obstructed(.fault(fault)))
      #expect(faults.withLock { $0 } == [fault])
    }
  }

  @Test("a caller that gave up starts no recovery, whether or not the address has an account")
  func notStarted() async {
    for holder in [nil, Self.account] {
      let script = StoreScript([.account(holder)])
      let outcome = await Registrar(over: script, Self.terms, at: Self.now).startRecovery(
        "a@example.com", language: nil, by: Self.user, mayCommit: { false })
      #expect(outcome == .obstructed(.cancelled))
      #expect(script.next == nil)
    }
  }

  @Test(
    "if a resend has replaced the code since the claim was read, the code is compared with the current claim",
    arguments: AddressClaim.Kind.allCases)
  func outdated(_ kind: AddressClaim.Kind) async {
    let claim = Self.claim(kind)
    let script = StoreScript([.claim(claim), .guessed(.outdated)])
    if kind == .recovery {
      _ = await Self.recover(claim, over: script)
    } else {
      _ = await Self.prove(claim, over: script)
    }
    guard case .guess(claim.id, let guess, _)? = script.asked.last else {
      Issue.record("\(script.asked)")
      return
    }
    #expect(guess == CodeGuess(isRight: true, generation: 1, attempts: 5))
    guard case .findClaim(claim.id, _)? = script.next else {
      Issue.record("\(String(describing: script.next))")
      return
    }
  }

  @Test("a hidden recovery looks gone until the store has answered a correct code, even if the store fails")
  func hidden() async {
    var claim = Self.claim(.recovery)
    claim.isHidden = true
    let failing = StoreScript([.claim(claim)], then: .full)
    #expect(await Self.recover(claim, "short", over: failing) == .gone)
    guard case .guess? = failing.next else {
      Issue.record("the store is not asked")
      return
    }
    #expect(await Self.recover(claim, "short", over: StoreScript([.claim(claim)]), mayCommit: false) == .gone)
    let wrong = StoreScript([.claim(claim), .guessed(.wrong(attemptsLeft: 0))])
    #expect(await Self.recover(claim, "short", over: wrong) == .gone)
    let right = StoreScript([.claim(claim), .guessed(.right(claim))])
    guard case .obstructed(.invalid, _) = await Self.recover(claim, "short", over: right) else {
      Issue.record("the owner does not learn that the password is too short")
      return
    }
    let proof = StoreScript([.claim(claim)])
    #expect(await Self.prove(claim, over: proof) == .gone)
    #expect(proof.next == nil, "costs an attempt")
  }

  @Test("a recovery cannot be verified as a registration, and a registration cannot be finished as a recovery")
  func kinds() async {
    let (registration, recovery) = (Self.claim(), Self.claim(.recovery))
    let finishing = StoreScript([.claim(registration)])
    #expect(await Self.recover(registration, over: finishing) == .gone)
    let proving = StoreScript([.claim(recovery)])
    #expect(await Self.prove(recovery, over: proving) == .gone)
    #expect(finishing.next == nil && proving.next == nil, "a guess is counted")
  }

  @Test("an account that was disabled after the claim was made gets neither a new address nor a new password")
  func disabled() async {
    let (change, recovering) = (Self.claim(.changeOfEmail), Self.claim(.recovery))
    let disabled = Fixtures.account("a@example.com", state: .disabled)
    let proving = StoreScript([.claim(change), .guessed(.right(change)), .account(disabled)])
    #expect(await Self.prove(change, over: proving) == .gone)
    let finishing = StoreScript([.claim(recovering), .guessed(.right(recovering)), .account(disabled)])
    #expect(await Self.recover(recovering, over: finishing) == .gone)
    for script in [proving, finishing] {
      guard case .findAccount(Self.account.account.id)? = script.asked.last else {
        Issue.record("\(script.asked)")
        continue
      }
      #expect(script.next == nil, "the account is changed")
    }
  }

  @Test(
    "the code of a verified claim is valid until the claim expires, the code of an open claim until the code expires")
  func lives() async {
    let late = Self.now.advanced(by: Self.terms.code)
    let recovery = StoreScript([.claim(Self.claim(.recovery))])
    #expect(await Self.recover(Self.claim(.recovery), over: recovery, now: late) == .codeRejected(attemptsLeft: 5))
    let open = StoreScript([.claim(Self.claim())])
    #expect(await Self.prove(Self.claim(), over: open, now: late) == .codeRejected(attemptsLeft: 5))
    #expect(recovery.next == nil && open.next == nil, "a guess is counted")
    let proven = Self.claim(.registration, .proven)
    let repeated = StoreScript([.claim(proven), .guessed(.right(proven)), .account(Self.account)])
    #expect(await Self.prove(proven, over: repeated, now: late) == .proven(Self.account.account.proven(in: .first)))
  }

  @Test("a recovery that no longer is open at its end is looked at again, but only once")
  func again() async {
    let (open, account) = (Self.claim(.recovery), Self.account)
    let once: [ClaimOperation.Answer] = [.claim(open), .guessed(.right(open)), .account(account), .changed(nil)]
    let proven = Self.claim(.recovery, .proven)
    let repeated = StoreScript(once + [.claim(proven), .guessed(.right(proven)), .account(account)])
    #expect(await Self.recover(open, over: repeated) == .proven(account.account), "another call has the same password")
    let other = StoreScript(once + [.claim(proven), .guessed(.right(proven)), .account(account)])
    #expect(await Self.recover(open, "another phrase", over: other) == .gone)
    let twice = StoreScript(once + once)
    #expect(await Self.recover(open, over: twice) == .gone)
    #expect(twice.next == nil, "a third guess is counted")
  }

  // MARK: Proofs

  /// Proves a claim with the code of every claim, 123456.
  private static func prove(
    _ claim: AddressClaim, over script: StoreScript, now: Timestamp = now, mayCommit: Bool = true,
    registering outcome: RegistrationOutcome = .registered(account.account)
  ) async -> ProofOutcome {
    await Registrar(over: script, terms, at: now).proof(
      of: claim.id, code: "123456", by: user, mayCommit: { mayCommit }, registering: { _ in outcome })
  }

  @Test("a caller that gave up before the guess was counted proves nothing")
  func notProven() async {
    let script = StoreScript([.claim(Self.claim())])
    #expect(await Self.prove(Self.claim(), over: script, mayCommit: false) == .obstructed(.cancelled))
    #expect(script.next == nil, "a guess is counted")
  }

  @Test("the outcome of a proof follows from the claim's state as the store returns it with the guess")
  func states() async {
    let open = Self.claim()
    let cases: [(AddressClaim, RegistrationOutcome, ProofOutcome)] = [
      (open, .registered(Self.account.account), .proven(Self.account.account.proven(in: .first))),
      (open, .taken, .taken), (open, .claimGone, .gone),
      (open, .obstructed(.network(.timeout), isPending: true), .obstructed(.network(.timeout), isPending: true)),
      (Self.claim(.registration, .taken), .claimGone, .taken),
      (Self.claim(.registration, .decoy), .claimGone, .gone),
    ]
    for (claim, registered, expected) in cases {
      let script = StoreScript([.claim(open), .guessed(.right(claim))])
      let outcome = await Self.prove(open, over: script, registering: registered)
      #expect(outcome == expected, "\(claim.state), \(registered)")
      #expect(script.next == nil)
    }
    let forgotten = StoreScript([.claim(open), .guessed(.right(Self.claim(.registration, .proven))), .account(nil)])
    #expect(await Self.prove(open, over: forgotten) == .gone, "the account was deleted since")
  }

  @Test("a change of address that no longer is open at its end is looked at again, but only once")
  func changedAgain() async {
    let (open, account) = (Self.claim(.changeOfEmail), Self.account)
    let once: [ClaimOperation.Answer] = [
      .claim(open), .guessed(.right(open)), .account(account), .emailChanged(.gone),
    ]
    let proven = Self.claim(.changeOfEmail, .proven)
    let repeated = StoreScript(once + [.claim(proven), .guessed(.right(proven)), .account(account)])
    #expect(await Self.prove(open, over: repeated) == .proven(account.account.proven(in: open.epoch)))
    let twice = StoreScript(once + once)
    #expect(await Self.prove(open, over: twice) == .gone)
    #expect(twice.next == nil, "a third guess is counted")
    let taken = StoreScript(Array(once.dropLast()) + [.emailChanged(.taken)])
    #expect(await Self.prove(open, over: taken) == .taken)
  }
}
