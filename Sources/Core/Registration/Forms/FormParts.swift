/// What somebody has typed into a form's fields; nil leaves a field as it is.
package struct FormChange: Sendable {
  package var email: String?
  package var password: Password?
  package var passwordConfirmation: Password?

  package init(email: String? = nil, password: Password? = nil, passwordConfirmation: Password? = nil) {
    self.email = email
    self.password = password
    self.passwordConfirmation = passwordConfirmation
  }

  /// Bytes of each field that was typed into, in the order of the fields.
  package var lengths: [Int?] {
    [email?.utf8.count, password?.withBytes { $0.count }, passwordConfirmation?.withBytes { $0.count }]
  }
}

/// What a form has done next. Whoever shows the form shows the first four, and decides nothing.
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
  /// What programs switch on.
  package let reason: String
  /// A sentence.
  package let message: String

  package init(reason: String, message: String) {
    self.reason = reason
    self.message = message
  }
}

package enum FormDestination: String, Equatable, Sendable {
  case welcome
}

/// How what a form had done has ended.
package enum FormOutcome: Equatable, Sendable {
  /// The account is there, or the password is right.
  case welcome
  /// The address is somebody's; without another one there is nothing more to do.
  case taken(FormAlert)
  case refused(FormAlert)
}

/// A screen without the screen: its state, and every decision that is taken on it. An event in, actions out.
package protocol Form: Sendable {
  /// Somebody types.
  mutating func change(_ change: FormChange)

  /// Somebody presses the button. Nothing, where what it did before has not ended yet.
  mutating func submit() -> [FormAction]

  /// What the form had done has ended.
  mutating func end(_ outcome: FormOutcome) -> [FormAction]

  /// Whether what it had done has not ended yet.
  var isBusy: Bool { get }
}
