import AddressNormalization
import Registration
import SQLiteStore
import StoreModels
import TestDoubles
import TestKit
import Testing

/// If a registration hangs, the time limit cancels its task. The limit decides nothing else.
@Suite("Random registrations at once, in SQLite", .timeLimit(.minutes(10)))
struct ParallelTests {
  @Test(
    "every acknowledged registration is stored once, and a repeat gets the same answer",
    arguments: [false, true], 1...25)
  func runs(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    try await withTemporaryDirectory { directory in
      let store = try SQLiteStore(path: "\(directory)/regd.db")
      var run = ParallelRun(seed: seed, rules: rules, hasUpstream: hasUpstream, store: store.accounts)
      try await run.go(groups: 4)
    }
  }
}
