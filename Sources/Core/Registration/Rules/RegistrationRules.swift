/// What was typed into a registration form.
package struct RegistrationEntry: Sendable {
  package var email: String?
  package var password: Password?
  package var passwordConfirmation: Password?

  package init(email: String?, password: Password?, passwordConfirmation: Password?) {
    self.email = email
    self.password = password
    self.passwordConfirmation = passwordConfirmation
  }
}

/// What the rules say of an entry.
package struct Validation: Sendable {
  /// The address, where it is valid.
  package let email: EmailAddress?
  /// Every rule that is broken: the address's, the password's, the confirmation's.
  package let problems: [Problem]

  package var emailValid: Bool { email != nil }

  /// Whether password and confirmation are both in order; with a valid address that is all there is to ask.
  package var passwordValid: Bool { !problems.contains { $0.field != .email } }

  package var registrationEnabled: Bool { problems.isEmpty }
}

/// All rules for registering. `registration.validate` and `registration.register` ask the same value.
package struct RegistrationRules: Sendable {
  package let email: EmailRules
  package let password: PasswordPolicy

  package init(email: EmailRules, password: PasswordPolicy) {
    self.email = email
    self.password = password
  }

  package func check(_ entry: RegistrationEntry) -> Validation {
    let passwordProblems = password.problems(
      password: entry.password, confirmation: entry.passwordConfirmation, email: entry.email)
    switch email.check(entry.email) {
    case .success(let address): return Validation(email: address, problems: passwordProblems)
    case .failure(let refusal): return Validation(email: nil, problems: refusal.problems + passwordProblems)
    }
  }
}
