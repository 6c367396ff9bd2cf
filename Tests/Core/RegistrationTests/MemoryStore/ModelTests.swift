import AddressNormalization
import Registration
import StoreModels
import TestDoubles
import Testing

@Suite("Random runs against a simple model, in memory")
struct ModelTests {
  @Test("the store always has what the model has", arguments: [false, true], 1...40)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    // a restart keeps the store: only what the process had besides is gone
    let store = MemoryStore()
    var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) { store }
    try await run.go(steps: 150)
  }

  @Test(
    "and so it has where each start is another regd's, which takes over what the one before had claimed",
    arguments: 1...40)
  func takenOver(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    let store = MemoryStore()
    var starts = 0
    var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: true) {
      starts += 1
      return ColleagueStore(store, Claimant("regd \(starts)", lease: .zero))
    }
    try await run.go(steps: 150)
  }
}
