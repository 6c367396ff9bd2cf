package import Sentences

/// The registration screen: address, password, confirmation; valid or not with every key; register; a message or the
/// way onwards. Where addresses are proven first, the way onwards is the code's screen: the code of the claim, prove, welcome.
///
/// Whoever changes the entry on the code's screen is back at the entry; the claim is left to expire.
package struct RegistrationForm: Form {
  /// What is shown.
  package struct State: Equatable, Sendable {
    /// As it was typed.
    package var email: String
    package var emailValid: Bool
    package var passwordValid: Bool
    /// Whether the button may be pressed: every rule is kept, and the address is not known to be taken; or the code may be tried.
    package var registrationEnabled: Bool
    package var problems: [Problem]
    /// Why the last press of the button did not go through, until something is typed.
    package var errorMessage: Sentence?
    package var registered: Bool
    /// The claim whose code is to be typed; nil where the entry is to be made.
    package var claim: FormClaim?
  }

  /// What is being done, and for which address.
  private enum Work {
    case registering(EmailKey)
    case proving(EmailKey, code: String)

    var key: EmailKey {
      switch self {
      case .registering(let key), .proving(let key, _): key
      }
    }
  }

  package var rules: RegistrationRules
  private var entry = RegistrationEntry()
  private var validation: Validation
  private var errorMessage: Sentence?
  private var isRegistered = false
  /// The address that another account is known to have, and the alert for it.
  private var taken: (key: EmailKey, alert: FormAlert)?
  private var work: Work?
  private var code: CodeEntry?

  package init(rules: RegistrationRules) {
    self.rules = rules
    validation = rules.check(entry)
  }

  package var isBusy: Bool { work != nil }

  package var shown: FormState { .registration(state) }

  package var state: State {
    State(
      email: entry.email ?? "", emailValid: validation.emailValid, passwordValid: validation.passwordValid,
      registrationEnabled: code?.isUsable ?? (validation.registrationEnabled && taken == nil),
      problems: validation.problems, errorMessage: errorMessage, registered: isRegistered, claim: code?.claim)
  }

  package mutating func change(_ typed: RegistrationEntry, code typedCode: String?) {
    if entry.differs(from: typed) { code = nil }
    if let typedCode { code?.change(typedCode) }
    entry.take(typed)
    validation = rules.check(entry)
    if validation.email?.key != taken?.key { (taken, isRegistered) = (nil, false) }
    // as long as the address is the taken one, the button stays disabled, and the message says why
    errorMessage = isRegistered ? nil : code?.sentence ?? taken?.alert.sentence
  }

  package mutating func follow(_ claim: FormClaim) { code?.follow(claim) }

  package mutating func submit() -> [FormAction] {
    guard !isBusy else { return [] }
    if let code { return submit(code) }
    guard let email = validation.email, validation.registrationEnabled else {
      return [refuse(.invalid(validation.problems))]
    }
    if let taken { return [refuse(taken.alert)] }
    work = .registering(email.key)
    errorMessage = nil
    return [.activityStarted, .register(entry)]
  }

  private mutating func submit(_ entry: CodeEntry) -> [FormAction] {
    switch entry.usable() {
    case .failure(let refusal): return [refuse(refusal.alert)]
    case .success(let code):
      work = .proving(entry.claim.email.key, code: code)
      errorMessage = nil
      return [.activityStarted, .prove(entry.claim.id, code: code)]
    }
  }

  package mutating func end(_ outcome: FormOutcome) -> [FormAction] {
    guard let work else { return [] }
    self.work = nil
    switch outcome {
    case .welcome:
      code = nil
      isRegistered = validation.email?.key == work.key
      if isRegistered { entry.forgetPassword() }
      note(work.key, FormAlert(reason: .taken, sentence: Sentence(EmailSentence.taken)))
      return [.activityEnded, .navigate(.welcome)]
    case .claimed(let claim):
      code = CodeEntry(claim)
      return [.activityEnded, .navigate(.code)]
    case .codeRejected(let alert):
      if case .proving(_, let tried) = work { code?.reject(tried, alert) }
      return [.activityEnded, refuse(alert)]
    case .claimOver(let alert):
      code = nil
      return [.activityEnded, refuse(alert)]
    case .taken(let alert):
      code = nil
      note(work.key, alert)
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
    errorMessage = alert.sentence
    return .alert(alert)
  }
}

extension RegistrationEntry {
  /// A nil leaves its field as it is. A password is kept once, where its confirmation is the same.
  mutating func take(_ typed: RegistrationEntry) {
    email = typed.email ?? email
    password = typed.password ?? password
    passwordConfirmation = typed.passwordConfirmation ?? passwordConfirmation
    if let password, passwordConfirmation?.isSame(as: password) ?? false { passwordConfirmation = password }
  }

  /// The password is of no use to the form any more.
  mutating func forgetPassword() { (password, passwordConfirmation) = (nil, nil) }

  /// Whether a field that was typed is not as it was before.
  func differs(from typed: RegistrationEntry) -> Bool {
    func isOther(_ old: Password?, _ new: Password?) -> Bool {
      guard let new else { return false }
      return old.map { !$0.isSame(as: new) } ?? true
    }
    if let email = typed.email, !(self.email ?? "").utf8.elementsEqual(email.utf8) { return true }
    return isOther(password, typed.password) || isOther(passwordConfirmation, typed.passwordConfirmation)
  }
}
