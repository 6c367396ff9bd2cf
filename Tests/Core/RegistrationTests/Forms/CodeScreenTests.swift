import AddressNormalization
import Localization
import Registration
import TestDoubles
import Testing

/// Dialogues with the screens on which a code is typed.
@Suite("Forms with a code")
struct CodeScreenTests {
  private let rules = RegistrationRules(
    email: EmailRules(normalizer: UnicodeNormalizer()), password: PasswordPolicy(normalizer: UnicodeNormalizer()))
  private let wrong = FormAlert(reason: .code, sentence: "Wrong.", attemptsLeft: 4)
  private let gone = FormAlert(reason: .refused("claim.notFound"), sentence: "Gone.")
  private let offline = FormAlert(reason: .refused("network.offline"), sentence: "Offline.")

  private func typed(_ email: String? = nil, _ password: String? = nil, _ confirmation: String? = nil)
    -> RegistrationEntry
  {
    RegistrationEntry(
      email: email, password: password.map(Fixtures.password),
      passwordConfirmation: confirmation.map(Fixtures.password))
  }

  private func names(_ actions: [FormAction]) -> [String] { actions.map(\.name) }

  private static func claim(_ email: String, _ kind: AddressClaim.Kind = .registration) -> FormClaim {
    FormClaim(
      AddressClaim(
        id: ClaimID(), kind: kind, email: EmailAddress(stored: email, key: EmailKey(email)),
        account: AccountID(at: Fixtures.time),
        passwordHash: nil, uid: 7, origin: nil, request: nil, language: nil, createdAt: Fixtures.time,
        expiresAt: Fixtures.time, digits: 6, state: .open, codeUntil: Fixtures.time, resendAt: Fixtures.time))
  }

  /// A registration that waits for its code.
  private func claimed() -> RegistrationForm {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    _ = form.submit()
    _ = form.end(.claimed(Self.claim("new@example.com")))
    return form
  }

  /// A recovery that waits for its code.
  private func started() -> RecoveryForm {
    var form = RecoveryForm(rules: rules)
    form.change(typed("name@example.com"))
    _ = form.submit()
    _ = form.end(.claimed(Self.claim("name@example.com", .recovery)))
    return form
  }

  @Test("a registration goes from the entry to the code and then to the welcome page")
  func registered() {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    #expect(form.state.claim == nil)
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    let claim = Self.claim("new@example.com")
    #expect(names(form.end(.claimed(claim))) == ["activityEnded", "navigate code"])
    #expect(form.state.claim == claim && !form.state.registered && !form.state.registrationEnabled)
    form.change(typed(), code: "123 45")
    #expect(!form.state.registrationEnabled)
    form.change(typed(), code: "123-456")
    #expect(form.state.registrationEnabled)
    #expect(names(form.submit()) == ["activityStarted", "prove 123456"])
    #expect(form.isBusy && names(form.submit()) == [])
    #expect(names(form.end(.welcome(stamp: nil))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.registered && form.state.claim == nil && !form.state.registrationEnabled)
    // this form's account has the address
    #expect(names(form.submit()) == ["alert taken"])
  }

  @Test("a malformed code causes only an alert and no request")
  func shape() {
    var form = claimed()
    for code in ["", "12345", "1234567", "12345x", "１２３４５"] {
      form.change(typed(), code: code)
      #expect(!form.state.registrationEnabled, "\(code)")
      #expect(names(form.submit()) == ["alert code"], "\(code)")
      #expect(form.state.errorMessage?.english == "Enter the 6-digit code from the email sent to new@example.com.")
    }
    #expect(form.state.claim != nil && !form.isBusy)
  }

  @Test("a wrong code costs one try and keeps the button disabled until another code is typed")
  func wrongCode() {
    var form = claimed()
    form.change(typed(), code: "111111")
    _ = form.submit()
    let alerts = form.end(.codeRejected(wrong))
    #expect(names(alerts) == ["activityEnded", "alert code"])
    let attemptsLeft = if case .alert(let alert)? = alerts.last { alert.attemptsLeft } else { Int?.none }
    #expect(attemptsLeft == 4)
    #expect(form.state.claim != nil && form.state.errorMessage == "Wrong." && !form.state.registrationEnabled)
    #expect(names(form.submit()) == ["alert code"])
    // the same code in another grouping
    form.change(typed(), code: "111-111")
    #expect(form.state.errorMessage == "Wrong." && !form.state.registrationEnabled)
    form.change(typed(), code: "222222")
    #expect(form.state.errorMessage == nil && form.state.registrationEnabled)
  }

  @Test("after a fault, the code stays and can be tried again")
  func fault() {
    var form = claimed()
    form.change(typed(), code: "111111")
    _ = form.submit()
    #expect(names(form.end(.refused(offline))) == ["activityEnded", "alert refused(\"network.offline\")"])
    #expect(form.state.registrationEnabled && form.state.errorMessage == "Offline.")
    #expect(names(form.submit()) == ["activityStarted", "prove 111111"])
  }

