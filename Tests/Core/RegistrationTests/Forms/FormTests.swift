import AddressNormalization
import Localization
import Registration
import StoreConformance
import TestDoubles
import Testing

/// Dialogues with the two screens: the user's input, and the resulting display.
@Suite("Forms")
struct FormTests {
  private let rules = RegistrationRules(
    email: EmailRules(normalizer: UnicodeNormalizer()), password: PasswordPolicy(normalizer: UnicodeNormalizer()))
  private let taken = FormAlert(reason: .taken, sentence: "Taken.")
  private let offline = FormAlert(reason: .refused("network.offline"), sentence: "Offline.")

  private func typed(_ email: String? = nil, _ password: String? = nil, _ confirmation: String? = nil)
    -> RegistrationEntry
  {
    RegistrationEntry(
      email: email, password: password.map(Fixtures.password),
      passwordConfirmation: confirmation.map(Fixtures.password))
  }

  private func names(_ actions: [FormAction]) -> [String] { actions.map(\.name) }

  private func filled() -> RegistrationForm {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example.com", "a fine phrase", "a fine phrase"))
    return form
  }

  @Test("an empty form is invalid, and a press of its button only shows an alert")
  func empty() {
    var form = RegistrationForm(rules: rules)
    #expect(!form.state.registrationEnabled)
    #expect(
      form.state.problems.map(\.reason) == [.emailMissing, .passwordMissing, .confirmationMissing])
    #expect(form.state.errorMessage == nil)
    #expect(names(form.submit()) == ["alert invalid"])
    #expect(form.state.errorMessage == form.state.problems.first?.sentence)
    #expect(!form.isBusy)
  }

  @Test("the form validates every change of a field")
  func typing() {
    var form = RegistrationForm(rules: rules)
    form.change(typed("new@example"))
    #expect(form.state.problems.first?.reason == .emailDomain)
    form.change(typed("new@example.com"))
    #expect(form.state.emailValid)
    form.change(typed(nil, "a fin"))
    #expect(form.state.problems.map(\.reason) == [.passwordTooShort, .confirmationMissing])
    form.change(typed(nil, "a fine phrase", "a fine phras"))
    #expect(form.state.problems.map(\.reason) == [.mismatch])
    #expect(!form.state.passwordValid)
    form.change(typed(nil, nil, "a fine phrase"))
    #expect(form.state.passwordValid)
    #expect(form.state.registrationEnabled)
    form.change(typed(""))
    #expect(!form.state.registrationEnabled)
    #expect(form.state.email.isEmpty)
  }

  @Test("a registration shows activity and then the welcome page, and the button stays disabled")
  func registered() {
    var form = filled()
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    #expect(form.isBusy)
    #expect(names(form.submit()) == [])
    #expect(names(form.end(.welcome(stamp: nil))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.registered)
    #expect(!form.state.registrationEnabled)
    #expect(names(form.submit()) == ["alert taken"])
    form.change(typed("next@example.com"))
    #expect(!form.state.registered)
    #expect(form.state.problems.map(\.reason) == [.passwordMissing, .confirmationMissing], "it is forgotten")
    form.change(typed(nil, "a fine phrase", "a fine phrase"))
    #expect(form.state.registrationEnabled)
  }

  @Test("after a taken address, the button stays disabled and the message stays until another address is typed")
  func takenAddress() {
    var form = filled()
    _ = form.submit()
    #expect(names(form.end(.taken(taken))) == ["activityEnded", "alert taken"])
    #expect(form.state.errorMessage == "Taken.")
    #expect(!form.state.registrationEnabled)
    #expect(form.state.problems == [])
    // no second request is sent
    #expect(names(form.submit()) == ["alert taken"])
    // the same address in other letters is the same address
    form.change(typed("NEW@example.com", "another phrase", "another phrase"))
    #expect(form.state.errorMessage == "Taken.")
    #expect(!form.state.registrationEnabled)
    form.change(typed("new2@example.com"))
    #expect(form.state.errorMessage == nil)
    #expect(form.state.registrationEnabled)
    form.change(typed("new@example.com"))
    #expect(form.state.registrationEnabled)
  }

  @Test("a failure that may pass leaves the button enabled")
  func refused() {
    var form = filled()
    _ = form.submit()
    #expect(names(form.end(.refused(offline))) == ["activityEnded", "alert refused(\"network.offline\")"])
    #expect(form.state.errorMessage == "Offline.")
    #expect(form.state.registrationEnabled)
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    #expect(form.state.errorMessage == nil)
  }

  @Test("changes during a request do not change the submitted entry")
  func typedMeanwhile() {
    var form = filled()
    guard case .register(let entry)? = form.submit().last else {
      Issue.record("nothing is registered")
      return
    }
    form.change(typed("other@example.com"))
    #expect(entry.email == "new@example.com")
    _ = form.end(.taken(taken))
    // the address on the screen is not the taken one
    #expect(form.state.registrationEnabled)
  }

  @Test("an outcome without a request has no effect")
  func stray() {
    var form = filled()
    #expect(names(form.end(.welcome(stamp: nil))) == [])
    #expect(!form.state.registered)
    var signIn = SignInForm(rules: rules)
    #expect(names(signIn.end(.welcome(stamp: nil))) == [])
  }

  @Test("a refused sign-in can be repeated with another password and then shows the welcome page")
  func signIn() {
    var form = SignInForm(rules: rules)
    #expect(form.state.problems.map(\.reason) == [.emailMissing, .passwordMissing])
    #expect(names(form.submit()) == ["alert invalid"])
    // the rules for new passwords do not apply
    form.change(typed("name@example.com", "12345"))
    #expect(form.state.signInEnabled)
    #expect(names(form.submit()) == ["activityStarted", "signIn name@example.com"])
    #expect(names(form.submit()) == [])
    let wrong = FormAlert(reason: .refused("credentials.rejected"), sentence: "No.")
    #expect(names(form.end(.refused(wrong))) == ["activityEnded", "alert refused(\"credentials.rejected\")"])
    #expect(form.state.errorMessage == "No.")
    form.change(typed(nil, "123456"))
    #expect(form.state.errorMessage == nil)
    _ = form.submit()
    #expect(names(form.end(.welcome(stamp: nil))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.signedIn)
    #expect(names(form.submit()) == ["alert invalid"], "the password is forgotten")
  }

  @Test("the sign-in form shows only the submitted user as signed in")
  func signInOfAnother() {
    var form = SignInForm(rules: rules)
    form.change(typed("mallory@example.com", "a fine phrase"))
    _ = form.submit()
    form.change(typed("target@example.com"))
    #expect(names(form.end(.welcome(stamp: "s"))) == ["activityEnded", "alert refused(\"request.cancelled\")"])
    #expect(form.state.email == "target@example.com" && !form.state.signedIn && form.state.stamp == nil)
    #expect(form.state.errorMessage != nil && form.state.signInEnabled && !form.isBusy)
    // after a change back, the screen shows the submitted user
    form.change(typed("mallory@example.com"))
    _ = form.submit()
    form.change(typed("target@example.com"))
    form.change(typed("mallory@example.com"))
    #expect(names(form.end(.welcome(stamp: "s"))) == ["activityEnded", "navigate welcome"])
    #expect(form.state.signedIn && form.state.stamp == "s")
  }

  @Test("a form keeps one copy of a password, and no copy after a registration, a sign-in or a recovery")
  func copies() {
    weak var password: Password?
    weak var confirmation: Password?
    var form = RegistrationForm(rules: rules)
    do {
      let entry = typed("new@example.com", "a fine phrase", "a fine phrase")
      (password, confirmation) = (entry.password, entry.passwordConfirmation)
      form.change(entry)
    }
    #expect(password != nil && confirmation == nil)
    _ = form.submit()
    _ = form.end(.welcome(stamp: nil))
    #expect(password == nil && form.state.registered)
    var signIn = SignInForm(rules: rules)
    do {
      let entry = typed("name@example.com", "a fine phrase")
      password = entry.password
      signIn.change(entry)
    }
    _ = signIn.submit()
    #expect(password != nil)
    _ = signIn.end(.welcome(stamp: nil))
    #expect(password == nil && signIn.state.signedIn)
    var recovery = RecoveryForm(rules: rules)
    recovery.change(typed("name@example.com"))
    _ = recovery.submit()
    _ = recovery.end(.claimed(FormClaim(ClaimScene.claim(.recovery))))
    do {
      let entry = typed(nil, "a fine phrase", "a fine phrase")
      (password, confirmation) = (entry.password, entry.passwordConfirmation)
      recovery.change(entry, code: "123456")
    }
    #expect(password != nil && confirmation == nil)
    _ = recovery.submit()
    #expect(recovery.isBusy)
    _ = recovery.end(.welcome(stamp: nil))
    #expect(password == nil && recovery.state.recovered)
  }
}

extension FormAction {
  /// The action's name in dialogues.
  var name: String {
    switch self {
    case .activityStarted: "activityStarted"
    case .activityEnded: "activityEnded"
    case .alert(let alert): "alert \(alert.reason)"
    case .navigate(let destination): "navigate \(destination.rawValue)"
    case .register(let entry): "register \(entry.email ?? "")"
    case .signIn(let email, _): "signIn \(email)"
    case .prove(_, let code): "prove \(code)"
    case .startRecovery(let email): "startRecovery \(email)"
    case .finishRecovery(_, let code, _): "finishRecovery \(code)"
    }
  }
}

extension Form {
  /// Types into the fields without a code.
  mutating func change(_ typed: RegistrationEntry) { change(typed, code: nil) }
}
