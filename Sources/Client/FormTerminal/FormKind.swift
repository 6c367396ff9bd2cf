/// One of the forms, by regd's names.
package enum FormKind: String, CaseIterable, Sendable {
  case registration, signIn, recovery

  /// regd's names of what can be typed.
  package enum Field: String, CaseIterable, Sendable {
    case email, password, passwordConfirmation, code

    /// Whether the screen hides what is typed.
    var isSecret: Bool {
      switch self {
      case .password, .passwordConfirmation: true
      case .email, .code: false
      }
    }
  }

  /// Name of the state's member that enables the button.
  var enabledMember: String {
    switch self {
    case .registration: "registrationEnabled"
    case .signIn: "signInEnabled"
    case .recovery: "recoveryEnabled"
    }
  }
}
