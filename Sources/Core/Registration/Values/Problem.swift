package import Sentences

/// One rule that what was typed breaks.
package struct Problem: Hashable, Sendable {
  package enum Field: String, Sendable, CaseIterable {
    case email, password, passwordConfirmation
    /// Of an owner who changes them.
    case newEmail, newPassword, newPasswordConfirmation
  }

  /// What programs switch on; never changes.
  package enum Reason: String, Sendable, CaseIterable {
    case emailMissing = "email.missing"
    case emailSyntax = "email.syntax"
    case emailDomain = "email.domain"
    case emailTooLong = "email.tooLong"
    case passwordMissing = "password.missing"
    case passwordTooShort = "password.tooShort"
    case passwordTooLong = "password.tooLong"
    case passwordCommon = "password.common"
    case passwordResemblesEmail = "password.resemblesEmail"
    case passwordBreached = "password.breached"
    case confirmationMissing = "password.confirmationMissing"
    case mismatch = "password.mismatch"
  }

  package let field: Field
  package let reason: Reason
  /// What a person is told: which rule, and what would pass.
  package let sentence: Sentence

  package init(_ field: Field, _ reason: Reason, _ sentence: Sentence) {
    self.field = field
    self.reason = reason
    self.sentence = sentence
  }

  /// The same problem with what an owner changes.
  package var ofChange: Problem {
    let changed: Field =
      switch field {
      case .email, .newEmail: .newEmail
      case .password, .newPassword: .newPassword
      case .passwordConfirmation, .newPasswordConfirmation: .newPasswordConfirmation
      }
    return Problem(changed, reason, sentence)
  }
}
