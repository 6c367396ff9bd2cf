package import Sentences

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
  /// Prove a claim of an address, and tell the form how that ended.
  case prove(ClaimID, code: String)
  /// Have a code mailed to the owner of an account, and tell the form how that ended.
  case startRecovery(email: String)
  /// Set the entry's password for the owner who has the code, and tell the form how that ended.
  case finishRecovery(ClaimID, code: String, RegistrationEntry)

  /// Whether it is something to be done, of which the form wants to know how it ended.
  package var isWork: Bool {
    switch self {
    case .register, .signIn, .prove, .startRecovery, .finishRecovery: true
    case .activityStarted, .activityEnded, .alert, .navigate: false
    }
  }
}

/// Why it did not go through, for a person and for programs.
package struct FormAlert: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// What was entered breaks rules.
    case invalid
    /// Another account has the address.
    case taken
    /// The code is not the one that was mailed.
    case code
    /// The reason that the program which registers or signs in has given.
    case refused(String)
  }

  package let reason: Reason
  package let sentence: Sentence
  /// How many wrong codes the claim still bears; nil where no code was compared.
  package let attemptsLeft: Int?

  package init(reason: Reason, sentence: Sentence, attemptsLeft: Int? = nil) {
    self.reason = reason
    self.sentence = sentence
    self.attemptsLeft = attemptsLeft
  }

  /// The first of the rules that an entry breaks; a screen shows the others beside their fields.
  static func invalid(_ problems: [Problem]) -> FormAlert {
    FormAlert(reason: .invalid, sentence: problems.first?.sentence ?? Sentence(ValidationSentence.failed))
  }
}

package enum FormDestination: String, Equatable, Sendable {
  case welcome
  /// The code that was mailed is to be typed.
  case code
}

/// What came of the work that a form has begun.
package enum FormOutcome: Equatable, Sendable {
  /// The account is there, or the password is right, or it was set.
  case welcome
  /// A code was mailed, and is to be typed.
  case claimed(FormClaim)
  /// Another code may be tried.
  case codeRejected(FormAlert)
  /// No code proves the claim any more.
  case claimOver(FormAlert)
  /// Another account has the address; the user must enter another address.
  case taken(FormAlert)
  case refused(FormAlert)
}

/// What a screen shows.
package enum FormState: Equatable, Sendable {
  case registration(RegistrationForm.State)
  case signIn(SignInForm.State)
  case recovery(RecoveryForm.State)
}

/// A screen without the screen: its state, and every decision that is taken on it. An event in, actions out.
package protocol Form: Sendable {
  var shown: FormState { get }
  /// By what it judges what is typed from now on; what it shows stays until the next change.
  var rules: RegistrationRules { get set }

  /// The user has typed.
  ///
  /// - Parameters:
  ///   - typed: What is nil leaves its field as it is.
  ///   - code: Likewise; without a claim it is passed over.
  mutating func change(_ typed: RegistrationEntry, code: String?)

  /// A claim was renewed elsewhere. What another form shows stays as it is.
  mutating func follow(_ claim: FormClaim)

  /// The user has pressed the button. No action while the last work has not ended.
  mutating func submit() -> [FormAction]

  /// The work has ended.
  mutating func end(_ outcome: FormOutcome) -> [FormAction]

  /// Whether work has begun and not ended.
  var isBusy: Bool { get }
}
