package import Registration
import StoreConformance
import TestDoubles

/// Random concurrent calls of one registrar, and the check that its store answered each recorded operation as the model
/// does.
package struct ClaimTrace {
  private let registrar: Registrar
  private let store: Accounts
  private let trace = OperationTrace()
  private let codes: ClaimCodes
  private let clock = MovedTime()
  private var random: SeededGenerator
  private var claims: [AddressClaim] = []

  private static let emails = ["n0@example.com", "n1@example.com"]
  private static let passwords = ["first fine phrase", "second fine phrase"]

  /// - Parameter store: An empty store. Registrations need proof of the address. Codes and claims soon expire during a
  ///   run.
  package init(seed: Int, over store: Accounts, _ rules: RegistrationRules, _ hashing: any CodeHashing) {
    random = SeededGenerator(seed: UInt64(seed))
    self.store = store
    codes = ClaimCodes(hashing) { store.codeKey }
    let terms = VerificationTerms(
      isRequired: true, claim: .seconds(300), code: .seconds(60), attempts: 3, resend: .seconds(10), hasMail: true)
    registrar = Registrar(
      rules: rules, store: store.with(trace), hasher: PlainHasher(), network: nil, time: clock, verification: terms,
      codes: codes)
  }

  /// - Returns: How many steps the trace has.
  /// - Throws: `Broken`, with the first step whose answer is not the model's.
  package mutating func run(rounds: Int) async throws -> Int {
    for _ in 0..<rounds {
      let calls = (0..<4).map { _ in call() }
      let made = await withTaskGroup(of: AddressClaim?.self) { group in
        for call in calls { group.addTask { await call() } }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
      claims += made.sorted { $0.id < $1.id }
      clock.pass(.seconds(Int64.random(in: 0...20, using: &random)))
      // moves past the span of the mail bounds, so that mails are admitted again
      if Int.random(in: 0..<10, using: &random) == 0 { clock.pass(MailBounds.span) }
    }
    return try check()
  }

  private func check() throws -> Int {
    var model = ClaimModel()
    let steps = trace.steps
    for (number, step) in steps.enumerated() {
      let expected = model.apply(step.operation)
      guard step.answer == expected else {
        throw Broken(
          description: "step \(number), \(step.operation): the store answers \(step.answer), the model \(expected)")
      }
    }
    return steps.count
  }

  /// Makes a random call, which returns the claim that it gets.
  private mutating func call() -> @Sendable () async -> AddressClaim? {
    let registrar = registrar
    let requester = Requester(uid: UInt32.random(in: 1...3, using: &random), pid: 1)
    let email = Self.emails.randomElement(using: &random) ?? ""
    let (one, other) = (password(), password())
    let claim = claims.randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2:
      let request = Bool.random(using: &random) ? RequestKey(uid: requester.uid, id: "r\(email)") : nil
      return {
        let entry = RegistrationEntry(email: email, password: one, passwordConfirmation: one)
        guard case .claimed(let claim) = await registrar.register(entry, request: request, by: requester) else {
          return nil
        }
        return claim
      }
    case 2:
      return {
        guard case .claimed(let claim) = await registrar.startRecovery(email, language: nil, by: requester) else {
          return nil
        }
        return claim
      }
    case 3: return { await Self.nothing(registrar.resend(claim?.id ?? ClaimID(), by: requester)) }
    case 4..<8: return guess(claim, one)
    case 8:
      return {
        await Self.nothing(
          registrar.changePassword(email, one, to: other, confirmation: other, by: requester))
      }
    default:
      return {
        let outcome = await registrar.changeEmail(
          email, one, to: Self.emails[0], language: nil, by: requester)
        if case .claimed(let claim) = outcome { return claim }
        return nil
      }
    }
  }

  /// Makes a call that tries a code: the claim's own or another claim's, as the claim's user or another one.
  private mutating func guess(_ claim: AddressClaim?, _ password: Password) -> @Sendable () async -> AddressClaim? {
    let (registrar, codes, store) = (registrar, codes, store)
    guard let claim else { return { nil } }
    let isOwn = Int.random(in: 0..<4, using: &random) > 0
    let requester = Requester(uid: isOwn ? claim.uid : claim.uid % 3 + 1, pid: 1)
    let other = claims.randomElement(using: &random) ?? claim
    let isRight = Int.random(in: 0..<3, using: &random) > 0
    let now = clock.now()
    return {
      let known = isRight ? try? await store.find(claim.id, at: now) : other
      let code = codes.code(of: known ?? other)
      guard claim.kind == .recovery else {
        return await Self.nothing(registrar.prove(claim.id, code: code, by: requester))
      }
      return await Self.nothing(
        registrar.finishRecovery(
          claim.id, code: code, password: password, confirmation: password, by: requester))
    }
  }

  private mutating func password() -> Password {
    Fixtures.password(Self.passwords.randomElement(using: &random) ?? "")
  }

  private static func nothing(_ outcome: some Sendable) async -> AddressClaim? { nil }
}
