package import Localization

/// The registration screen: address, password and confirmation, and whatever else the operator requires, validated at
/// every change. Then comes a message, or the next screen. If addresses have to be proven, the next screen asks for the
/// claim's code.
///
/// If the person changes the entry on the code's screen, the form returns to the first screen and drops the claim,
/// which expires.
package struct RegistrationForm: Form {
  /// The state that the screen shows.
  package struct State: Equatable, Sendable {
    /// The address as it was typed.
    package var email: String
    package var emailValid: Bool
    package var passwordValid: Bool
    /// Whether the button may be pressed. False while registration is closed. With a claim: whether the code may be
    /// tried. Without a claim: whether the entry breaks no rule, its address is not known as taken, and its invitation
    /// is not known as rejected.
    package var registrationEnabled: Bool
    package var problems: [Problem]
    /// The further fields that the operator asks for, filled in or not.
    package var needs: [FormNeed]
    /// Why the last press of the button failed, or nil once something is typed.
    package var errorMessage: LocalizedMessage?
    package var registered: Bool
    /// The stamp (`SessionStamps`) of the sign-in that comes with the registration, or nil before the registration.
    package var stamp: String?
    /// The claim whose code has to be typed, or nil while the person makes the entry.
    package var claim: FormClaim?
  }

  /// The work in flight, with the values that were submitted, because the person may change the entry meanwhile.
  private struct Work {
    let email: EmailAddress
    let entry: RegistrationEntry
    /// The code that is tried, or nil if the entry is registered.
    var code: String?
  }

  package var rules: RegistrationRules {
    // a registered entry is judged no more: its password is forgotten
    didSet { if rules.edition !== oldValue.edition, !isRegistered { validation = rules.check(entry) } }
  }
  private var entry = RegistrationEntry()
  private var validation: Validation
  private var errorMessage: LocalizedMessage?
  private var isRegistered = false
  private var stamp: String?
  /// The entered address, if an account is known to have it, and the alert for it.
  private var taken: (key: EmailKey, alert: FormAlert)?
  /// The invitation that was rejected for an address, and the alert.
  private var rejected: (invitation: String, key: EmailKey, alert: FormAlert)?
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
      registrationEnabled: rules.mode != .closed
        && (code?.isUsable ?? (validation.problems.isEmpty && taken == nil && rejected == nil)),
      problems: validation.problems, needs: rules.needs, errorMessage: errorMessage, registered: isRegistered,
      stamp: isRegistered ? stamp : nil, claim: code?.claim)
  }

  package mutating func change(_ typed: RegistrationEntry, code typedCode: String?) {
    if entry.differs(from: typed) { code = nil }
    if let typedCode { code?.change(typedCode) }
    entry.take(typed)
    validation = rules.check(entry)
    if validation.email?.key != taken?.key { (taken, isRegistered) = (nil, false) }
    if rejected?.key != validation.email?.key || rejected?.invitation != entry.givenInvitation { rejected = nil }
    // while the taken address or the rejected invitation is entered, the button remains disabled, and the message gives
    // the reason
    errorMessage = isRegistered ? nil : code?.sentence ?? taken?.alert.sentence ?? rejected?.alert.sentence
  }

  package mutating func follow(_ claim: FormClaim) { code?.follow(claim) }

  package mutating func submit() -> [FormAction] {
    guard !isBusy else { return [] }
    if rules.mode == .closed { return [refuse(.closed)] }
    if let code { return prove(code) }
    guard let email = validation.email, validation.problems.isEmpty else {
      return [refuse(.invalid(validation.problems))]
    }
    if let alert = taken?.alert ?? rejected?.alert { return [refuse(alert)] }
    work = Work(email: email, entry: entry)
    errorMessage = nil
    return [.activityStarted, .register(entry)]
  }

  private mutating func prove(_ typed: CodeEntry) -> [FormAction] {
    switch typed.usable() {
    case .failure(let refusal): return [refuse(refusal.alert)]
    case .success(let code):
      work = Work(email: typed.claim.email, entry: entry, code: code)
      errorMessage = nil
      return [.activityStarted, .prove(typed.claim.id, code: code)]
    }
  }

  package mutating func end(_ outcome: FormOutcome) -> [FormAction] {
    guard let work else { return [] }
    self.work = nil
    switch outcome {
    case .welcome(let stamp):
      code = nil
      note(work.email.key, FormAlert(reason: .taken, sentence: LocalizedMessage(EmailMessageKey.taken)))
      // the account has the submitted address and password, and not those that the screen shows
      if work.entry.differs(from: entry) { return [.activityEnded, refuse(.registered(work.email))] }
      (isRegistered, self.stamp) = (true, stamp)
      entry.forgetPassword()
      entry.invitation = nil
      return [.activityEnded, .navigate(.welcome)]
    case .claimed(let claim):
      // the claim of an entry that was changed meanwhile is dropped, as on the code's screen
      if work.entry.differs(from: entry) { return [.activityEnded, refuse(.changed)] }
      code = CodeEntry(claim)
      return [.activityEnded, .navigate(.code)]
    case .codeRejected(let alert):
      if let tried = work.code { code?.reject(tried, alert) }
      return [.activityEnded, refuse(alert)]
    case .claimOver(let alert):
      code = nil
      return [.activityEnded, refuse(alert)]
    case .taken(let alert):
      code = nil
      note(work.email.key, alert)
      return [.activityEnded, refuse(alert)]
    case .invitationRejected(let alert):
      if validation.email?.key == work.email.key, let invitation = work.entry.givenInvitation,
        entry.givenInvitation == invitation
      {
        rejected = (invitation, work.email.key, alert)
      }
      return [.activityEnded, refuse(alert)]
    case .refused(let alert):
      return [.activityEnded, refuse(alert)]
    }
  }

  /// Remembers that an account has the address, unless the person has typed another address meanwhile.
  private mutating func note(_ key: EmailKey, _ alert: FormAlert) {
    if validation.email?.key == key { taken = (key, alert) }
  }

  private mutating func refuse(_ alert: FormAlert) -> FormAction {
    errorMessage = alert.sentence
    return .alert(alert)
  }
}

