/// regctl's own texts on the screens of `regctl form`. The other texts come from regd. Labels share a column, and
/// should be short.
package enum FormScreenMessageKey: String, MessageKey {
  case registration = "regctl.form.registration: Register an account"
  case signIn = "regctl.form.signIn: Sign in"
  case recovery = "regctl.form.recovery: Set a new password"
  case email = "regctl.form.email: Email address"
  case password = "regctl.form.password: Password"
  case passwordConfirmation = "regctl.form.passwordConfirmation: Password again"
  case newPassword = "regctl.form.newPassword: New password"
  case newPasswordConfirmation = "regctl.form.newPasswordConfirmation: New password again"
  case code = "regctl.form.code: Code"
  case invitation = "regctl.form.invitation: Invitation"
  case terms = "regctl.form.terms: Terms"
  case registering = "regctl.form.registering: Registering"
  case confirming = "regctl.form.confirming: Confirming"
  case signingIn = "regctl.form.signingIn: Signing in"
  case askingForCode = "regctl.form.askingForCode: Requesting a code"
  case settingPassword = "regctl.form.settingPassword: Setting the password"
  case codeOnItsWay = "regctl.form.codeOnItsWay: A code is on its way to {email}."
  case codeIfAccount = "regctl.form.codeIfAccount: If {email} has an account, a code is on its way to this address."
  case codeAgain = "regctl.form.codeAgain: The code is being sent again."
  case acceptTerms = "regctl.form.acceptTerms: Press Space to accept the terms."
  case acceptTermsAt = "regctl.form.acceptTermsAt: Read the terms at {url}, then press Space to accept."
  case notUTF8 = "regctl.form.notUTF8: The input is not UTF-8 and was ignored."
  case noRoom = "regctl.form.noRoom: This field is full."
  /// The keys that can be pressed, in one line.
  case keys = "regctl.form.keys: Enter: continue  Esc: leave  Tab, Shift-Tab: next, previous  Ctrl-U: clear"
}

/// The labels of the buttons of `regctl form`.
package enum FormButton: String, MessageKey {
  case register = "regctl.form.button.register: Register"
  case confirm = "regctl.form.button.confirm: Confirm"
  case signIn = "regctl.form.button.signIn: Sign in"
  case mailCode = "regctl.form.button.mailCode: Send a code"
  case setPassword = "regctl.form.button.setPassword: Set the password"
  case mailAgain = "regctl.form.button.mailAgain: Send the code again"
  /// Follows the label of a button that cannot be pressed.
  case disabled = "regctl.form.button.disabled: (disabled)"
}
