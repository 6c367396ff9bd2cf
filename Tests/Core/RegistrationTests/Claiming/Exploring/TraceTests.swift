import AddressNormalization
import PasswordHashing
import Registration
import StoreModels
import TestDoubles
import Testing

@Suite("Traces of random callers against the model of claims, in memory", .timeLimit(.minutes(10)))
struct ClaimTraceTests {
  @Test("what the store answers to four callers at once is what the model says", arguments: 1...20)
  func runs(_ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    var trace = ClaimTrace(seed: seed, over: MemoryStore(), rules, SodiumCodeHashing())
    let steps = try await trace.run(rounds: 40)
    #expect(steps > 200)
  }
}
