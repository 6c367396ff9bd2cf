/// The texts of all mails. `time` and `until` are times such as `2026-11-22 14:32 UTC`. Each text of a mail may have the
/// places `site` and `siteURL`, in any language: the values of the keys `site.name` and `site.url`, or nothing.
package enum MailMessageKey: String, MessageKey {
  // the mail with the code that proves the address of a registration
  case registrationCodeSubject = "mail.registrationCodeSubject: Confirm your email address"
  /// The next line is the address, as after every message here that ends with a colon. After `…Enter`, the next line is
  /// the code.
  case registrationCodeWhat = "mail.registrationCodeWhat: An account is being registered with this address:"
  case registrationCodeEnter = "mail.registrationCodeEnter: If this is you, enter this code where you are registering:"
  case registrationCodeNotYou = """
    mail.registrationCodeNotYou: \
    If this is not you, ignore this email. Without the code, no account can be created with your address.
    """
  // the mail with the code for choosing another password
  case recoveryCodeSubject = "mail.recoveryCodeSubject: Choose a new password"
  case recoveryCodeWhat = "mail.recoveryCodeWhat: A new password was requested for the account with this address:"
  case recoveryCodeEnter =
    "mail.recoveryCodeEnter: If this was you, enter this code where you requested the new password:"
  case recoveryCodeNotYou = """
    mail.recoveryCodeNotYou: \
    If this was not you, ignore this email. Without the code, your password will not be changed.
    """
  // the mail with the code that proves the new address of an account
  case changeCodeSubject = "mail.changeCodeSubject: Confirm your new email address"
  case changeCodeWhat =
    "mail.changeCodeWhat: A request was made to change the email address of an account to this address:"
  case changeCodeEnter = "mail.changeCodeEnter: If this was you, enter this code where you requested the change:"
  case changeCodeNotYou = """
    mail.changeCodeNotYou: \
    If this was not you, ignore this email. Without the code, your address is not added to the account.
    """
  /// For every mail with a code. `life` is one of the four texts below.
  case codeLife = "mail.codeLife: The code is valid for {life}, until {until}."
  case codeLifeDays = "mail.codeLifeDays: {count, plural, one {# day} other {# days}}"
  case codeLifeHours = "mail.codeLifeHours: {count, plural, one {# hour} other {# hours}}"
  case codeLifeMinutes = "mail.codeLifeMinutes: {count, plural, one {# minute} other {# minutes}}"
  case codeLifeSeconds = "mail.codeLifeSeconds: {count, plural, one {# second} other {# seconds}}"
  case codeSecret = "mail.codeSecret: Do not share this code with anyone. Support staff never need it."
  // the notice to an owner whose address was entered for another account
  case registrationTriedSubject = "mail.registrationTriedSubject: Attempt to register with your email address"
  case registrationTriedWhat = "mail.registrationTriedWhat: At {time}, a new account was requested with this address:"
  case registrationTriedUnchanged = """
    mail.registrationTriedUnchanged: \
    You already have an account with this address. Nothing has changed: your account and its password are the same as \
    before.
    """
  case registrationTriedYou = """
    mail.registrationTriedYou: \
    If this was you, sign in to your existing account. If you have forgotten its password, request a new one where you \
    sign in.
    """
  case registrationTriedNotYou = "mail.registrationTriedNotYou: If this was not you, you do not need to do anything."
  // the notice to an owner that the password was changed
  case passwordChangedSubject = "mail.passwordChangedSubject: Your password was changed"
  case passwordChangedWhat =
    "mail.passwordChangedWhat: At {time}, the password of the account with this address was changed:"
  case passwordChangedYou = "mail.passwordChangedYou: If this was you, you do not need to do anything."
  case passwordChangedNotYou = """
    mail.passwordChangedNotYou: \
    If this was not you, immediately request a new password where you sign in. Choose a password that you use nowhere \
    else.
    """
  // the notice to an account's previous address, after its owner has changed the address
  case emailChangedSubject = "mail.emailChangedSubject: The email address of your account was changed"
  case emailChangedWhat =
    "mail.emailChangedWhat: At {time}, the email address of your account was changed. The previous address was:"
  case emailChangedYou = """
    mail.emailChangedYou: \
    If this was you, you do not need to do anything. Emails about the account now go to the new address.
    """
  case emailChangedNotYou = """
    mail.emailChangedNotYou: \
    If this was not you, someone else knows your password. Immediately contact the people who run the service: codes \
    for a new password are no longer sent to this address.
    """
  // the mail with an invitation
  case invitationSubject = "mail.invitationSubject: You are invited to register"
  case invitationWhat = "mail.invitationWhat: You are invited to register an account with this address:"
  case invitationEnter = "mail.invitationEnter: Enter this code where you register:"
  case invitationNotYou = "mail.invitationNotYou: If you do not want an account, ignore this email."
  // the notices to a registered person about an administrator's approval
  case accountWaitingSubject = "mail.accountWaitingSubject: Your registration is waiting for approval"
  case accountWaitingWhat = "mail.accountWaitingWhat: At {time}, an account was registered with this address:"
  case accountWaitingThen = """
    mail.accountWaitingThen: \
    An administrator must approve the account before anyone can sign in to it. You will then receive another email.
    """
  case accountApprovedSubject = "mail.accountApprovedSubject: Your registration was approved"
  case accountApprovedWhat = "mail.accountApprovedWhat: The account with this address was approved:"
  case accountApprovedThen = "mail.accountApprovedThen: You can now sign in with the password that you chose."
  case accountRefusedSubject = "mail.accountRefusedSubject: Your registration was not approved"
  case accountRefusedWhat =
    "mail.accountRefusedWhat: An administrator did not approve the account that was registered with this address:"
  case accountRefusedThen = """
    mail.accountRefusedThen: \
    The account and its password were deleted. A record of this decision, including your address, is kept for a \
    limited time.
    """
  /// The end of every mail, if `site.name` is set. The next line is `site.url`, if that is set.
  case site = "mail.site: This email was sent by {site}."
  // not in a mail: the answer to an administrator
  case notFound = "mail.notFound: No email with this id is waiting to be sent."

  /// The places that a translation may have even if the English text has none.
  var commonPlaces: Set<String> { self == .notFound ? [] : ["site", "siteURL"] }
}
