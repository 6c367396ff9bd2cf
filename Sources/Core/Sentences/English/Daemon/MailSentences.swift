/// All sentences of mails. `time` and `until` are times such as `2026-11-22 14:32 UTC`.
package enum MailSentence: String, SentenceKey {
  package static let area = "mail"
  // proves the address of a registration
  case registrationCodeSubject = "Confirm your e-mail address"
  /// The address follows on the next line, as after each sentence here that ends with a colon; after `…Enter` the code does.
  case registrationCodeWhat = "An account is being registered with this address:"
  case registrationCodeEnter = "If that is you, enter this code where you are registering:"
  case registrationCodeNotYou = "If it is not you, do nothing: without the code no account gets your address."
  // sets another password
  case recoveryCodeSubject = "Choose a new password"
  case recoveryCodeWhat = "A new password was asked for, for the account with this address:"
  case recoveryCodeEnter = "If that was you, enter this code where you asked for it:"
  case recoveryCodeNotYou = "If it was not you, do nothing: without the code your password stays as it is."
  // proves the new address of an account
  case changeCodeSubject = "Confirm your new e-mail address"
  case changeCodeWhat = "An account is to have this address from now on:"
  case changeCodeEnter = "If it is your account, enter this code where you changed its address:"
  case changeCodeNotYou = "If it is not, do nothing: without the code no account gets your address."
  /// For every mail with a code; `life` is one of the four texts below.
  case codeLife = "The code is good for {life}, until {until}."
  case codeLifeDays = "{count} d"
  case codeLifeHours = "{count} h"
  case codeLifeMinutes = "{count} min"
  case codeLifeSeconds = "{count} s"
  case codeSecret = "Keep the code to yourself. No one who helps you needs it."
  // tells an owner that another account was requested with the owner's address
  case registrationTriedSubject = "Your address was entered for a new account"
  case registrationTriedWhat = "On {time} a new account was asked for with this address:"
  case registrationTriedUnchanged =
    "You have an account with it already. Nothing has changed: your account and its password are as they were."
  case registrationTriedYou =
    "If that was you, sign in to the account that you have. If you have forgotten its password, ask for a new one there."
  case registrationTriedNotYou = "If it was not you, there is nothing for you to do."
  // tells an owner that the password was changed
  case passwordChangedSubject = "Your password was changed"
  case passwordChangedWhat = "On {time} the password of the account with this address was changed:"
  case passwordChangedYou = "If that was you, there is nothing more to do."
  case passwordChangedNotYou =
    "If it was not you, ask for a new password at once where you sign in, and choose one that you use nowhere else."
  // tells the previous address that the account has another one now
  case emailChangedSubject = "Your account has another e-mail address"
  case emailChangedWhat = "On {time} your account was given another address in the place of this one:"
  case emailChangedYou =
    "If that was you, there is nothing more to do: mails about the account go to the new address."
  case emailChangedNotYou =
    "If it was not you, tell those who run the service at once: another person knows your password, and codes no longer reach you here."
  // brings an invitation, whose code follows after `…Enter`
  case invitationSubject = "You are invited to register"
  case invitationWhat = "You are invited to register an account with this address:"
  case invitationEnter = "Enter this code where you register:"
  case invitationNotYou = "If you do not want an account, do nothing."
  // tells the registering person what happens to the account
  case accountWaitingSubject = "Your registration waits for approval"
  case accountWaitingWhat = "On {time} an account was registered with this address:"
  case accountWaitingThen =
    "An administrator has to approve it before anybody can sign in to it. You will get another mail then."
  case accountApprovedSubject = "Your registration was approved"
  case accountApprovedWhat = "The account with this address was approved:"
  case accountApprovedThen = "You can sign in to it now, with the password that you chose."
  case accountRefusedSubject = "Your registration was refused"
  case accountRefusedWhat = "An administrator has refused the account that was registered with this address:"
  case accountRefusedThen = "It is gone, and nothing of it is kept."
  // for an administrator
  case notFound = "There is no mail with this id that waits."
}