  @Test("when the claim has ended, the form returns to the unchanged entry, which can be registered again")
  func over() {
    var form = claimed()
    form.change(typed(), code: "111111")
    _ = form.submit()
    #expect(names(form.end(.claimOver(gone))) == ["activityEnded", "alert refused(\"claim.notFound\")"])
    #expect(form.state.claim == nil && form.state.errorMessage == "Gone." && form.state.registrationEnabled)
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    _ = form.end(.claimed(Self.claim("new@example.com")))
    // the code typed for the earlier claim does not count for this one
    #expect(form.state.claim != nil && !form.state.registrationEnabled)
    _ = form.submit()
  }

  @Test("if the address was taken meanwhile, the form returns to the entry, disabled until the address changes")
  func taken() {
    var form = claimed()
    form.change(typed(), code: "111111")
    _ = form.submit()
    #expect(names(form.end(.taken(FormAlert(reason: .taken, sentence: "Taken.")))) == ["activityEnded", "alert taken"])
    #expect(form.state.claim == nil && form.state.errorMessage == "Taken." && !form.state.registrationEnabled)
    form.change(typed("other@example.com"))
    #expect(form.state.registrationEnabled)
  }

  @Test(
    "a change of the entry on the code screen leads back to the entry, and the same values change nothing",
    arguments: [0, 1, 2])
  func back(_ field: Int) {
    var form = claimed()
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"), code: "111111")
    #expect(form.state.claim != nil && form.state.registrationEnabled)
    let other = [typed("new2@example.com"), typed(nil, "another phrase"), typed(nil, nil, "another phrase")][field]
    form.change(other)
    #expect(form.state.claim == nil)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"), code: "111111")
    // there is no claim that the code could belong to
    #expect(form.state.claim == nil)
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
  }

  @Test("if the entry changes while its code is checked, the form shows no welcome but names the created account")
  func backMeanwhile() {
    var form = claimed()
    form.change(typed(), code: "111111")
    _ = form.submit()
    form.change(typed("other@example.com"))
    #expect(names(form.end(.welcome(stamp: "s"))) == cancelled)
    #expect(form.state.errorMessage?.english == created)
    // the screen shows another address
    #expect(!form.state.registered && form.state.stamp == nil && form.state.registrationEnabled)
  }

  @Test(
    "if the entry changes during the registration, the form shows no welcome and makes no second account",
    arguments: [0, 1, 2, 3])
  func registeredMeanwhile(_ field: Int) {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    _ = form.submit()
    var terms = RegistrationEntry()
    terms.terms = "2"
    form.change(
      [typed("other@example.com"), typed(nil, "another phrase", "another phrase"), typed(nil, nil, "other"), terms][
        field])
    #expect(names(form.end(.welcome(stamp: "s"))) == cancelled)
    #expect(form.state.errorMessage?.english == created)
    #expect(!form.state.registered && form.state.stamp == nil && !form.isBusy)
    // with the same address the button remains disabled, because the account has the address
    #expect(form.state.registrationEnabled == (field == 0))
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    #expect(form.state.registrationEnabled == (field == 0))
  }

  @Test("if the entry changes during the registration and changes back, the form shows the welcome page")
  func registeredAsBefore() {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    _ = form.submit()
    form.change(typed("other@example.com"))
    form.change(typed("new@example.com"))
    #expect(names(form.end(.welcome(stamp: "s"))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.registered && form.state.stamp == "s")
  }

  private let cancelled = ["activityEnded", "alert refused(\"request.cancelled\")"]
  private let created = "An account for new@example.com was created. Your later changes were not saved."

  @Test(
    "if the entry changes during the registration, the form stays at the entry and drops the claim",
    arguments: [0, 1, 2])
  func changedMeanwhile(_ field: Int) {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    _ = form.submit()
    form.change(
      [
        typed("other@example.com"), typed(nil, "another phrase", "another phrase"), typed(nil, nil, "another phrase"),
      ][field])
    let shown = form.state
    let actions = form.end(.claimed(Self.claim("new@example.com")))
    #expect(names(actions) == ["activityEnded", "alert refused(\"request.cancelled\")"])
    #expect(form.state.claim == nil && form.state.errorMessage != nil && !form.isBusy)
    #expect(form.state.email == shown.email && form.state.registrationEnabled == shown.registrationEnabled)
  }

  @Test("the same entry typed again during the registration is not a change")
  func sameMeanwhile() {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    _ = form.submit()
    form.change(typed("other@example.com"))
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    #expect(names(form.end(.claimed(Self.claim("new@example.com")))) == ["activityEnded", "navigate code"])
  }

  @Test("recovery: if the address changes while the code is mailed, the form stays at the address")
  func recoveryChangedMeanwhile() {
    var form = RecoveryForm(rules: rules)
    form.change(typed("name@example.com"))
    _ = form.submit()
    form.change(typed("other@example.com", "a fine phrase"))
    let actions = form.end(.claimed(Self.claim("name@example.com", .recovery)))
    #expect(names(actions) == ["activityEnded", "alert refused(\"request.cancelled\")"])
    #expect(form.state.claim == nil && form.state.recoveryEnabled)
    // a password typed meanwhile does not belong to the first screen
    form.change(typed("name@example.com"))
    _ = form.submit()
    form.change(typed(nil, "a fine phrase"))
    #expect(names(form.end(.claimed(Self.claim("name@example.com", .recovery)))) == ["activityEnded", "navigate code"])
  }

