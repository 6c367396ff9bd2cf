/// The texts on the screens of `regctl form`, in addition to those of regd. Labels share a column, and should be short.
package enum FormScreenSentence: String, SentenceKey {
  package static let area = "regctl.form"

  case registration = "Register an account"
  case signIn = "Sign in"
  case recovery = "Set another password"
  case email = "E-mail address"
  case password = "Password"
  case passwordConfirmation = "Password again"
  case newPassword = "New password"
  case newPasswordConfirmation = "New password again"
  case code = "Code"
  case invitation = "Invitation"
  case terms = "Terms"
  case registering = "Registering"
  case confirming = "Confirming"
  case signingIn = "Signing in"
  case askingForCode = "Asking for a code"
  case settingPassword = "Setting the password"
  case codeOnItsWay = "A code is on its way to {email}."
  case codeIfAccount = "If {email} has an account, a code is on its way to it."
  case codeAgain = "The code is on its way again."
  case acceptTerms = "Space accepts them."
  case acceptTermsAt = "Space accepts them; they can be read at {url}."
  case notUTF8 = "The typed text is not UTF-8, and was ignored."
  case noRoom = "There is no room for more in this field."
  /// The keys that can be pressed, in one line.
  case keys = "Enter: go on  Esc: leave  Tab, Shift-Tab: to and fro  Ctrl-U: clear"
}

/// The labels of the buttons of `regctl form`.
package enum FormButton: String, SentenceKey {
  package static let area = "regctl.form.button"

  case register = "Register"
  case confirm = "Confirm"
  case signIn = "Sign in"
  case mailCode = "Mail a code"
  case setPassword = "Set the password"
  case mailAgain = "Mail it again"
  /// Follows the label of a button that cannot be pressed.
  case disabled = "(disabled)"
}
