/// The texts of all mails. `time` and `until` are times such as `2026-11-22 14:32 UTC`.
package enum MailSentence: String, SentenceKey {
  // the mail with the code that proves the address of a registration
  case registrationCodeSubject = "mail.registrationCodeSubject: Confirm your e-mail address"
  /// The next line is the address, as after every sentence here that ends with a colon. After `…Enter`, the next line is
  /// the code.
  case registrationCodeWhat = "mail.registrationCodeWhat: An account is being registered with this address:"
  case registrationCodeEnter = "mail.registrationCodeEnter: If that is you, enter this code where you are registering:"
  case registrationCodeNotYou =
    "mail.registrationCodeNotYou: If it is not you, do nothing: without the code no account gets your address."
  // the mail with the code for choosing another password
  case recoveryCodeSubject = "mail.recoveryCodeSubject: Choose a new password"
  case recoveryCodeWhat = "mail.recoveryCodeWhat: A new password was asked for, for the account with this address:"
  case recoveryCodeEnter = "mail.recoveryCodeEnter: If that was you, enter this code where you asked for it:"
  case recoveryCodeNotYou =
    "mail.recoveryCodeNotYou: If it was not you, do nothing: without the code your password stays as it is."
  // the mail with the code that proves the new address of an account
  case changeCodeSubject = "mail.changeCodeSubject: Confirm your new e-mail address"
  case changeCodeWhat = "mail.changeCodeWhat: An account is to have this address from now on:"
  case changeCodeEnter = "mail.changeCodeEnter: If it is your account, enter this code where you changed its address:"
  case changeCodeNotYou =
    "mail.changeCodeNotYou: If it is not, do nothing: without the code no account gets your address."
  /// For every mail with a code; `life` is one of the four texts below.
  case codeLife = "mail.codeLife: The code is good for {life}, until {until}."
  case codeLifeDays = "mail.codeLifeDays: {count} d"
  case codeLifeHours = "mail.codeLifeHours: {count} h"
  case codeLifeMinutes = "mail.codeLifeMinutes: {count} min"
  case codeLifeSeconds = "mail.codeLifeSeconds: {count} s"
  case codeSecret = "mail.codeSecret: Keep the code to yourself. No one who helps you needs it."
  // the notice to an owner whose address was entered for another account
  case registrationTriedSubject = "mail.registrationTriedSubject: Your address was entered for a new account"
  case registrationTriedWhat = "mail.registrationTriedWhat: On {time} a new account was asked for with this address:"
  case registrationTriedUnchanged =
    "mail.registrationTriedUnchanged: You have an account with it already. Nothing has changed: your account and its password are as they were."
  case registrationTriedYou =
    "mail.registrationTriedYou: If that was you, sign in to the account that you have. If you have forgotten its password, ask for a new one there."
  case registrationTriedNotYou = "mail.registrationTriedNotYou: If it was not you, there is nothing for you to do."
  // the notice to an owner that the password was changed
  case passwordChangedSubject = "mail.passwordChangedSubject: Your password was changed"
  case passwordChangedWhat =
    "mail.passwordChangedWhat: On {time} the password of the account with this address was changed:"
  case passwordChangedYou = "mail.passwordChangedYou: If that was you, there is nothing more to do."
  case passwordChangedNotYou =
    "mail.passwordChangedNotYou: If it was not you, ask for a new password at once where you sign in, and choose one that you use nowhere else."
  // the notice to an account's previous address, after its owner has changed the address
  case emailChangedSubject = "mail.emailChangedSubject: Your account has another e-mail address"
  case emailChangedWhat =
    "mail.emailChangedWhat: On {time} your account was given another address in the place of this one:"
  case emailChangedYou =
    "mail.emailChangedYou: If that was you, there is nothing more to do: mails about the account go to the new address."
  case emailChangedNotYou =
    "mail.emailChangedNotYou: If it was not you, tell those who run the service at once: another person knows your password, and codes no longer reach you here."
  // the mail with an invitation
  case invitationSubject = "mail.invitationSubject: You are invited to register"
  case invitationWhat = "mail.invitationWhat: You are invited to register an account with this address:"
  case invitationEnter = "mail.invitationEnter: Enter this code where you register:"
  case invitationNotYou = "mail.invitationNotYou: If you do not want an account, do nothing."
  // the notices to a registered person about an administrator's approval
  case accountWaitingSubject = "mail.accountWaitingSubject: Your registration waits for approval"
  case accountWaitingWhat = "mail.accountWaitingWhat: On {time} an account was registered with this address:"
  case accountWaitingThen =
    "mail.accountWaitingThen: An administrator has to approve it before anybody can sign in to it. You will get another mail then."
  case accountApprovedSubject = "mail.accountApprovedSubject: Your registration was approved"
  case accountApprovedWhat = "mail.accountApprovedWhat: The account with this address was approved:"
  case accountApprovedThen = "mail.accountApprovedThen: You can sign in to it now, with the password that you chose."
  case accountRefusedSubject = "mail.accountRefusedSubject: Your registration was refused"
  case accountRefusedWhat =
    "mail.accountRefusedWhat: An administrator has refused the account that was registered with this address:"
  case accountRefusedThen =
    "mail.accountRefusedThen: The account and its password were deleted. A record of this decision keeps your address for a limited time."
  // not in a mail: the answer to an administrator
  case notFound = "mail.notFound: There is no mail with this id that waits."
}
