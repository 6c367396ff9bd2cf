import AddressNormalization
import RehearsedNetworks
import TestDoubles
import Testing

@testable import Registration

/// Domain lists apply to new registrations only. Repeats and verifications follow the lists of their time.
@Suite("Registrations whose domain was barred later")
struct BarredDomainTests {
  private static let typed = "name@example.com"
  private static let requester = Requester(uid: 7, pid: 1)
  private static let request = RequestKey(uid: 7, id: "one")

  private static func rules(_ allowed: [String] = []) -> RegistrationRules {
    let normalizer = UnicodeNormalizer()
    return RegistrationRules(
      email: EmailRules(allowedDomains: allowed, normalizer: normalizer),
      password: PasswordPolicy(normalizer: normalizer))
  }

  private func entry(_ password: String = "a fine phrase") -> RegistrationEntry {
    RegistrationEntry(
      email: Self.typed, password: Fixtures.password(password), passwordConfirmation: Fixtures.password(password))
  }

  private func registrar(
    _ network: (any NetworkService)?, verification: VerificationTerms = VerificationTerms()
  ) -> Registrar {
    Registrar(
      rules: Self.rules(), store: MemoryStore().accounts, hasher: PlainHasher(), network: network, time: FixedTime(),
      verification: verification)
  }

  /// The same accounts, with rules that allow only other domains.
  private func barred(_ registrar: Registrar, _ network: (any NetworkService)?) -> Registrar {
    registrar.adapted(
      to: .init(
        rules: Self.rules(["example.org"]), network: network, signIns: nil, signInAuthority: .store,
        defersWhenUnreachable: false, disbelief: .seconds(900), verification: registrar.verification))
  }

  private func isBarred(_ outcome: RegistrationOutcome) -> Bool {
    guard case .obstructed(.invalid(let problems), isPending: false) = outcome else { return false }
    return problems.map(\.reason) == [.emailDomainNotAllowed]
  }

  @Test("a repeated request returns its account, and a new request is refused")
  func request() async throws {
    let before = registrar(nil)
    let first = await before.register(entry(), request: Self.request, by: Self.requester)
    guard case .registered = first else { throw ClaimDesk.Broken(description: "\(first)") }
    let now = barred(before, nil)
    #expect(await now.register(entry(), request: Self.request, by: Self.requester) == first)
    #expect(await now.register(entry("other phrase"), request: Self.request, by: Self.requester) == .conflict)
    #expect(isBarred(await now.register(entry(), request: RequestKey(uid: 7, id: "two"), by: Self.requester)))
    #expect(isBarred(await now.register(entry(), request: RequestKey(uid: 8, id: "one"), by: Self.requester)))
    #expect(isBarred(await now.register(entry(), by: Self.requester)))
    // a password that also breaks a rule is not the request's password
    #expect(await now.register(entry("x"), request: Self.request, by: Self.requester) == .conflict)
    // a new registration gets both problems
    guard
      case .obstructed(.invalid(let problems), isPending: false) = await now.register(
        entry("x"), request: RequestKey(uid: 7, id: "two"), by: Self.requester)
    else {
      throw ClaimDesk.Broken(description: "taken")
    }
    #expect(problems.map(\.reason) == [.emailDomainNotAllowed, .passwordTooShort])
  }

