import AddressNormalization
import Registration
import StoreModels
import TestDoubles
import Testing

/// If a registration waits forever, the time limit cancels its task. The limit has no other effect.
@Suite("Concurrent random registrations, in memory", .timeLimit(.minutes(10)))
struct ParallelTests {
  @Test(
    "every acknowledged registration exists once, and its repeat gets the same answer",
    arguments: [false, true], 1...100)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    var run = ParallelRun(seed: seed, rules: rules, hasUpstream: hasUpstream, store: MemoryStore().accounts)
    try await run.go(groups: 4)
  }
}
