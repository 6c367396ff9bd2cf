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
}
