package import Localization

/// One rule that an entry breaks.
package struct Problem: Hashable, Sendable {
  package enum Field: String, Sendable, CaseIterable {
    case email, password, passwordConfirmation
    /// The fields with which an owner changes the address or the password.
    case newEmail, newPassword, newPasswordConfirmation
    case invitation, terms, domain, displayName
  }

  /// Stable names for programs, which never change.
  package enum Reason: String, Sendable, CaseIterable {
    case emailMissing = "email.missing"
    case emailSyntax = "email.syntax"
    case emailDomain = "email.domain"
    case emailDomainNotAllowed = "email.domainNotAllowed"
    case emailTooLong = "email.tooLong"
    case passwordMissing = "password.missing"
    case passwordTooShort = "password.tooShort"
    case passwordTooLong = "password.tooLong"
    case passwordCommon = "password.common"
    case passwordResemblesEmail = "password.resemblesEmail"
    case passwordBreached = "password.breached"
    case confirmationMissing = "password.confirmationMissing"
    case mismatch = "password.mismatch"
    case invitationMissing = "invitation.missing"
    case termsMissing = "terms.missing"
    case termsOutdated = "terms.outdated"
    case displayNameInvalid = "displayName.invalid"
    case displayNameTooLong = "displayName.tooLong"
  }

  package let field: Field
  package let reason: Reason
  /// The message for a person: the rule, and a value that would satisfy it.
  package let sentence: LocalizedMessage

  package init(_ field: Field, _ reason: Reason, _ sentence: LocalizedMessage) {
    self.field = field
    self.reason = reason
    self.sentence = sentence
  }

  /// The same problem, but about the field with which an owner changes the address or the password.
  package var ofChange: Problem {
    let changed: Field =
      switch field {
      case .email, .newEmail: .newEmail
      case .password, .newPassword: .newPassword
      case .passwordConfirmation, .newPasswordConfirmation: .newPasswordConfirmation
      case .invitation, .terms, .domain, .displayName: field
      }
    return Problem(changed, reason, sentence)
  }
}
