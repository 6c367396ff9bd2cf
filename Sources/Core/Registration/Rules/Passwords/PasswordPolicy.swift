internal import Localization
internal import SecureMemory

/// Decides which passwords regd accepts: a password that breaks none of the `rules`, and that was typed twice in the
/// same way.
///
/// There are no composition rules, as NIST SP 800-63B §5.1.1.2 advises.
package struct PasswordPolicy: Sendable {
  /// The rules in the order in which problems are reported.
  let rules: [PasswordRule]
  let normalizer: any TextNormalizer

  package init(_ rules: [PasswordRule], normalizer: any TextNormalizer) {
    self.rules = rules
    self.normalizer = normalizer
  }

  package static let missing = Problem(.password, .passwordMissing, LocalizedMessage(PasswordMessageKey.missing))

  /// Every rule that the pair breaks, in a fixed order. Nil and "" count as missing.
  ///
  /// - Parameter email: The address as it was typed, valid or not.
  package func problems(password: Password?, confirmation: Password?, email: String?) -> [Problem] {
    var problems: [Problem] = []
    if let password, !password.isEmpty {
      problems += self.problems(of: password, email: email.map(AddressMargins.removed))
    } else {
      problems.append(Self.missing)
    }
    if let confirmation, !confirmation.isEmpty {
      if let password, !password.isEmpty, !password.isSame(as: confirmation) {
        problems.append(
          Problem(.passwordConfirmation, .mismatch, LocalizedMessage(PasswordMessageKey.mismatch)))
      }
    } else {
      problems.append(
        Problem(.passwordConfirmation, .confirmationMissing, LocalizedMessage(PasswordMessageKey.confirmationMissing)))
    }
    return problems
  }

  /// Whether the password certainly breaks no rule, for the hot path. Allocates nothing.
  func certainlyAccepts(_ entry: PlainEntry) -> Bool {
    guard !entry.password.isEmpty, ASCII.isWhole(entry.password) else { return false }
    for rule in rules where !rule.isCertainlyKept(by: entry) { return false }
    return true
  }

  private func problems(of password: Password, email: String?) -> [Problem] {
    // Case-folding in NFKC makes text at most four times shorter (a mathematical letter becomes an ASCII one), so a
    // password beyond this limit can be neither an address nor common. Folding it would only delay all other callers of
    // the event loop.
    let isFolded = password.withBytes { $0.count } <= 4 * EmailLikeness.longestEmail
    var folded = isFolded ? password.withBytes { normalizer.folded($0) } : []
    defer { wipe(&folded) }
    return folded.withUnsafeBytes { folded in
      let candidate = PasswordCandidate(
        password: password, codePointCount: password.codePointCount, folded: isFolded ? folded : nil, email: email,
        normalizer: normalizer)
      return rules.compactMap { $0.problem(with: candidate) }
    }
  }
}

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

/// Compares a password with the address, its local part, its domain and the domain's first label.
enum EmailLikeness {
  /// No address has more bytes: RFC 5321 §4.5.3.1.3 allows 256 for a path, which is an address in angle brackets.
  static let longestEmail = 256

  /// - Parameters: Both are case-folded. The address may be any text.
  static func resembles(_ password: UnsafeRawBufferPointer, _ email: [UInt8]) -> Bool {
    if password.elementsEqual(email) { return true }
    guard let at = email.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let domain = email[(at + 1)...]
    return password.elementsEqual(email[..<at]) || password.elementsEqual(domain)
      || password.elementsEqual(domain.prefix { $0 != UInt8(ascii: ".") })
  }

  /// Compares as the other function does, but on the hot path and for ASCII. Allocates nothing.
  static func resembles(_ entry: PlainEntry) -> Bool {
    let (password, email) = (entry.password, entry.email)
    guard password.count <= email.count else { return false }
    let domain = UnsafeRawBufferPointer(rebasing: email[(entry.at + 1)...])
    let label = UnsafeRawBufferPointer(rebasing: domain[..<(domain.firstIndex(of: UInt8(ascii: ".")) ?? domain.count)])
    return ASCII.areSame(password, email) || ASCII.areSame(password, domain) || ASCII.areSame(password, label)
      || ASCII.areSame(password, UnsafeRawBufferPointer(rebasing: email[..<entry.at]))
  }
}
