import AddressNormalization
import Registration
import StoreModels
import TestDoubles
import Testing

/// Should a registration wait for ever, the limit cancels its task; the limit decides nothing else.
@Suite("Random registrations at once, in memory", .timeLimit(.minutes(10)))
struct ParallelTests {
  @Test("what was acknowledged is there, once, and is answered again", arguments: [false, true], 1...100)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    var run = ParallelRun(seed: seed, rules: rules, hasUpstream: hasUpstream, store: MemoryStore())
    try await run.go(groups: 4)
  }
}
