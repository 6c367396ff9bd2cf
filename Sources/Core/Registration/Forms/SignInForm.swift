package import Localization

/// The sign-in screen: address and password. Then comes a message, or the next screen.
package struct SignInForm: Form {
  /// The state that the screen shows.
  package struct State: Equatable, Sendable {
    /// The address as it was typed.
    package var email: String
    /// Whether the button may be pressed.
    package var signInEnabled: Bool
    package var problems: [Problem]
    /// Why the last press of the button failed, or nil once something is typed.
    package var errorMessage: LocalizedMessage?
    package var signedIn: Bool
    /// The stamp of the sign-in, by which a program can check later that the sign-in still holds.
    package var stamp: String?
  }

  package var rules: RegistrationRules {
    didSet {
      if rules.edition !== oldValue.edition, !isSignedIn { problems = Self.problems(rules, email, password) }
    }
  }
  private var email = ""
  private var password: Password?
  private var errorMessage: LocalizedMessage?
  private var isSignedIn = false
  private var stamp: String?
  /// The submitted address, while the sign-in is in flight. The person may type another one meanwhile.
  private var submitted: String?
  private var problems: [Problem]

  package init(rules: RegistrationRules) {
    self.rules = rules
    problems = Self.problems(rules, "", nil)
  }

  package var isBusy: Bool { submitted != nil }

  package var shown: FormState { .signIn(state) }

  package var state: State {
    State(
      email: email, signInEnabled: problems.isEmpty, problems: problems, errorMessage: errorMessage,
      signedIn: isSignedIn, stamp: isSignedIn ? stamp : nil)
  }

  /// Ignores the fields that signing in does not use, such as a confirmation and a code.
  package mutating func change(_ typed: RegistrationEntry, code: String?) {
    if let email = typed.email { self.email = email }
    if let password = typed.password { self.password = password }
    problems = Self.problems(rules, email, password)
    (errorMessage, isSignedIn) = (nil, false)
  }

  package mutating func follow(_ claim: FormClaim) {}

  package mutating func submit() -> [FormAction] {
    guard !isBusy else { return [] }
    // after a sign-in the password has to be typed again
    if password == nil { problems = Self.problems(rules, email, nil) }
    guard problems.isEmpty, let password else { return [refuse(.invalid(problems))] }
    (submitted, errorMessage, isSignedIn) = (email, nil, false)
    return [.activityStarted, .signIn(email: email, password: password)]
  }

  package mutating func end(_ outcome: FormOutcome) -> [FormAction] {
    guard let submitted else { return [] }
    self.submitted = nil
    switch outcome {
    case .welcome(let stamp):
      // the state identifies the person only by the address, so it must not show another person as signed in
      guard submitted.utf8.elementsEqual(email.utf8) else { return [.activityEnded, refuse(.changed)] }
      (isSignedIn, password, self.stamp) = (true, nil, stamp)
      return [.activityEnded, .navigate(.welcome)]
    case .claimed: return [.activityEnded]
    case .taken(let alert), .invitationRejected(let alert), .refused(let alert), .codeRejected(let alert),
      .claimOver(let alert):
      return [.activityEnded, refuse(alert)]
    }
  }

  private mutating func refuse(_ alert: FormAlert) -> FormAction {
    errorMessage = alert.sentence
    return .alert(alert)
  }

  /// The problems of the entry. The rules for new passwords do not apply, because the password was accepted when it was
  /// set.
  private static func problems(_ rules: RegistrationRules, _ email: String, _ password: Password?) -> [Problem] {
    var problems: [Problem] = []
    if case .failure(let refusal) = rules.email.addressOfAccount(email) { problems = refusal.problems }
    if password?.isEmpty ?? true { problems.append(PasswordPolicy.missing) }
    return problems
  }
}
