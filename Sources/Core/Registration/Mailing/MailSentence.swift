/// Every sentence that a mail may have, by the key that translations have too. `{name}` stands for a value of that name.
package enum MailSentence: String, CaseIterable, Sendable {
  case registrationCodeSubject = "mail.registrationCode.subject"
  case registrationCodeWhat = "mail.registrationCode.what"
  case registrationCodeEnter = "mail.registrationCode.enter"
  case registrationCodeNotYou = "mail.registrationCode.notYou"
  case recoveryCodeSubject = "mail.recoveryCode.subject"
  case recoveryCodeWhat = "mail.recoveryCode.what"
  case recoveryCodeEnter = "mail.recoveryCode.enter"
  case recoveryCodeNotYou = "mail.recoveryCode.notYou"
  case changeCodeSubject = "mail.changeCode.subject"
  case changeCodeWhat = "mail.changeCode.what"
  case changeCodeEnter = "mail.changeCode.enter"
  case changeCodeNotYou = "mail.changeCode.notYou"
  /// Of every mail with a code.
  case codeLife = "mail.code.life"
  case codeSecret = "mail.code.secret"
  case registrationTriedSubject = "mail.registrationTried.subject"
  case registrationTriedWhat = "mail.registrationTried.what"
  case registrationTriedUnchanged = "mail.registrationTried.unchanged"
  case registrationTriedYou = "mail.registrationTried.you"
  case registrationTriedNotYou = "mail.registrationTried.notYou"
  case passwordChangedSubject = "mail.passwordChanged.subject"
  case passwordChangedWhat = "mail.passwordChanged.what"
  case passwordChangedYou = "mail.passwordChanged.you"
  case passwordChangedNotYou = "mail.passwordChanged.notYou"
  case emailChangedSubject = "mail.emailChanged.subject"
  case emailChangedWhat = "mail.emailChanged.what"
  case emailChangedYou = "mail.emailChanged.you"
  case emailChangedNotYou = "mail.emailChanged.notYou"

  package var key: String { rawValue }

  /// In English: what holds where there is no translation.
  package var english: String {
    switch self {
    case .registrationCodeSubject: "Confirm your e-mail address"
    case .registrationCodeWhat: "An account is being registered with this address:"
    case .registrationCodeEnter: "If that is you, enter this code where you are registering:"
    case .registrationCodeNotYou: "If it is not you, do nothing: without the code no account gets your address."
    case .recoveryCodeSubject: "Choose a new password"
    case .recoveryCodeWhat: "A new password was asked for, for the account with this address:"
    case .recoveryCodeEnter: "If that was you, enter this code where you asked for it:"
    case .recoveryCodeNotYou: "If it was not you, do nothing: without the code your password stays as it is."
    case .changeCodeSubject: "Confirm your new e-mail address"
    case .changeCodeWhat: "An account is to have this address from now on:"
    case .changeCodeEnter: "If it is your account, enter this code where you changed its address:"
    case .changeCodeNotYou: "If it is not, do nothing: without the code no account gets your address."
    case .codeLife: "The code is good for {life}, until {until}."
    case .codeSecret: "Keep the code to yourself. No one who helps you needs it."
    case .registrationTriedSubject: "Your address was entered for a new account"
    case .registrationTriedWhat: "On {time} a new account was asked for with this address:"
    case .registrationTriedUnchanged:
      "You have an account with it already. Nothing has changed: your account and its password are as they were."
    case .registrationTriedYou:
      "If that was you, sign in to the account that you have. If you have forgotten its password, ask for a new one there."
    case .registrationTriedNotYou: "If it was not you, there is nothing for you to do."
    case .passwordChangedSubject: "Your password was changed"
    case .passwordChangedWhat: "On {time} the password of the account with this address was changed:"
    case .passwordChangedYou: "If that was you, there is nothing more to do."
    case .passwordChangedNotYou:
      "If it was not you, ask for a new password at once where you sign in, and choose one that you use nowhere else."
    case .emailChangedSubject: "Your account has another e-mail address"
    case .emailChangedWhat: "On {time} your account was given another address in the place of this one:"
    case .emailChangedYou:
      "If that was you, there is nothing more to do: mails about the account go to the new address."
    case .emailChangedNotYou:
      "If it was not you, tell those who run the service at once: another person knows your password, and codes no longer reach you here."
    }
  }
}
