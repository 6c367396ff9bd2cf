import AddressNormalization
import PasswordHashing
import Registration
import SQLiteStore
import StoreModels
import TestDoubles
import TestKit
import Testing

@Suite("Traces of random callers against the model of claims, in SQLite", .timeLimit(.minutes(10)))
struct ClaimTraceTests {
  @Test("the store gives four concurrent callers the answers that the model predicts", arguments: 1...6)
  func runs(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    try await withTemporaryDirectory { directory in
      let store = try SQLiteStore(path: "\(directory)/regd.db")
      var trace = ClaimTrace(seed: seed, over: store.accounts, rules, SodiumCodeHashing())
      let steps = try await trace.run(rounds: 40)
      #expect(steps > 200)
    }
  }
}
