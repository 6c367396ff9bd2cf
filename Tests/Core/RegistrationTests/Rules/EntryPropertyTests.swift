import AddressNormalization
import StoreConformance
import TestDoubles
import Testing

@testable import Registration

/// Properties of every entry, checked with random entries. A failure shows the seed and the entry.
@Suite("Random entries")
struct EntryPropertyTests {
  private static let normalizer = UnicodeNormalizer()

  /// The default rules, those of the simplest form, and narrow rules with a list of breached passwords.
  private static let rules = [
    RegistrationRules(email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
    RegistrationRules(
      email: EmailRules(normalizer: normalizer),
      password: PasswordPolicy(
        minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false, normalizer: normalizer)),
    RegistrationRules(
      email: EmailRules(maximumLength: 40, blockedDomains: ["example.com"], normalizer: normalizer),
      password: PasswordPolicy(
        minimumLength: 3, maximumLength: 18, breached: BreachedWords { $0.count % 7 == 0 }, normalizer: normalizer)),
  ]

  private static let seeds = 1...9

  /// Calls `body` for a few hundred entries.
  private func forEach(
    _ seed: Int, _ body: (RegistrationRules, SpelledEntry, _ context: Comment) async throws -> Void
  ) async rethrows {
    let rules = Self.rules[seed % Self.rules.count]
    var grammar = EntryGrammar(seed: seed, rules: rules)
    for number in 0..<300 {
      let entry = grammar.next()
      try await body(rules, entry, "seed \(seed), entry \(number): \(entry)")
    }
  }

  @Test("registration is enabled exactly if the entry has no problem, and then the address is valid", arguments: seeds)
  func enabled(_ seed: Int) async {
    var enabled = 0
    await forEach(seed) { rules, entry, context in
      let validation = rules.check(entry.entry())
      #expect(validation.registrationEnabled == validation.problems.isEmpty, context)
      #expect(validation.emailValid == !validation.problems.contains { $0.field == .email }, context)
      #expect(validation.registrationEnabled == (validation.emailValid && validation.passwordValid), context)
      if validation.registrationEnabled { enabled += 1 }
    }
    // otherwise the entries would test nothing
    #expect((10..<250).contains(enabled), "seed \(seed): \(enabled) valid ones")
  }

  @Test("registration and validation never disagree", arguments: seeds)
  func agreement(_ seed: Int) async {
    await forEach(seed) { rules, entry, context in
      let validation = rules.check(entry.entry())
      let outcome = await registrar(rules).register(entry.entry())
      switch outcome {
      case .obstructed(.invalid(let problems), _):
        #expect(!problems.isEmpty && problems == validation.problems, context)
      case .registered(let account): #expect(validation.problems.isEmpty && account.email == validation.email, context)
      default: Issue.record("\(outcome) of \(context)")
      }
    }
  }

  @Test("problems come in the order of their reasons, each once and with the right field", arguments: seeds)
  func order(_ seed: Int) async throws {
    let order = Problem.Reason.allCases
    await forEach(seed) { rules, entry, context in
      let problems = rules.check(entry.entry()).problems
      let places = problems.compactMap { order.firstIndex(of: $0.reason) }
      #expect(zip(places, places.dropFirst()).allSatisfy(<), "\(problems.map(\.reason.rawValue)) of \(context)")
      for problem in problems {
        let isOfConfirmation = [.confirmationMissing, .mismatch].contains(problem.reason)
        let field = isOfConfirmation ? "passwordConfirmation" : "\(problem.reason.rawValue.prefix { $0 != "." })"
        #expect(problem.field.rawValue == field, context)
      }
    }
  }

  @Test("each message is a sentence and contains no password", arguments: seeds)
  func messages(_ seed: Int) async {
    // part of every message: the password "example.com", for example, is a part of some messages
    let always = Self.rules.flatMap { rules in
      [nil, "a", "a@b", "a.@b.cd", "@\n", "\(String(repeating: "a", count: 255))@b.cd"].flatMap { email in
        [nil, "🂡", "\(String(repeating: "🂡", count: 300))"].flatMap { password in
          rules.check(
            RegistrationEntry(
              email: email, password: password.map(Fixtures.password), passwordConfirmation: nil)
          ).problems.map(\.message)
        }
      }
    }.joined(separator: "\n")
    await forEach(seed) { rules, entry, context in
      for message in rules.check(entry.entry()).problems.map(\.message) {
        #expect(message.hasSuffix(".") && message.first?.isUppercase == true, "\(message) of \(context)")
        #expect(!message.contains("\n") && !message.contains("\0"), "\(message) of \(context)")
        for secret in [entry.password, entry.confirmation].compactMap({ $0?.typed }) where secret.count > 3 {
          #expect(always.contains(secret) || !message.contains(secret), "\(message) of \(context)")
        }
      }
    }
  }

  @Test("the key of a key is the same key", arguments: seeds)
  func stable(_ seed: Int) async {
    await forEach(seed) { rules, entry, context in
      guard let key = rules.check(entry.entry()).email?.key else { return }
      let again = rules.email.addressOfAccount(key.value)
      #expect((try? again.get().key) == key, "\(again) of \(context)")
    }
  }

  @Test("composed and decomposed spellings get the same verdict", arguments: seeds)
  func normalForms(_ seed: Int) async {
    await forEach(seed) { rules, entry, context in
      let typed = rules.check(entry.entry())
      let decomposed = rules.check(entry.entry { $0.decomposed })
      let composed = rules.check(entry.entry { SpelledEntry.composed($0.typed) })
      for other in [decomposed, composed] {
        #expect(other.problems.map(\.reason) == typed.problems.map(\.reason), context)
        #expect(other.email?.key == typed.email?.key, context)
      }
    }
  }

  @Test("a valid entry registers once and signs in with every spelling", arguments: seeds)
  func registered(_ seed: Int) async {
    await forEach(seed) { rules, entry, context in
      guard rules.check(entry.entry()).registrationEnabled, let email = entry.email, let password = entry.password
      else {
        return
      }
      let registrar = registrar(rules)
      guard case .registered(let account) = await registrar.register(entry.entry()) else {
        Issue.record(context)
        return
      }
      #expect(account.email.typed.utf8.elementsEqual(email.typed.utf8), context)
      #expect(account.state == .active, context)
      #expect(await registrar.register(entry.entry { $0.decomposed }) == .taken, context)
      #expect(await registrar.checkAvailability(email.decomposed, for: .daemon) == .unavailable, context)
      for address in [email.typed, email.decomposed, email.otherCase, account.email.key.value] {
        for typed in [password.typed, password.decomposed] {
          let outcome = await registrar.signIn(
            email: address, password: SpelledEntry.password(typed), by: Requester(uid: 1, pid: 2))
          #expect(outcome == .signedIn(account), "as \(StoreConformance.escaped(address)): \(context)")
        }
      }
      let wrong = await registrar.signIn(
        email: email.typed, password: SpelledEntry.password(password.typed + "x"), by: Requester(uid: 1, pid: 2))
      #expect(wrong == .refused(.rejected), context)
    }
  }

  @Test("the fast path accepts only entries without a problem", arguments: seeds)
  func quick(_ seed: Int) async {
    func bytes(_ text: Spelled?) -> [UInt8] { Array((text?.typed ?? "").utf8) }
    var certain = 0
    await forEach(seed) { rules, entry, context in
      let isCertain = bytes(entry.email).withUnsafeBytes { email in
        bytes(entry.password).withUnsafeBytes { password in
          bytes(entry.confirmation).withUnsafeBytes {
            rules.certainlyAccepts(email: email, password: password, confirmation: $0)
          }
        }
      }
      guard isCertain else { return }
      certain += 1
      let validation = rules.check(entry.entry())
      #expect(validation.problems.isEmpty, "\(validation.problems.map(\.reason.rawValue)) of \(context)")
      #expect(validation.email?.key.value == entry.email?.typed.lowercased(), context)
    }
    #expect(certain > 0, "seed \(seed)")
  }

  private func registrar(_ rules: RegistrationRules) -> Registrar {
    Registrar(
      rules: rules, store: MemoryStore().accounts, hasher: PlainHasher(), network: nil, time: FixedTime(), signIns: nil)
  }
}

/// A list of breached passwords that is defined by a rule.
struct BreachedWords: BreachedPasswordList {
  let isBreached: @Sendable ([UInt8]) -> Bool

  init(_ isBreached: @escaping @Sendable ([UInt8]) -> Bool) { self.isBreached = isBreached }

  func contains(_ password: UnsafeRawBufferPointer) -> Bool { isBreached([UInt8](password)) }
}
