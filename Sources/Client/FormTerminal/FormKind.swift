/// The kinds of forms. The raw values are regd's names.
package enum FormKind: String, CaseIterable, Sendable {
  case registration, signIn, recovery

  /// The fields of forms. The raw values are regd's names.
  package enum Field: String, CaseIterable, Sendable {
    case email, password, passwordConfirmation, code, invitation, terms

    /// The fields that the configuration may require.
    static let asked: [Field] = [.invitation, .terms]

    /// Whether the screen hides the typed text.
    var isSecret: Bool {
      switch self {
      case .password, .passwordConfirmation: true
      case .email, .code, .invitation, .terms: false
      }
    }
  }

  /// The member of regd's form state that shows whether the submit button is enabled.
  var enabledMember: String {
    switch self {
    case .registration: "registrationEnabled"
    case .signIn: "signInEnabled"
    case .recovery: "recoveryEnabled"
    }
  }
}
