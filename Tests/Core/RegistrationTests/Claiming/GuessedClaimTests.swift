import TestDoubles
import Testing

@testable import Registration

/// Attempts to guess passwords through claims, requests and codes.
@Suite("Guesses through methods other than sign-in")
struct GuessedClaimTests {
  private let owner = ClaimDesk.user(7, "home")

  private func owned(_ terms: VerificationTerms) async throws -> (ClaimDesk, Account) {
    let desk = ClaimDesk(terms)
    let claim = try await desk.claim("a@example.com", by: owner)
    guard case .proven(let account) = await desk.prove(claim, by: owner) else {
      throw ClaimDesk.Broken(description: "not proven")
    }
    return (desk, account)
  }

  /// The number of guesses from one client that are compared and not refused.
  private func compared(_ desk: ClaimDesk, _ guesses: Int, by requester: Requester) async -> Int {
    var count = 0
    for number in 0..<guesses {
      if await desk.signIn("a@example.com", "guess \(number)", by: requester) == .refused(.rejected) { count += 1 }
    }
    return count
  }

  /// Uses up, with another user's guesses, the quota that all strangers share.
  private func exhaust(_ desk: ClaimDesk) async {
    for number in 0..<120 {
      _ = await desk.signIn("a@example.com", "tried \(number)", by: ClaimDesk.user(8, "\(number)"))
    }
  }

  @Test(
    "a repeated request for an attacker's own claim does not make the attacker's client known to the account",
    arguments: [true, false])
  func claimed(_ conceals: Bool) async throws {
    let terms = VerificationTerms(isRequired: true, conceals: conceals, hasMail: true)
    let mallory = ClaimDesk.user(7, "mallory")
    let early = ClaimDesk(terms)
    if !conceals { _ = try await early.claim("a@example.com", "mine alone", request: "r", by: mallory) }
    guard case .proven(let account) = await early.prove(try await early.claim("a@example.com", by: owner), by: owner)
    else {
      Issue.record("not proven")
      return
    }
    for _ in 0..<3 { _ = await early.register("a@example.com", "mine alone", request: "r", by: mallory) }
    #expect(!early.registrar.passwords.isKnown(mallory, at: account))
    await exhaust(early)
    #expect(await compared(early, 10, by: mallory) == 0)
    #expect(await early.signIn("a@example.com", by: owner) == .signedIn(account))
  }

  @Test("guesses at a claim's password have a separate limit and do not count against the account")
  func ofClaim() async throws {
    let (desk, account) = try await owned(VerificationTerms(isRequired: true, conceals: true, hasMail: true))
    let mallory = ClaimDesk.user(7, "mallory")
    _ = try await desk.claim("a@example.com", "mine alone", request: "r", by: mallory)
    var conflicts = 0
    for number in 0..<200 {
      let guess = await desk.register(
        "a@example.com", "some guess \(number)", request: "r", by: ClaimDesk.user(7, "\(number)"))
      if guess == .conflict { conflicts += 1 }
    }
    // A wrong password is mistaken for one of the last eight with a chance of 1 in 8192. The claim's id, and so the
    // hash, is random.
    #expect((101...104).contains(conflicts))
    #expect(await desk.signIn("a@example.com", by: ClaimDesk.user(7, "elsewhere")) == .signedIn(account))
  }

  @Test("the password of a registration request makes no client known after the account got another password")
  func requested() async throws {
    let desk = ClaimDesk(VerificationTerms(hasMail: true))
    let mallory = ClaimDesk.user(7, "mallory")
    guard case .registered(let account) = await desk.register("a@example.com", "mine alone", request: "r", by: mallory)
    else {
      Issue.record("not registered")
      return
    }
    // the address belongs to another user, who recovers the account
    _ = await desk.finishRecovery(try await desk.startRecovery("a@example.com", by: owner), by: owner)
    let again = await desk.register("a@example.com", "mine alone", request: "r", by: mallory)
    guard case .registered(let known) = again, known.id == account.id else {
      Issue.record("\(again)")
      return
    }
    #expect(!desk.registrar.passwords.isKnown(mallory, at: account))
    await exhaust(desk)
    #expect(await compared(desk, 10, by: mallory) == 0)
  }

  @Test("passwords that come with a used code are throttled")
  func usedCode() async throws {
    let (desk, account) = try await owned(VerificationTerms(isRequired: true, hasMail: true))
    let claim = try await desk.startRecovery("a@example.com", by: owner)
    guard case .proven = await desk.finishRecovery(claim, by: owner) else {
      Issue.record("not recovered")
      return
    }
    var refused = 0
    for number in 0..<50 {
      let place = ClaimDesk.user(7, "mallory")
      switch await desk.finishRecovery(claim, to: "guess number \(number)", by: place) {
      case .gone: break
      case .obstructed(.throttled, _): refused += 1
      case let outcome: Issue.record("\(outcome)")
      }
    }
    #expect(refused >= 44, "four guesses are free for a client, and one in 4096 looks right")
    #expect(await desk.finishRecovery(claim, by: owner) == .proven(try #require(await desk.account("a@example.com"))))
    #expect(account.id == (try await desk.account("a@example.com"))?.id)
  }

