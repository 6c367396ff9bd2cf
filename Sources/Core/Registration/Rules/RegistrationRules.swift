/// The fields that a person typed into a registration form.
package struct RegistrationEntry: Sendable {
  package var email: String?
  package var password: Password?
  package var passwordConfirmation: Password?

  package init(email: String? = nil, password: Password? = nil, passwordConfirmation: Password? = nil) {
    self.email = email
    self.password = password
    self.passwordConfirmation = passwordConfirmation
  }
}

/// The verdict of the rules on an entry.
package struct Validation: Sendable {
  /// Nil if the address breaks a rule.
  package let email: EmailAddress?
  /// The address, if nothing in the entry but its domain, which the operator does not accept today, breaks a rule.
  let barred: EmailAddress?
  /// Every rule that the entry breaks: for the address, the password, then the confirmation.
  package let problems: [Problem]

  package var emailValid: Bool { email != nil }

  /// Whether password and confirmation break no rule.
  package var passwordValid: Bool { !problems.contains { $0.field != .email } }

  package var registrationEnabled: Bool { problems.isEmpty }
}

/// All rules for registering. `registration.validate` and `registration.register` use the same value.
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
    case .success(let address): return Validation(email: address, barred: nil, problems: passwordProblems)
    case .failure(let refusal):
      return Validation(
        email: nil, barred: passwordProblems.isEmpty ? refusal.barred : nil,
        problems: refusal.problems + passwordProblems)
    }
  }

  /// The hot path for what most people type: an ASCII address and an ASCII password without problems. Allocates nothing.
  ///
  /// True is certain: `check` would find no problem, and the address's key is the address in lower case. False says nothing.
  ///
  /// - Parameters: The three fields as they were typed, in UTF-8.
  package func certainlyAccepts(
    email: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, confirmation: UnsafeRawBufferPointer
  ) -> Bool {
    guard let at = self.email.certainlyAccepts(email), ASCII.areEqual(password, confirmation) else { return false }
    return self.password.certainlyAccepts(PlainEntry(password: password, email: email, at: at))
  }
}
