/// What a screen of a form consists of: without a claim the one of the entry, with a claim the one of its code.
struct FormScreen {
  let kind: FormKind
  let claim: FormState.Claim?

  /// The address stands on the code's screen, too: whoever has mistyped it sees it there, and goes back by changing it.
  var fields: [FormKind.Field] {
    switch (kind, claim) {
    case (.registration, nil): [.email, .password, .passwordConfirmation]
    case (.registration, _?): [.email, .code]
    case (.signIn, _): [.email, .password]
    case (.recovery, nil): [.email]
    case (.recovery, _?): [.email, .code, .password, .passwordConfirmation]
    }
  }

  func label(of field: FormKind.Field) -> String {
    switch (field, kind) {
    case (.email, _): "E-mail address"
    case (.code, _): "Code"
    case (.password, .recovery): "New password"
    case (.password, _): "Password"
    case (.passwordConfirmation, .recovery): "New password again"
    case (.passwordConfirmation, _): "Password again"
    }
  }

  var title: String {
    switch kind {
    case .registration: "Register an account"
    case .signIn: "Sign in"
    case .recovery: "Set another password"
    }
  }

  /// A sentence below the title; nil for none.
  var hint: String? {
    guard let claim else { return nil }
    return kind == .recovery
      ? "If \(claim.email) has an account, a code is on its way to it." : "A code is on its way to \(claim.email)."
  }

  /// The button that submits.
  var button: String {
    switch (kind, claim) {
    case (.registration, nil): "Register"
    case (.registration, _?): "Confirm"
    case (.signIn, _): "Sign in"
    case (.recovery, nil): "Mail a code"
    case (.recovery, _?): "Set the password"
    }
  }

  /// The button below it; nil for none.
  var resendButton: String? { claim == nil ? nil : "Mail it again" }

  var activity: String {
    switch (kind, claim) {
    case (.registration, nil): "Registering"
    case (.registration, _?): "Confirming"
    case (.signIn, _): "Signing in"
    case (.recovery, nil): "Asking for a code"
    case (.recovery, _?): "Setting the password"
    }
  }
}
