/// The registration screen: address, password, confirmation; valid or not with every key; register; a message or the
/// way onwards.
package struct RegistrationForm: Form {
  /// What is shown.
  package struct State: Equatable, Sendable {
    /// As it was typed.
    package var email: String
    package var emailValid: Bool
    package var passwordValid: Bool
    /// Whether the button may be pressed: every rule is kept, and the address is not known to be taken.
    package var registrationEnabled: Bool
    package var problems: [Problem]
    /// Why the last press of the button did not go through, until something is typed.
    package var errorMessage: String?
    package var registered: Bool
  }

  /// The message for an address that another account has.
  package static let takenMessage = "Sorry, provided email address is already taken"

  package var rules: RegistrationRules
  private var entry = RegistrationEntry()
  private var validation: Validation
  private var errorMessage: String?
  private var isRegistered = false
  /// The address that another account is known to have, and the alert for it.
  private var taken: (key: EmailKey, alert: FormAlert)?
  /// The address that is being registered.
  private var submitted: EmailKey?

  package init(rules: RegistrationRules) {
    self.rules = rules
    validation = rules.check(entry)
  }

  package var isBusy: Bool { submitted != nil }

  package var shown: FormState { .registration(state) }

  package var state: State {
    State(
      email: entry.email ?? "", emailValid: validation.emailValid, passwordValid: validation.passwordValid,
      registrationEnabled: validation.registrationEnabled && taken == nil, problems: validation.problems,
      errorMessage: errorMessage, registered: isRegistered)
  }

  package mutating func change(_ typed: RegistrationEntry) {
    if let email = typed.email { entry.email = email }
    if let password = typed.password { entry.password = password }
    if let confirmation = typed.passwordConfirmation { entry.passwordConfirmation = confirmation }
    validation = rules.check(entry)
    if validation.email?.key != taken?.key { (taken, isRegistered) = (nil, false) }
    // as long as the address is the taken one, the button stays disabled, and the message says why
    errorMessage = isRegistered ? nil : taken?.alert.message
  }

  package mutating func submit() -> [FormAction] {
    guard !isBusy else { return [] }
    guard let email = validation.email, validation.registrationEnabled else {
      return [refuse(FormAlert(reason: .invalid, message: validation.problems.first?.message ?? ""))]
    }
    if let taken { return [refuse(taken.alert)] }
    submitted = email.key
    errorMessage = nil
    return [.activityStarted, .register(entry)]
  }

  package mutating func end(_ outcome: FormOutcome) -> [FormAction] {
    guard let key = submitted else { return [] }
    submitted = nil
    switch outcome {
    case .welcome:
      isRegistered = validation.email?.key == key
      note(key, FormAlert(reason: .taken, message: Self.takenMessage))
      return [.activityEnded, .navigate(.welcome)]
    case .taken(let alert):
      note(key, alert)
      return [.activityEnded, refuse(alert)]
    case .refused(let alert):
      return [.activityEnded, refuse(alert)]
    }
  }

  /// Another account has the address; that says nothing of another address which was typed meanwhile.
  private mutating func note(_ key: EmailKey, _ alert: FormAlert) {
    if validation.email?.key == key { taken = (key, alert) }
  }

  private mutating func refuse(_ alert: FormAlert) -> FormAction {
    errorMessage = alert.message
    return .alert(alert)
  }
}
