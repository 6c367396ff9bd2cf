package import Localization

/// An action that a form wants next. The front end shows the first four. Forms' methods perform the others (`isWork`).
package enum FormAction: Sendable {
  case activityStarted
  case activityEnded
  case alert(FormAlert)
  case navigate(FormDestination)
  /// Register the entry, and report the outcome to the form.
  case register(RegistrationEntry)
  /// Sign in, and report the outcome to the form.
  case signIn(email: String, password: Password)
  /// Prove a claim of an address, and report the outcome to the form.
  case prove(ClaimID, code: String)
  /// Have a code mailed to the owner of an account, and report the outcome to the form.
  case startRecovery(email: String)
  /// Set the entry's password for the owner who has the code, and report the outcome to the form.
  case finishRecovery(ClaimID, code: String, RegistrationEntry)

  /// Whether the action is work whose outcome must be reported to the form.
  package var isWork: Bool {
    switch self {
    case .register, .signIn, .prove, .startRecovery, .finishRecovery: true
    case .activityStarted, .activityEnded, .alert, .navigate: false
    }
  }
}

/// Why a press of the button failed: a message for the person, and a reason for programs.
package struct FormAlert: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The entry breaks rules.
    case invalid
    /// Another account has the address.
    case taken
    /// Registration is closed.
    case closed
    /// The code is not the mailed one.
    case code
    /// Another failure of the work, under the failure's name.
    case refused(String)
  }

  package let reason: Reason
  package let sentence: LocalizedMessage
  /// How many more wrong codes the claim allows, or nil if no code was compared.
  package let attemptsLeft: Int?

  package init(reason: Reason, sentence: LocalizedMessage, attemptsLeft: Int? = nil) {
    self.reason = reason
    self.sentence = sentence
    self.attemptsLeft = attemptsLeft
  }

  /// The person has changed the entry while its work was in flight, so that the outcome belongs to another entry.
  static let changed = FormAlert(
    reason: .refused("request.cancelled"), sentence: LocalizedMessage(FormMessageKey.changed))

  /// As `changed`, but the submitted entry is registered.
  static func registered(_ email: EmailAddress) -> FormAlert {
    FormAlert(
      reason: .refused("request.cancelled"),
      sentence: LocalizedMessage(FormMessageKey.registered, ["email": .text(email.typed)]))
  }

  /// As `changed`, but the account now has the submitted password.
  static func recovered(_ email: EmailAddress) -> FormAlert {
    FormAlert(
      reason: .refused("request.cancelled"),
      sentence: LocalizedMessage(FormMessageKey.recovered, ["email": .text(email.typed)]))
  }

  static let closed = FormAlert(reason: .closed, sentence: LocalizedMessage(RegistrationMessageKey.closed))

  /// An alert for the first rule that the entry breaks. A screen shows the others next to their fields.
  static func invalid(_ problems: [Problem]) -> FormAlert {
    FormAlert(reason: .invalid, sentence: problems.first?.sentence ?? LocalizedMessage(ValidationMessageKey.failed))
  }
}

/// Something that a registration needs in addition to an address and a password.
package enum FormNeed: String, Equatable, Sendable, CaseIterable {
  case invitation
  case terms
}

package enum FormDestination: String, Equatable, Sendable, CaseIterable {
  case welcome
  /// The person has to type the code that was mailed.
  case code
}

/// The outcome of the work that a form has begun.
package enum FormOutcome: Equatable, Sendable {
  /// The person has registered, signed in or set another password. `stamp` belongs to the resulting sign-in
  /// (`SessionStamps`). It is nil if the sign-in has no stamp.
  case welcome(stamp: String?)
  /// A code was mailed, and the person has to type it.
  case claimed(FormClaim)
  /// The code is wrong. The person may try another one.
  case codeRejected(FormAlert)
  /// No code can prove the claim any more.
  case claimOver(FormAlert)
  /// Another account has the address. The person has to enter another address.
  case taken(FormAlert)
  /// The invitation does not admit the address. The person has to enter another invitation or another address.
  case invitationRejected(FormAlert)
  case refused(FormAlert)
}

/// The state that a screen shows.
package enum FormState: Equatable, Sendable {
  case registration(RegistrationForm.State)
  case signIn(SignInForm.State)
  case recovery(RecoveryForm.State)
}

/// A screen without its display: its state, and all its decisions. Takes an event and returns actions.
package protocol Form: Sendable {
  var shown: FormState { get }
  /// The rules for the entry. Other rules apply to what was typed before as well.
  var rules: RegistrationRules { get set }

  /// Takes over what the person has typed.
  ///
  /// - Parameters:
  ///   - typed: The fields. A nil field is not changed.
  ///   - code: The typed code. Nil leaves the previous one. Ignored if the form shows no claim.
  mutating func change(_ typed: RegistrationEntry, code: String?)

  /// Takes over a claim whose mail another request has sent again. Does nothing if the form shows another claim.
  mutating func follow(_ claim: FormClaim)

  /// Handles a press of the button. Returns no action while earlier work is in flight.
  mutating func submit() -> [FormAction]

  /// Takes over the outcome of the work in flight. Returns no action if no work is in flight.
  mutating func end(_ outcome: FormOutcome) -> [FormAction]

  /// Whether work is in flight.
  var isBusy: Bool { get }
}
