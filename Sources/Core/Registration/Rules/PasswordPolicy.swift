internal import Wiping

/// Which passwords regd takes: long enough, not too long, not what everybody has, not the address itself.
///
/// No rules of composition, on the advice of NIST SP 800-63B §5.1.1.2.
package struct PasswordPolicy: Sendable {
  /// Code points in NFC; at least 1. NIST asks for 8.
  package var minimumLength: Int
  /// Code points in NFC; NIST asks for at least 64.
  package var maximumLength: Int
  package var refuseCommon: Bool
  package var refuseResemblingEmail: Bool
  private let normalizer: any TextNormalizer
  /// The passwords that leaks have made public; nil where the operator has no such list.
  let breached: (any BreachedPasswordList)?
  /// Asked first where there is mostly none: to look at the list itself is to copy a reference to it.
  let hasBreachedList: Bool

  package init(
    minimumLength: Int = 8, maximumLength: Int = 256, refuseCommon: Bool = true, refuseResemblingEmail: Bool = true,
    breached: (any BreachedPasswordList)? = nil, normalizer: any TextNormalizer
  ) {
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.refuseCommon = refuseCommon
    self.refuseResemblingEmail = refuseResemblingEmail
    self.breached = breached
    hasBreachedList = breached != nil
    self.normalizer = normalizer
  }

  package static let missing = Problem(.password, .passwordMissing, "A password is needed.")

  /// Every rule that the pair breaks, in a fixed order. Nil and "" are missing.
  ///
  /// - Parameter email: The address as it was typed, valid or not.
  package func problems(password: Password?, confirmation: Password?, email: String?) -> [Problem] {
    var problems: [Problem] = []
    if let password, !password.isEmpty {
      problems += self.problems(of: password, email: email)
    } else {
      problems.append(Self.missing)
    }
    if let confirmation, !confirmation.isEmpty {
      if let password, !password.isEmpty, !password.isSame(as: confirmation) {
        problems.append(
          Problem(.passwordConfirmation, .mismatch, "The password and its confirmation are not the same."))
      }
    } else {
      problems.append(
        Problem(.passwordConfirmation, .confirmationMissing, "The password is needed a second time, to confirm it."))
    }
    return problems
  }

  private func problems(of password: Password, email: String?) -> [Problem] {
    var problems: [Problem] = []
    let length = password.codePointCount
    if length < minimumLength {
      problems.append(
        Problem(
          .password, .passwordTooShort,
          "A password needs at least \(minimumLength) characters; this one has \(length)."))
    }
    if length > maximumLength {
      problems.append(
        Problem(
          .password, .passwordTooLong,
          "A password may have at most \(maximumLength) characters; this one has \(length)."))
    }
    problems += guessable(password, email: email)
    if let breached, password.withBytes({ breached.contains($0) }) {
      problems.append(
        Problem(
          .password, .passwordBreached,
          "This password is on a list of passwords that were stolen elsewhere; choose one that you use nowhere else."))
    }
    return problems
  }

  /// What is tried first: common passwords and the address.
  private func guessable(_ password: Password, email: String?) -> [Problem] {
    // Folding makes text at most four times shorter (a mathematical letter becomes an ASCII one), so nothing this long is
    // an address or common; and folding what is long costs time that everybody else on the event loop waits for.
    guard password.withBytes({ $0.count }) <= 4 * Self.longestEmail else { return [] }
    var problems: [Problem] = []
    var folded = password.withBytes { normalizer.folded($0) }
    defer { wipe(&folded) }
    if refuseCommon, CommonPasswords.contains(folded) {
      problems.append(
        Problem(
          .password, .passwordCommon, "This password is among those that everybody tries first; choose another."))
    }
    if refuseResemblingEmail, let email, resembles(folded, email) {
      problems.append(
        Problem(.password, .passwordResemblesEmail, "The password must not be the e-mail address or a part of it."))
    }
    return problems
  }

  /// Bytes; RFC 5321 §4.5.3.1.3 has 256 for a path.
  private static let longestEmail = 256

  /// Whether the whole password is the address, its local part, its domain or the domain's first label.
  private func resembles(_ folded: [UInt8], _ email: String) -> Bool {
    // three times: taken apart, as a keyboard may send it
    guard email.utf8.count <= 3 * Self.longestEmail else { return false }  // no address, and not worth folding
    let address = normalizer.folded(email)
    if folded == address { return true }
    guard let at = address.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let domain = address[(at + 1)...]
    return folded.elementsEqual(address[..<at]) || folded.elementsEqual(domain)
      || folded.elementsEqual(domain.prefix { $0 != UInt8(ascii: ".") })
  }
}
