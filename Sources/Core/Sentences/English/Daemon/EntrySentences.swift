/// Sentences about an address that was typed: the rule that it breaks, and what would satisfy the rule.
package enum EmailSentence: String, SentenceKey {
  case missing = "email.missing: An e-mail address is needed, for example name@example.com."
  case syntax = "email.syntax: An e-mail address has an @ between name and domain, as in name@example.com."
  case nothingButAt = "email.nothingButAt: The name before the @ and the domain after it are missing."
  case nameMissing = "email.nameMissing: The part before the @ is missing."
  case dots = "email.dots: Before the @, a dot stands between two other characters only."
  case nameASCII = "email.nameASCII: The part before the @ may have only ASCII characters."
  case space = "email.space: An e-mail address has no spaces."
  case secondAt = "email.secondAt: An e-mail address has only one @."
  case character = "email.character: The part before the @ may not have the character {character}."
  case invisible = "email.invisible: The part before the @ has a character that cannot be seen."
  case domain = "email.domain: What follows the @ is not a domain name; right would be, for example, example.com."
  case domainMissing = "email.domainMissing: The domain after the @ is missing."
  case domainASCII = "email.domainASCII: The domain after the @ may have only ASCII letters, digits, hyphens and dots."
  case domainInvisible = "email.domainInvisible: The domain after the @ has a character that cannot be seen."
  case domainDot = "email.domainDot: The domain after the @ needs a dot, as in example.com."
  case domainBlocked = "email.domainBlocked: Addresses of this domain are not accepted here."
  case domainNotAllowed =
    "email.domainNotAllowed: Only addresses of certain domains are accepted here, and this domain is not among them."
  case tooLong = "email.tooLong: An e-mail address may have at most {limit} bytes."
  case nameTooLong = "email.nameTooLong: The part before the @ may have at most {limit} bytes."
  case taken = "email.taken: Sorry, provided email address is already taken"
}

/// Sentences about a password that was typed for an account: the rule that it breaks, and what would satisfy the rule.
package enum PasswordSentence: String, SentenceKey {
  case missing = "password.missing: A password is needed."
  /// `count` is the number of characters that the typed password has.
  case tooShort = "password.tooShort: A password needs at least {limit} characters; this one has {count}."
  case tooLong = "password.tooLong: A password may have at most {limit} characters; this one has {count}."
  case common = "password.common: This password is among those that everybody tries first; choose another."
  case resemblesEmail = "password.resemblesEmail: The password must not be the e-mail address or a part of it."
  case breached =
    "password.breached: This password is on a list of passwords that were stolen elsewhere; choose one that you use nowhere else."
  case confirmationMissing = "password.confirmationMissing: The password is needed a second time, to confirm it."
  case mismatch = "password.mismatch: The password and its confirmation are not the same."
}

package enum ValidationSentence: String, SentenceKey {
  case failed = "validation.failed: The entry is not valid."
}

/// Sentences about signing in.
package enum CredentialsSentence: String, SentenceKey {
  case rejected = "credentials.rejected: E-mail address and password do not fit together."
}

/// Sentences about an earlier sign-in.
package enum SessionSentence: String, SentenceKey {
  case ended = "session.ended: This sign-in has ended; please sign in again."
}

package enum AccountSentence: String, SentenceKey {
  case notFound = "account.notFound: There is no such account."
  case notWaiting = "account.notWaiting: There is no registration with this id that waits."
  case disabled = "account.disabled: This account has been disabled."
  case pending = "account.pending: This registration is not complete yet; try again in a moment."
  case waiting = "account.waiting: This account waits for an administrator's approval."
}

package enum InvitationSentence: String, SentenceKey {
  case missing = "invitation.missing: An invitation is needed to register here."
  case rejected = "invitation.rejected: This invitation is not valid for this address, or not any more."
  case notFound = "invitation.notFound: There is no invitation with this id."
}

package enum TermsSentence: String, SentenceKey {
  case missing = "terms.missing: The terms of use are to be accepted, in their version {version}."
  case outdated = "terms.outdated: The terms of use have changed; version {version} is to be accepted."
}

package enum RegistrationSentence: String, SentenceKey {
  case closed = "registration.closed: Nobody can register here at the moment."
}

/// Sentences about a form: regd keeps its state, and the caller displays it.
package enum FormSentence: String, SentenceKey {
  case notFound =
    "form.notFound: This connection has no form {form}; form.open opens one, and it ends with its connection."
  /// Tells the person what to do next.
  case code = "form.code: Type the code of {digits} digits from the mail to {email}."
  /// Follows `CodeSentence.rejected`, in forms and elsewhere. `left` is 1 or more.
  case tries = "form.tries: {left, plural, one {One try is left.} other {# tries are left.}}"
  /// The person has changed a field while the form was being submitted.
  case changed = "form.changed: The entry was changed in the meantime. Please submit it again."
  /// The person has changed a field while the entry was being registered, which has succeeded.
  case registered = "form.registered: An account for {email} was created. Your later changes were not saved."
  /// The person has changed a field while the new password was being set, which has succeeded.
  case recovered = "form.recovered: The password for {email} was changed. Your later changes were not saved."
}

/// Sentences about an address that still has to be proven.
package enum ClaimSentence: String, SentenceKey {
  case notFound = "claim.notFound: There is no such claim: it has expired, was used, or is another caller's."
}

/// Sentences about a code from a mail.
package enum CodeSentence: String, SentenceKey {
  case rejected = "code.rejected: This is not the code; check it, or ask for another mail."
  case over = "code.over: This is not the code, and the claim has ended."
}

/// Sentences about a record that `account.import` does not accept.
package enum ImportSentence: String, SentenceKey {
  case record = "import.record: A record must be an object."
  case member =
    "import.member: A record has no member \"{name}\"; it has \"email\", \"passwordHash\", \"state\", \"createdAt\", \"id\" and \"terms\"."
  case string = "import.string: \"{name}\" must be a string."
  case email = "import.email: This is not a valid address."
  case state = "import.state: The state must be \"active\", \"disabled\", \"pending\" or \"waiting\"."
  case createdAt = "import.createdAt: createdAt must be a time of RFC 3339, as 2026-11-21T10:57:00Z."
  case id = "import.id: The id must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case terms = "import.terms: terms must be an object with a version and acceptedAt, a time of RFC 3339."
  case emailTaken = "import.emailTaken: Another account has this address; it was left as it is."
  case idTaken = "import.idTaken: Another account has this id; it was left as it is."
}
