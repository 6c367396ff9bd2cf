import AddressNormalization
import PasswordHashing
import TestKit
import Testing

@testable import Registration

@Suite("Traces of random callers against the model of claims", .timeLimit(.minutes(10)))
struct ClaimTraceTests {
  @Test("what the store answers to four callers at once is what the model says", arguments: 1...20)
  func runs(_ seed: Int) async throws {
    let store = RecordingStore(MemoryStore())
    let clock = MovedTime()
    let codes = ClaimCodes(SodiumCodeHashing()) { store.codeKey }
    let normalizer = UnicodeNormalizer()
    let terms = VerificationTerms(
      isRequired: true, claim: .seconds(300), code: .seconds(60), attempts: 3, resend: .seconds(10), hasMail: true)
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store, hasher: PlainHasher(), network: nil, time: clock, verification: terms, codes: codes)
    var trace = ClaimTrace(seed: UInt64(seed), registrar, store, codes, clock)
    #expect(try await trace.run(rounds: 40) > 200)
  }
}

extension MovedTime: ClaimTrace.Clock {}
