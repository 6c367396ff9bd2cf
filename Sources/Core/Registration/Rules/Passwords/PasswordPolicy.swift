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