extension RegistrationRules {
  /// The fields that the rules require in addition to an address and a password.
  fileprivate var needs: [FormNeed] {
    (mode == .invited ? [.invitation] : []) + (terms == nil ? [] : [.terms])
  }
}

extension RegistrationEntry {
  /// Takes over typed fields. A nil field is not changed. A confirmation equal to the password shares its storage.
  mutating func take(_ typed: RegistrationEntry) {
    email = typed.email ?? email
    password = typed.password ?? password
    passwordConfirmation = typed.passwordConfirmation ?? passwordConfirmation
    invitation = typed.invitation ?? invitation
    terms = typed.terms ?? terms
    displayName = typed.displayName ?? displayName
    if let password, passwordConfirmation?.isSame(as: password) ?? false { passwordConfirmation = password }
  }

  /// Drops the password, which the form no longer needs.
  mutating func forgetPassword() { (password, passwordConfirmation) = (nil, nil) }

  /// Whether any field of `typed` that is not nil differs from this entry's.
  func differs(from typed: RegistrationEntry) -> Bool {
    func isOther(_ old: Password?, _ new: Password?) -> Bool {
      guard let new else { return false }
      return old.map { !$0.isSame(as: new) } ?? true
    }
    func isOther(_ old: String?, _ new: String?) -> Bool {
      new.map { !(old ?? "").utf8.elementsEqual($0.utf8) } ?? false
    }
    if isOther(email, typed.email) || isOther(invitation, typed.invitation) || isOther(terms, typed.terms)
      || isOther(displayName, typed.displayName)
    {
      return true
    }
    return isOther(password, typed.password) || isOther(passwordConfirmation, typed.passwordConfirmation)
  }
}
