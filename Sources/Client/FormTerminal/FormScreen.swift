internal import Localization

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

  func label(of field: FormKind.Field) -> LocalizedMessage {
    switch (field, kind) {
    case (.email, _): LocalizedMessage(FormScreenMessageKey.email)
    case (.code, _): LocalizedMessage(FormScreenMessageKey.code)
    case (.password, .recovery): LocalizedMessage(FormScreenMessageKey.newPassword)
    case (.password, _): LocalizedMessage(FormScreenMessageKey.password)
    case (.passwordConfirmation, .recovery): LocalizedMessage(FormScreenMessageKey.newPasswordConfirmation)
    case (.passwordConfirmation, _): LocalizedMessage(FormScreenMessageKey.passwordConfirmation)
    case (.invitation, _): LocalizedMessage(FormScreenMessageKey.invitation)
    case (.terms, _): LocalizedMessage(FormScreenMessageKey.terms)
    }
  }

  var title: LocalizedMessage {
    switch kind {
    case .registration: LocalizedMessage(FormScreenMessageKey.registration)
    case .signIn: LocalizedMessage(FormScreenMessageKey.signIn)
    case .recovery: LocalizedMessage(FormScreenMessageKey.recovery)
    }
  }

  /// The message below the title, or nil for none.
  var hint: LocalizedMessage? {
    claim.map { claim in
      LocalizedMessage(
        kind == .recovery ? FormScreenMessageKey.codeIfAccount : .codeOnItsWay, ["email": .text(claim.email)])
    }
  }

  /// The button that submits the form.
  var button: LocalizedMessage {
    switch (kind, claim) {
    case (.registration, nil): LocalizedMessage(FormButton.register)
    case (.registration, _?): LocalizedMessage(FormButton.confirm)
    case (.signIn, _): LocalizedMessage(FormButton.signIn)
    case (.recovery, nil): LocalizedMessage(FormButton.mailCode)
    case (.recovery, _?): LocalizedMessage(FormButton.setPassword)
    }
  }

  /// The button below the submit button, or nil for none.
  var resendButton: LocalizedMessage? { claim == nil ? nil : LocalizedMessage(FormButton.mailAgain) }

  var activity: LocalizedMessage {
    switch (kind, claim) {
    case (.registration, nil): LocalizedMessage(FormScreenMessageKey.registering)
    case (.registration, _?): LocalizedMessage(FormScreenMessageKey.confirming)
    case (.signIn, _): LocalizedMessage(FormScreenMessageKey.signingIn)
    case (.recovery, nil): LocalizedMessage(FormScreenMessageKey.askingForCode)
    case (.recovery, _?): LocalizedMessage(FormScreenMessageKey.settingPassword)
    }
  }
}
