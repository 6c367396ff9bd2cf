import AddressNormalization
import Registration
import StoreModels
import TestDoubles
import Testing

@Suite("Random runs against a simple model, in memory")
struct ModelTests {
  @Test("the store always matches the model", arguments: [false, true], 1...40)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    // a restart keeps the store and loses only the rest of the process's state
    let store = MemoryStore()
    var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) { store.accounts }
    try await run.go(steps: 150)
  }

  @Test(
    "the store also matches the model if each start is another regd's, which takes over the leases",
    arguments: 1...40)
  func takenOver(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    let store = MemoryStore()
    var starts = 0
    var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: true) {
      starts += 1
      return ColleagueStore(store, Claimant("regd \(starts)", lease: .zero)).accounts
    }
    try await run.go(steps: 150)
  }
}
