internal import Sentences

/// The parts of a form's screen. Without a claim (a begun registration or recovery), the screen asks for the entry,
/// such as address and password. With a claim, it asks for the code that regd has mailed.
struct FormScreen {
  let kind: FormKind
  let claim: FormState.Claim?
  /// The additional fields that the operator's configuration requires.
  let needs: [FormKind.Field]

  /// The fields of the screen. A screen that asks for a code also shows the address, so that people notice and correct
  /// a mistyped one.
  var fields: [FormKind.Field] {
    switch (kind, claim) {
    case (.registration, nil): [.email, .password, .passwordConfirmation] + needs
    case (.registration, _?): [.email, .code]
    case (.signIn, _): [.email, .password]
    case (.recovery, nil): [.email]
    case (.recovery, _?): [.email, .code, .password, .passwordConfirmation]
    }
  }

  func label(of field: FormKind.Field) -> Sentence {
    switch (field, kind) {
    case (.email, _): Sentence(FormScreenSentence.email)
    case (.code, _): Sentence(FormScreenSentence.code)
    case (.password, .recovery): Sentence(FormScreenSentence.newPassword)
    case (.password, _): Sentence(FormScreenSentence.password)
    case (.passwordConfirmation, .recovery): Sentence(FormScreenSentence.newPasswordConfirmation)
    case (.passwordConfirmation, _): Sentence(FormScreenSentence.passwordConfirmation)
    case (.invitation, _): Sentence(FormScreenSentence.invitation)
    case (.terms, _): Sentence(FormScreenSentence.terms)
    }
  }

  var title: Sentence {
    switch kind {
    case .registration: Sentence(FormScreenSentence.registration)
    case .signIn: Sentence(FormScreenSentence.signIn)
    case .recovery: Sentence(FormScreenSentence.recovery)
    }
  }

  /// The sentence below the title, or nil for none.
  var hint: Sentence? {
    claim.map { claim in
      Sentence(
        kind == .recovery ? FormScreenSentence.codeIfAccount : .codeOnItsWay, ["email": .text(claim.email)])
    }
  }

  /// The button that submits the form.
  var button: Sentence {
    switch (kind, claim) {
    case (.registration, nil): Sentence(FormButton.register)
    case (.registration, _?): Sentence(FormButton.confirm)
    case (.signIn, _): Sentence(FormButton.signIn)
    case (.recovery, nil): Sentence(FormButton.mailCode)
    case (.recovery, _?): Sentence(FormButton.setPassword)
    }
  }

  /// The button below the submit button, or nil for none.
  var resendButton: Sentence? { claim == nil ? nil : Sentence(FormButton.mailAgain) }

  var activity: Sentence {
    switch (kind, claim) {
    case (.registration, nil): Sentence(FormScreenSentence.registering)
    case (.registration, _?): Sentence(FormScreenSentence.confirming)
    case (.signIn, _): Sentence(FormScreenSentence.signingIn)
    case (.recovery, nil): Sentence(FormScreenSentence.askingForCode)
    case (.recovery, _?): Sentence(FormScreenSentence.settingPassword)
    }
  }
}
