import AddressNormalization
import TestDoubles

@testable import Registration

extension Registrar {
  private static let rules: RegistrationRules = {
    let normalizer = UnicodeNormalizer()
    return RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
  }()
  private static let key = CodeKey.random()

  /// A registrar whose store gives the answers of a script, and whose clock does not advance. No wrong password causes a
  /// wait.
  ///
  /// - Parameter code: Returns the code of a claim, given the claim's id, a space, and the number of the code.
  init(
    over script: StoreScript, _ terms: VerificationTerms, at now: Timestamp,
    code: @escaping @Sendable (String) -> UInt64 = { _ in 123_456 }, faults: @escaping FaultObserver = { _ in }
  ) {
    self.init(
      rules: Self.rules, store: ScriptedStore(script: script).accounts, hasher: PlainHasher(), network: nil,
      time: FixedTime(now), signIns: nil, verification: terms,
      codes: ClaimCodes(ChosenCodes(code: code)) { Self.key }, faults: faults)
  }
}

/// Codes that a test chooses, instead of digits of a hash.
private struct ChosenCodes: CodeHashing {
  let code: @Sendable (String) -> UInt64

  /// `ClaimCodes` takes a code's digits from the first eight bytes.
  func hash(_ message: [UInt8], key: CodeKey) -> [UInt8] {
    let number = code(String(decoding: message, as: UTF8.self))
    return (0..<32).map { index in
      index < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) : 0
    }
  }

  func digest(_ message: [UInt8]) -> [UInt8] { message }

  func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }
}
