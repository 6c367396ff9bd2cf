internal import Localization

/// The fields that a person typed into a registration form.
package struct RegistrationEntry: Sendable {
  package var email: String?
  package var password: Password?
  package var passwordConfirmation: Password?
  /// The typed code of an invitation. Nil and "" mean no invitation.
  package var invitation: String?
  /// The version of the terms that the person accepts. Nil and "" mean no version.
  package var terms: String?
  /// The name by which the person wants to be called. Nil and "" mean no name.
  package var displayName: String?

  package init(
    email: String? = nil, password: Password? = nil, passwordConfirmation: Password? = nil, invitation: String? = nil,
    terms: String? = nil, displayName: String? = nil
  ) {
    self.displayName = displayName
    self.invitation = invitation
    self.terms = terms
    self.email = email
    self.password = password
    self.passwordConfirmation = passwordConfirmation
  }

  /// The code of an invitation, or nil if no code is given.
  var givenInvitation: String? { invitation.flatMap { $0.isEmpty ? nil : $0 } }
}

/// The verdict of the rules on an entry.
package struct Validation: Sendable {
  /// The address, or nil if it breaks a rule.
  package let email: EmailAddress?
  /// The display name, or nil if it is missing or breaks a rule.
  let displayName: DisplayName?
  /// Whether the password and its confirmation break no rule except those that the operator may have changed since a
  /// registration with this password began.
  let isPasswordComplete: Bool
  /// Every rule that the entry breaks: for the address, the password, the confirmation, the invitation, the terms,
  /// then the display name.
  package let problems: [Problem]
  /// Whether registration is closed.
  let isClosed: Bool

  package var emailValid: Bool { email != nil }

  /// Whether password and confirmation break no rule.
  package var passwordValid: Bool { !problems.contains { $0.field == .password || $0.field == .passwordConfirmation } }

  package var registrationEnabled: Bool { problems.isEmpty && !isClosed }
}

/// All rules for registering. `registration.validate` and `registration.register` use the same value.
package struct RegistrationRules: Sendable {
  /// The identity of one configuration's rules. A copy of the rules has the same identity.
  final class Edition: Sendable {}

  let edition = Edition()
  package let email: EmailRules
  package let password: PasswordPolicy
  package let mode: AdmissionTerms.Mode
  /// The terms to accept, or nil if there are no terms.
  package let terms: TermsOfUse?

  package init(
    email: EmailRules, password: PasswordPolicy, mode: AdmissionTerms.Mode = .open, terms: TermsOfUse? = nil
  ) {
    self.email = email
    self.password = password
    self.mode = mode
    self.terms = terms
  }

  package func check(_ entry: RegistrationEntry) -> Validation {
    let passwordProblems = password.problems(
      password: entry.password, confirmation: entry.passwordConfirmation, email: entry.email)
    let name = self.displayName(entry.displayName)
    let problems = passwordProblems + problemsOfToday(entry) + (name?.problems ?? [])
    let displayName = try? name?.get()
    let isComplete = passwordProblems.allSatisfy(\.isOfPasswordRule)
    switch email.check(entry.email) {
    case .success(let address):
      return Validation(
        email: address, displayName: displayName, isPasswordComplete: isComplete, problems: problems,
        isClosed: mode == .closed)
    case .failure(let refusal):
      return Validation(
        email: nil, displayName: displayName, isPasswordComplete: isComplete, problems: refusal.problems + problems,
        isClosed: mode == .closed)
    }
  }

  /// The address by which regd finds a registration that may have begun under other rules, because the operator may
  /// have changed the rules for addresses, passwords, invitations and terms since. Nil if no rules would have accepted
  /// the entry.
  func standing(_ entry: RegistrationEntry, _ validation: Validation) -> EmailAddress? {
    guard validation.isPasswordComplete else { return nil }
    return validation.email ?? (try? email.addressOfAccount(entry.email).get())
  }

  /// Whether an address and a password are enough to register.
  private var needsNoMore: Bool { mode == .open && terms == nil }

  private func problemsOfToday(_ entry: RegistrationEntry) -> [Problem] {
    var problems: [Problem] = []
    if mode == .invited, entry.givenInvitation == nil {
      problems.append(Problem(.invitation, .invitationMissing, LocalizedMessage(InvitationMessageKey.missing)))
    }
    if let terms { problems += self.problems(accepting: entry.terms, terms) }
    return problems
  }

  /// The problem with the version of the terms that a person accepts. Empty if it is the present version.
  package func problems(accepting version: String?, _ terms: TermsOfUse) -> [Problem] {
    guard let version, !version.isEmpty else {
      return [
        Problem(.terms, .termsMissing, LocalizedMessage(TermsMessageKey.missing, ["version": .text(terms.version)]))
      ]
    }
    guard !version.utf8.elementsEqual(terms.version.utf8) else { return [] }
    return [
      Problem(.terms, .termsOutdated, LocalizedMessage(TermsMessageKey.outdated, ["version": .text(terms.version)]))
    ]
  }

  /// Reads a typed display name, as `DisplayName.check` does.
  func displayName(_ typed: String?) -> Result<DisplayName, DisplayNameRefusal>? {
    DisplayName.check(typed, password.normalizer)
  }

  /// The hot path for most entries, which have an ASCII address, an ASCII password and no problems. Allocates nothing.
  ///
  /// True is certain: `check` would find no problem, and the address's key is the address in lower case. False proves
  /// nothing.
  ///
  /// - Parameters: The three fields as they were typed, in UTF-8.
  package func certainlyAccepts(
    email: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, confirmation: UnsafeRawBufferPointer
  ) -> Bool {
    guard needsNoMore, let at = self.email.certainlyAccepts(email), ASCII.areEqual(password, confirmation) else {
      return false
    }
    return self.password.certainlyAccepts(PlainEntry(password: password, email: email, at: at))
  }
}

extension Problem {
  /// Whether a password breaks a rule that the operator may have changed since the password was accepted.
  fileprivate var isOfPasswordRule: Bool {
    switch reason {
    case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordResemblesEmail, .passwordBreached: true
    default: false
    }
  }
}
