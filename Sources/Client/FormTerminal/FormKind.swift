/// One of the forms, under regd's names.
package enum FormKind: String, CaseIterable, Sendable {
  case registration, signIn, recovery

  /// regd's names of the fields.
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

  /// The name of the state's member that enables the button.
  var enabledMember: String {
    switch self {
    case .registration: "registrationEnabled"
    case .signIn: "signInEnabled"
    case .recovery: "recoveryEnabled"
    }
  }
}