  @Test(
    "during widespread guessing, a short code allows one wrong try, and a new code has 12 digits",
    arguments: [AddressClaim.Kind.registration, .recovery])
  func madeInAdvance(_ kind: AddressClaim.Kind) async throws {
    let (desk, _) = try await owned(VerificationTerms(isRequired: true, hasMail: true))
    var claims: [AddressClaim] = []
    for name in ["b", "c"] {
      claims.append(
        kind == .registration
          ? try await desk.claim("\(name)@example.com", by: owner)
          : try await desk.startRecovery("a@example.com", by: owner))
    }
    func finish(_ claim: AddressClaim, _ code: String? = nil) async -> ProofOutcome {
      kind == .registration
        ? await desk.prove(claim, code, by: owner) : await desk.finishRecovery(claim, code, by: owner)
    }
    try await desk.floodWithGuesses()
    let right = desk.codes.code(of: claims[0])
    #expect(await finish(claims[0], desk.wrong(claims[0])) == .codeRejected(attemptsLeft: 4))
    for code in [right, desk.wrong(claims[0]), right] {
      #expect(await finish(claims[0], code) == .codeRejected(attemptsLeft: 4), "the code costs and verifies nothing")
    }
    desk.pass(.seconds(60))
    guard case .claimed(let renewed) = await desk.registrar.resend(claims[0].id, by: owner) else {
      Issue.record("not mailed again")
      return
    }
    #expect(renewed.digits == CodeBounds.longDigits)
    // the other claim's code is still the mailed one, and correct
    guard case .claimed(let same) = await desk.registrar.resend(claims[1].id, by: owner) else {
      Issue.record("not mailed again")
      return
    }
    #expect(desk.codes.code(of: same) == desk.codes.code(of: claims[1]))
    for claim in kind == .registration ? [renewed, same] : [renewed] {
      guard case .proven = await finish(claim) else {
        Issue.record("not proven")
        return
      }
    }
  }

  @Test("during widespread guessing, regd compares only one code for each claim that was made in advance")
  func supply() async throws {
    let desk = ClaimDesk()
    var claims: [AddressClaim] = []
    for number in 0..<100 { claims.append(try await desk.claim("name\(number)@example.com")) }
    try await desk.floodWithGuesses()
    let before = try await desk.wrongCodes()
    for _ in 0..<10 { for claim in claims { _ = await desk.prove(claim, desk.wrong(claim)) } }
    #expect(try await desk.wrongCodes() - before == claims.count)
  }

  @Test("a verification, a sign-in, a recovery, or the registration that made the account makes a client known")
  func known() async throws {
    let (desk, account) = try await owned(VerificationTerms(isRequired: true, hasMail: true))
    let passwords = desk.registrar.passwords
    #expect(passwords.isKnown(owner, at: account))
    let elsewhere = ClaimDesk.user(7, "elsewhere")
    _ = await desk.signIn("a@example.com", "wrong", by: elsewhere)
    #expect(!passwords.isKnown(elsewhere, at: account))
    _ = await desk.signIn("a@example.com", by: elsewhere)
    #expect(passwords.isKnown(elsewhere, at: account))
    let third = ClaimDesk.user(9)
    let claim = try await desk.startRecovery("a@example.com", by: third)
    #expect(!passwords.isKnown(third, at: account))
    _ = await desk.finishRecovery(claim, by: third)
    #expect(passwords.isKnown(third, at: account))
    let unproven = ClaimDesk(VerificationTerms())
    guard case .registered(let registered) = await unproven.register("b@example.com", by: owner) else {
      Issue.record("not registered")
      return
    }
    #expect(unproven.registrar.passwords.isKnown(owner, at: registered))
    #expect(!unproven.registrar.passwords.isKnown(elsewhere, at: registered))
  }
}

extension ClaimDesk {
  fileprivate func account(_ email: String) async throws(StoreFailure) -> Account? {
    try await store.find(EmailKey(email))?.account
  }

  /// Tries enough wrong codes at another address to make all new codes long.
  fileprivate func floodWithGuesses() async throws {
    let flood = try await claim("flood@example.com", by: Self.user(9))
    for _ in 0..<CodeBounds.all {
      let guess = CodeGuess(isRight: false, generation: flood.generation, attempts: 5000)
      _ = try await store.guess(flood.id, guess, Stamp(now, by: Self.user(9)))
    }
  }

  /// The wrong codes that were counted for all addresses except the flood's.
  fileprivate func wrongCodes() async throws(StoreFailure) -> Int {
    try await store.claims(after: nil, limit: 10_000, at: now).filter { $0.uid == 7 }.map(\.attempts).reduce(0, +)
  }
}
