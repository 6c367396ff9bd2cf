import AddressNormalization
import PasswordHashing
import Registration
import StoreModels
import TestDoubles
import Testing

@Suite("Random traces of claims in memory, compared with the model", .timeLimit(.minutes(10)))
struct ClaimTraceTests {
  @Test("the store's answers to four concurrent callers match the model", arguments: 1...20)
  func runs(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    var trace = ClaimTrace(seed: seed, over: MemoryStore().accounts, rules, SodiumCodeHashing())
    let steps = try await trace.run(rounds: 40)
    #expect(steps > 200)
  }
}