  /// The same accounts under stricter rules for addresses and passwords.
  private func stricter(_ registrar: Registrar, _ network: (any NetworkService)? = nil) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return registrar.adapted(
      to: .init(
        rules: RegistrationRules(
          email: EmailRules(maximumLength: 20, internationalized: false, normalizer: normalizer),
          password: PasswordPolicy([.minimumLength(20)], normalizer: normalizer)),
        network: network, signIns: nil, signInAuthority: .store, defersWhenUnreachable: false,
        disbelief: .seconds(900), verification: registrar.verification))
  }

  private static let refusedSince = ["j\u{FC}rgen@example.com", "somebody.with.a.long.name@example.com"]

  private func entry(at email: String) -> RegistrationEntry {
    RegistrationEntry(
      email: email, password: Fixtures.password("a fine phrase"),
      passwordConfirmation: Fixtures.password("a fine phrase"))
  }

  @Test("a repeated request returns its account even after stricter rules for addresses", arguments: refusedSince)
  func stricterAddress(_ email: String) async throws {
    let before = registrar(nil)
    let first = await before.register(entry(at: email), request: Self.request, by: Self.requester)
    guard case .registered = first else { throw ClaimDesk.Broken(description: "\(first)") }
    let now = stricter(before)
    #expect(await now.register(entry(at: email), request: Self.request, by: Self.requester) == first)
    guard
      case .obstructed(.invalid, isPending: false) = await now.register(
        entry(at: email), request: RequestKey(uid: 7, id: "two"), by: Self.requester)
    else { throw ClaimDesk.Broken(description: "a new registration is not refused") }
    #expect(await now.checkAvailability(email, for: .init(uid: 7)) == .unavailable)
  }

  @Test(
    "a pending registration can be repeated after stricter rules for addresses and passwords", arguments: refusedSince)
  func stricterPending(_ email: String) async throws {
    let network = ScriptedNetwork(Script(register: [.init(.fault(.timeout)), .init(.accept)]))
    let before = registrar(network)
    let failed = await before.register(entry(at: email), by: Self.requester)
    #expect(failed == .obstructed(.network(.timeout), isPending: true))
    let now = stricter(before, network)
    guard case .registered(let account) = await now.register(entry(at: email), by: Self.requester) else {
      throw ClaimDesk.Broken(description: "not repeated")
    }
    #expect(account.email.typed == email)
    guard case .obstructed(.invalid, isPending: false) = await now.register(entry(at: email), by: Self.requester) else {
      throw ClaimDesk.Broken(description: "an active account is shown")
    }
  }

  @Test("a pending registration is recognized by address and password and continues, but no new one is accepted")
  func pending() async throws {
    let network = ScriptedNetwork(Script(register: [.init(.fault(.timeout)), .init(.accept)]))
    let before = registrar(network)
    #expect(await before.register(entry(), by: Self.requester) == .obstructed(.network(.timeout), isPending: true))
    let now = barred(before, network)
    let outcome = await now.register(entry(), by: Self.requester)
    guard case .registered(let account) = outcome else { throw ClaimDesk.Broken(description: "\(outcome)") }
    #expect(account.email.typed == Self.typed)
    // it is no longer pending
    #expect(isBarred(await now.register(entry(), by: Self.requester)))
  }

  @Test("a free address in a barred domain is refused, with and without a request")
  func new() async throws {
    let network = ScriptedNetwork(Script(register: [.init(.accept)]))
    let now = barred(registrar(network), network)
    #expect(isBarred(await now.register(entry(), request: Self.request, by: Self.requester)))
    #expect(isBarred(await now.register(entry(), by: Self.requester)))
    let check = await now.checkAvailability(Self.typed, for: .init(uid: 7))
    guard case .obstructed(.invalid(let problems)) = check else { throw ClaimDesk.Broken(description: "\(check)") }
    #expect(problems.map(\.reason) == [.emailDomainNotAllowed])
  }

  @Test("an address with an account is unavailable, whatever the rules for its domain")
  func held() async throws {
    let before = registrar(nil)
    _ = await before.register(entry(), by: Self.requester)
    #expect(await barred(before, nil).checkAvailability(Self.typed, for: .init(uid: 7)) == .unavailable)
    let store = FaultyStore(MemoryStore(), failing: 1)
    let away = Registrar(
      rules: Self.rules(["example.org"]), store: store.accounts, hasher: PlainHasher(), network: nil, time: FixedTime())
    guard case .obstructed(.store) = await away.checkAvailability(Self.typed, for: .init(uid: 7)) else {
      throw ClaimDesk.Broken(description: "guessed")
    }
  }

  @Test("a claim can be repeated by its request and verified, but a new claim is refused")
  func claim() async throws {
    let desk = ClaimDesk()
    let claim = try await desk.claim(Self.typed, request: "one")
    let now = desk.registrar.adapted(
      to: .init(
        rules: Self.rules(["example.org"]), network: nil, signIns: nil, signInAuthority: .store,
        defersWhenUnreachable: false, disbelief: .seconds(900), verification: desk.registrar.verification))
    guard case .claimed(let again) = await now.register(entry(), request: Self.request, by: Self.requester) else {
      throw ClaimDesk.Broken(description: "refused")
    }
    #expect(again.id == claim.id)
    #expect(isBarred(await now.register(entry(), request: RequestKey(uid: 7, id: "two"), by: Self.requester)))
    #expect(isBarred(await now.register(entry(), by: Self.requester)))
    desk.pass(.seconds(61))
    let resent = await now.resend(claim.id, by: Self.requester)
    guard case .claimed = resent else { throw ClaimDesk.Broken(description: "\(resent)") }
    let renewed = try #require(try await desk.store.find(claim.id, at: desk.now))
    let proof = await now.prove(claim.id, code: desk.codes.code(of: renewed), by: Self.requester)
    guard case .proven(let account) = proof else { throw ClaimDesk.Broken(description: "\(proof)") }
    #expect(account.email.typed == Self.typed)
    let before = await desk.registrar.register(entry(), request: Self.request, by: Self.requester)
    #expect(await now.register(entry(), request: Self.request, by: Self.requester) == before)
    guard
      case .signedIn = await now.signIn(
        email: Self.typed, password: Fixtures.password("a fine phrase"), by: Self.requester)
    else { throw ClaimDesk.Broken(description: "not signed in") }
    guard case .claimed = await now.startRecovery(Self.typed, language: nil, by: Self.requester) else {
      throw ClaimDesk.Broken(description: "not recovered")
    }
  }

  @Test("an owner may change only to an address that is accepted today, whatever the old address")
  func change() async throws {
    let before = registrar(nil)
    guard case .registered = await before.register(entry(), by: Self.requester) else {
      throw ClaimDesk.Broken(description: "refused")
    }
    let now = barred(before, nil)
    func change(to new: String) async -> ClaimOutcome {
      await now.changeEmail(
        Self.typed, Fixtures.password("a fine phrase"), to: new, language: nil, by: Self.requester)
    }
    guard case .obstructed(.invalid(let problems)) = await change(to: "b@example.net") else {
      throw ClaimDesk.Broken(description: "changed")
    }
    #expect(problems.map(\.reason) == [.emailDomainNotAllowed])
    #expect(problems.map(\.field) == [.newEmail])
    guard case .changed = await change(to: "b@example.org") else { throw ClaimDesk.Broken(description: "refused") }
  }

  @Test("a store failure is reported as a failure and not as a refusal")
  func store() async throws {
    let store = FaultyStore(MemoryStore(), failing: 1)
    let now = Registrar(
      rules: Self.rules(["example.org"]), store: store.accounts, hasher: PlainHasher(), network: nil, time: FixedTime())
    guard
      case .obstructed(.store, isPending: false) = await now.register(
        entry(), request: Self.request, by: Self.requester)
    else {
      throw ClaimDesk.Broken(description: "judged")
    }
  }
}
