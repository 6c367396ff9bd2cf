/// One of the two forms: its labels, and regd's names of its fields and members.
package enum FormKind: String, CaseIterable, Sendable {
  case registration, signIn

  package enum Field: String, CaseIterable, Sendable {
    case email, password, passwordConfirmation

    var label: String {
      switch self {
      case .email: "E-mail address"
      case .password: "Password"
      case .passwordConfirmation: "Password again"
      }
    }

    /// Whether the screen hides what is typed.
    var isSecret: Bool { self != .email }
  }

  var fields: [Field] {
    switch self {
    case .registration: [.email, .password, .passwordConfirmation]
    case .signIn: [.email, .password]
    }
  }

  var title: String {
    switch self {
    case .registration: "Register an account"
    case .signIn: "Sign in"
    }
  }

  var button: String {
    switch self {
    case .registration: "Register"
    case .signIn: "Sign in"
    }
  }

  var activity: String {
    switch self {
    case .registration: "Registering"
    case .signIn: "Signing in"
    }
  }

  /// Name of the state's member that enables the button.
  var enabledMember: String {
    switch self {
    case .registration: "registrationEnabled"
    case .signIn: "signInEnabled"
    }
  }
}
