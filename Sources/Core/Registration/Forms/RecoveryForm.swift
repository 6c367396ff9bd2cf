package import Localization

/// The recovery screen. It first asks for the address, then for the mailed code, a new password and its confirmation.
/// Then comes a message, or the next screen.
///
/// If the person changes the address on the code's screen, the form returns to the first screen and drops the claim,
/// which expires.
package struct RecoveryForm: Form {
  /// The state that the screen shows.
  package struct State: Equatable, Sendable {
    /// The address as it was typed.
    package var email: String
    /// Whether the button may be pressed.
    package var recoveryEnabled: Bool
    /// Without a claim: the problems of the address. With a claim: the problems of the password and its confirmation.
    package var problems: [Problem]
    /// Why the last press of the button failed, or nil once something is typed.
    package var errorMessage: LocalizedMessage?
    package var recovered: Bool
    /// The stamp (`SessionStamps`) of the sign-in that comes with the recovery, or nil before the recovery.
    package var stamp: String?
    /// The claim whose code has to be typed, or nil while the person enters the address.
    package var claim: FormClaim?
  }

  /// The work in flight, with the values that were submitted, because the person may change the entry meanwhile.
  private enum Work {
    case starting(email: String?)
    case finishing(FormClaim, code: String, RegistrationEntry)
  }

  package var rules: RegistrationRules { didSet { if rules.edition !== oldValue.edition { judge() } } }
  private var entry = RegistrationEntry()
  private var problems: [Problem] = []
  private var errorMessage: LocalizedMessage?
  private var isRecovered = false
  private var stamp: String?
  private var work: Work?
  private var code: CodeEntry?

  package init(rules: RegistrationRules) {
    self.rules = rules
    judge()
  }

  package var isBusy: Bool { work != nil }

  package var shown: FormState { .recovery(state) }

  package var state: State {
    State(
      email: entry.email ?? "", recoveryEnabled: problems.isEmpty && code?.isUsable ?? true, problems: problems,
      errorMessage: errorMessage, recovered: isRecovered, stamp: isRecovered ? stamp : nil, claim: code?.claim)
  }

  package mutating func change(_ typed: RegistrationEntry, code typedCode: String?) {
    if entry.differs(from: RegistrationEntry(email: typed.email)) { code = nil }
    if let typedCode { code?.change(typedCode) }
    entry.take(typed)
    judge()
    (errorMessage, isRecovered) = (code?.sentence, false)
  }

  private mutating func judge() {
    if let code {
      problems = rules.password.problems(
        password: entry.password, confirmation: entry.passwordConfirmation, email: code.claim.email.typed)
    } else if case .failure(let refusal) = rules.email.addressOfAccount(entry.email ?? "") {
      problems = refusal.problems
    } else {
      problems = []
    }
  }

  package mutating func follow(_ claim: FormClaim) { code?.follow(claim) }

  package mutating func submit() -> [FormAction] {
    guard !isBusy else { return [] }
    var tried: String?
    switch code?.usable() {
    case .failure(let refusal)?: return [refuse(refusal.alert)]
    case .success(let code)?: tried = code
    case nil: break
    }
    guard problems.isEmpty else { return [refuse(.invalid(problems))] }
    (errorMessage, isRecovered) = (nil, false)
    guard let code, let tried else {
      work = .starting(email: entry.email)
      return [.activityStarted, .startRecovery(email: entry.email ?? "")]
    }
    work = .finishing(code.claim, code: tried, entry)
    return [.activityStarted, .finishRecovery(code.claim.id, code: tried, entry)]
  }

  package mutating func end(_ outcome: FormOutcome) -> [FormAction] {
    guard let work else { return [] }
    self.work = nil
    defer { judge() }
    switch outcome {
    case .welcome(let stamp):
      code = nil
      // the account has the submitted password, and perhaps another address than the screen shows
      if case .finishing(let claim, _, let submitted) = work, submitted.differs(from: entry) {
        return [.activityEnded, refuse(.recovered(claim.email))]
      }
      (isRecovered, self.stamp) = (true, stamp)
      entry.forgetPassword()
      return [.activityEnded, .navigate(.welcome)]
    case .claimed(let claim):
      if case .starting(let email) = work,
        RegistrationEntry(email: email).differs(from: RegistrationEntry(email: entry.email))
      {
        return [.activityEnded, refuse(.changed)]
      }
      code = CodeEntry(claim)
      return [.activityEnded, .navigate(.code)]
    case .codeRejected(let alert):
      if case .finishing(_, let tried, _) = work { code?.reject(tried, alert) }
      return [.activityEnded, refuse(alert)]
    case .claimOver(let alert), .taken(let alert):
      code = nil
      return [.activityEnded, refuse(alert)]
    case .refused(let alert), .invitationRejected(let alert):
      return [.activityEnded, refuse(alert)]
    }
  }

  private mutating func refuse(_ alert: FormAlert) -> FormAction {
    errorMessage = alert.sentence
    return .alert(alert)
  }
}
