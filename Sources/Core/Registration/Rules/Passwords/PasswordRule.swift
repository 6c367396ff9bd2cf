internal import Localization

/// One rule for passwords. Each case answers two questions: whether a candidate breaks it, and whether an ASCII password
/// certainly keeps it. `PasswordPolicy` asks each of its rules in turn.
///
/// An enum instead of a protocol, because a loop over existentials would copy each of them (measured: 4 ns a rule).
package enum PasswordRule: Sendable {
  /// The fewest code points in NFC, 1 or more. NIST SP 800-63B §5.1.1.2 asks for 8.
  case minimumLength(Int)
  /// The most code points in NFC. NIST SP 800-63B §5.1.1.2 asks to allow at least 64.
  case maximumLength(Int)
  /// The password is not one of those that attackers try first, in any case or width.
  case notCommon
  /// The password is not the address, its local part, its domain or the domain's first label, in any case or width. Only the
  /// whole password is compared.
  case notLikeEmail
  /// The password is not one of those that leaks have made public.
  indirect case notBreached(any BreachedPasswordList)

  /// The problem of a password that breaks the rule, or nil if it keeps the rule.
  func problem(with candidate: PasswordCandidate) -> Problem? {
    switch self {
    case .minimumLength(let length):
      guard candidate.codePointCount < length else { return nil }
      return Problem(
        .password, .passwordTooShort,
        LocalizedMessage(
          PasswordMessageKey.tooShort, ["limit": .number(length), "count": .number(candidate.codePointCount)]))
    case .maximumLength(let length):
      guard candidate.codePointCount > length else { return nil }
      return Problem(
        .password, .passwordTooLong,
        LocalizedMessage(
          PasswordMessageKey.tooLong, ["limit": .number(length), "count": .number(candidate.codePointCount)]))
    case .notCommon:
      guard let folded = candidate.folded, CommonPasswords.contains(folded) else { return nil }
      return Problem(.password, .passwordCommon, LocalizedMessage(PasswordMessageKey.common))
    case .notLikeEmail:
      guard let folded = candidate.folded, let email = candidate.foldedEmail(),
        EmailLikeness.resembles(folded, email)
      else { return nil }
      return Problem(.password, .passwordResemblesEmail, LocalizedMessage(PasswordMessageKey.resemblesEmail))
    case .notBreached(let list):
      guard candidate.password.withBytes({ list.contains($0) }) else { return nil }
      return Problem(.password, .passwordBreached, LocalizedMessage(PasswordMessageKey.breached))
    }
  }

  /// Whether an ASCII password certainly keeps the rule. Called for every `registration.validate`, so it allocates nothing.
  ///
  /// - Returns: True only if `problem` would return nil. False proves nothing.
  func isCertainlyKept(by entry: PlainEntry) -> Bool {
    switch self {
    case .minimumLength(let length): entry.password.count >= length
    case .maximumLength(let length): entry.password.count <= length
    case .notCommon: !CommonPasswords.mayContain(entry.password)
    case .notLikeEmail: !EmailLikeness.resembles(entry)
    case .notBreached(let list): !list.contains(entry.password)
    }
  }
}

/// The password under judgement: any text except the empty one. The buffer `folded` is valid during the call only.
struct PasswordCandidate {
  let password: Password
  let codePointCount: Int
  /// The password in NFKC, case-folded, or nil if it is too long to be an address or common.
  let folded: UnsafeRawBufferPointer?
  /// The address as it was typed, valid or not.
  let email: String?
  let normalizer: any TextNormalizer

  /// The address in NFKC, case-folded, or nil if it is missing or too long for an address.
  func foldedEmail() -> [UInt8]? {
    // three times the limit, because a keyboard may send decomposed characters, and NFC makes these at most three times
    // shorter
    email.flatMap { $0.utf8.count <= 3 * EmailLikeness.longestEmail ? normalizer.folded($0) : nil }
  }
}

/// The entry for the hot path: an ASCII password, and an address in which `PlainAddress` has found the @. The buffers are valid
/// during the call only.
struct PlainEntry {
  let password: UnsafeRawBufferPointer
  let email: UnsafeRawBufferPointer
  /// The index of the @ in `email`.
  let at: Int
}
