/// What a form does next. The front end shows the first four, and decides nothing.
package enum FormAction: Sendable {
  case activityStarted
  case activityEnded
  case alert(FormAlert)
  case navigate(FormDestination)
  /// Register this, and tell the form how that ended.
  case register(RegistrationEntry)
  /// Sign in with this, and tell the form how that ended.
  case signIn(email: String, password: Password)
}

/// Why it did not go through, for a person and for programs.
package struct FormAlert: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// What was entered breaks rules.
    case invalid
    /// Another account has the address.
    case taken
    /// The reason that the program which registers or signs in has given.
    case refused(String)
  }

  package let reason: Reason
  /// A sentence.
  package let message: String

  package init(reason: Reason, message: String) {
    self.reason = reason
    self.message = message
  }
}

package enum FormDestination: String, Equatable, Sendable {
  case welcome
}

/// What came of the registration or sign-in that a form has begun.
package enum FormOutcome: Equatable, Sendable {
  /// The account is there, or the password is right.
  case welcome
  /// Another account has the address; the user must enter another address.
  case taken(FormAlert)
  case refused(FormAlert)
}

/// What a screen shows.
package enum FormState: Equatable, Sendable {
  case registration(RegistrationForm.State)
  case signIn(SignInForm.State)
}

/// A screen without the screen: its state, and every decision that is taken on it. An event in, actions out.
package protocol Form: Sendable {
  var shown: FormState { get }
  /// By what it judges what is typed from now on; what it shows stays until the next change.
  var rules: RegistrationRules { get set }

  /// The user has typed.
  ///
  /// - Parameter typed: What is nil leaves its field as it is.
  mutating func change(_ typed: RegistrationEntry)

  /// The user has pressed the button. No action while the last registration or sign-in has not ended.
  mutating func submit() -> [FormAction]

  /// The registration or sign-in has ended.
  mutating func end(_ outcome: FormOutcome) -> [FormAction]

  /// Whether a registration or sign-in has begun and not ended.
  var isBusy: Bool { get }
}