  @Test(
    "recovery: if the entry changes while the code is checked, the form shows no welcome but a message",
    arguments: [0, 1])
  func recoveryBackMeanwhile(_ field: Int) {
    var form = started()
    form.change(typed(nil, "a fine phrase", "a fine phrase"), code: "111111")
    _ = form.submit()
    form.change([typed("other@example.com"), typed(nil, "another phrase", "another phrase")][field])
    #expect(names(form.end(.welcome(stamp: "s"))) == cancelled)
    #expect(!form.state.recovered && form.state.stamp == nil && form.state.claim == nil)
    #expect(
      form.state.errorMessage?.english
        == "The password for name@example.com was changed. Your later changes were not saved.")
  }

  @Test("new rules also apply to values that were typed before")
  func otherRules() {
    let normalizer = UnicodeNormalizer()
    func rules(_ minimum: Int) -> RegistrationRules {
      RegistrationRules(
        email: EmailRules(normalizer: normalizer),
        password: PasswordPolicy([.minimumLength(minimum)], normalizer: normalizer))
    }
    var form = RegistrationForm(rules: rules(20))
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    #expect(names(form.submit()) == ["alert invalid"])
    form.rules = rules(8)
    #expect(form.state.problems == [] && form.state.registrationEnabled)
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    _ = form.end(.refused(offline))
    form.rules = rules(20)
    #expect(form.state.problems.map(\.reason) == [.passwordTooShort])
    #expect(names(form.submit()) == ["alert invalid"])
    var recovery = RecoveryForm(rules: rules(20))
    recovery.change(typed("name@example.com"))
    _ = recovery.submit()
    _ = recovery.end(.claimed(Self.claim("name@example.com", .recovery)))
    recovery.change(typed(nil, "a fine phrase", "a fine phrase"), code: "111111")
    #expect(names(recovery.submit()) == ["alert invalid"])
    recovery.rules = rules(8)
    #expect(names(recovery.submit()) == ["activityStarted", "finishRecovery 111111"])
  }

  @Test("a recovery goes from the address to code and password and then to the welcome page")
  func recovered() {
    var form = RecoveryForm(rules: rules)
    #expect(form.state.problems.map(\.reason) == [.emailMissing] && !form.state.recoveryEnabled)
    #expect(names(form.submit()) == ["alert invalid"])
    form.change(typed("name@example.com"), code: "123456")
    #expect(form.state.recoveryEnabled)
    #expect(names(form.submit()) == ["activityStarted", "startRecovery name@example.com"])
    #expect(names(form.submit()) == [])
    _ = form.end(.claimed(Self.claim("name@example.com", .recovery)))
    #expect(form.state.problems.map(\.reason) == [.passwordMissing, .confirmationMissing])
    #expect(!form.state.recoveryEnabled && form.state.claim != nil)
    // the code first, in the order of the screen
    #expect(names(form.submit()) == ["alert code"])
    form.change(typed(), code: "123456")
    #expect(names(form.submit()) == ["alert invalid"])
    form.change(typed(nil, "name@example.com", "name@example.com"))
    #expect(form.state.problems.map(\.reason) == [.passwordResemblesEmail])
    form.change(typed(nil, "a fine phrase", "a fine phrase"))
    #expect(form.state.recoveryEnabled)
    #expect(names(form.submit()) == ["activityStarted", "finishRecovery 123456"])
    #expect(names(form.end(.welcome(stamp: nil))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.recovered && form.state.claim == nil && form.state.problems == [])
    form.change(typed("other@example.com"))
    #expect(!form.state.recovered)
  }

  @Test("recovery: a wrong code keeps the password, and an ended claim leads back to the address")
  func recoveryRefused() {
    var form = started()
    form.change(typed(nil, "a fine phrase", "a fine phrase"), code: "111111")
    _ = form.submit()
    #expect(names(form.end(.codeRejected(wrong))) == ["activityEnded", "alert code"])
    #expect(form.state.problems == [] && !form.state.recoveryEnabled && form.state.errorMessage == "Wrong.")
    form.change(typed(), code: "222222")
    #expect(names(form.submit()) == ["activityStarted", "finishRecovery 222222"])
    #expect(names(form.end(.claimOver(gone))) == ["activityEnded", "alert refused(\"claim.notFound\")"])
    #expect(form.state.claim == nil && form.state.recoveryEnabled)
    #expect(names(form.submit()) == ["activityStarted", "startRecovery name@example.com"])
  }

  @Test("recovery: on the code screen, another address leads back to the first screen, and a password does not")
  func recoveryBack() {
    var form = started()
    form.change(typed("name@example.com", "a fine phrase"), code: "111111")
    #expect(form.state.claim != nil)
    form.change(typed("other@example.com"))
    #expect(form.state.claim == nil && form.state.problems == [] && form.state.recoveryEnabled)
  }
}
