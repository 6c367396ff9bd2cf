/// Sentences about an address that was typed: the rule that it breaks, and what would satisfy the rule.
package enum EmailSentence: String, SentenceKey {
  package static let area = "email"
  case missing = "An e-mail address is needed, for example name@example.com."
  case syntax = "An e-mail address has an @ between name and domain, as in name@example.com."
  case nothingButAt = "The name before the @ and the domain after it are missing."
  case nameMissing = "The part before the @ is missing."
  case dots = "Before the @, a dot stands between two other characters only."
  case nameASCII = "The part before the @ may have only ASCII characters."
  case space = "An e-mail address has no spaces."
  case secondAt = "An e-mail address has only one @."
  case character = "The part before the @ may not have the character {character}."
  case invisible = "The part before the @ has a character that cannot be seen."
  case domain = "What follows the @ is not a domain name; right would be, for example, example.com."
  case domainMissing = "The domain after the @ is missing."
  case domainASCII = "The domain after the @ may have only ASCII letters, digits, hyphens and dots."
  case domainInvisible = "The domain after the @ has a character that cannot be seen."
  case domainDot = "The domain after the @ needs a dot, as in example.com."
  case domainBlocked = "Addresses of this domain are not accepted here."
  case domainNotAllowed = "Only addresses of certain domains are accepted here, and this domain is not among them."
  case tooLong = "An e-mail address may have at most {limit} bytes."
  case nameTooLong = "The part before the @ may have at most {limit} bytes."
  case taken = "Sorry, provided email address is already taken"
}

/// Sentences about a password that was typed for an account: the rule that it breaks, and what would satisfy the rule.
package enum PasswordSentence: String, SentenceKey {
  package static let area = "password"
  case missing = "A password is needed."
  /// `count` is the number of characters that the typed password has.
  case tooShort = "A password needs at least {limit} characters; this one has {count}."
  case tooLong = "A password may have at most {limit} characters; this one has {count}."
  case common = "This password is among those that everybody tries first; choose another."
  case resemblesEmail = "The password must not be the e-mail address or a part of it."
  case breached =
    "This password is on a list of passwords that were stolen elsewhere; choose one that you use nowhere else."
  case confirmationMissing = "The password is needed a second time, to confirm it."
  case mismatch = "The password and its confirmation are not the same."
}

package enum ValidationSentence: String, SentenceKey {
  package static let area = "validation"
  case failed = "The entry is not valid."
}

/// Sentences about signing in.
package enum CredentialsSentence: String, SentenceKey {
  package static let area = "credentials"
  case rejected = "E-mail address and password do not fit together."
}

/// Sentences about an earlier sign-in.
package enum SessionSentence: String, SentenceKey {
  package static let area = "session"
  case ended = "This sign-in has ended; please sign in again."
}

package enum AccountSentence: String, SentenceKey {
  package static let area = "account"
  case notFound = "There is no such account."
  case notWaiting = "There is no registration with this id that waits."
  case disabled = "This account has been disabled."
  case pending = "This registration is not complete yet; try again in a moment."
  case waiting = "This account waits for an administrator's approval."
}

package enum InvitationSentence: String, SentenceKey {
  package static let area = "invitation"
  case missing = "An invitation is needed to register here."
  case rejected = "This invitation is not valid for this address, or not any more."
  case notFound = "There is no invitation with this id."
}

package enum TermsSentence: String, SentenceKey {
  package static let area = "terms"
  case missing = "The terms of use are to be accepted, in their version {version}."
  case outdated = "The terms of use have changed; version {version} is to be accepted."
}

package enum RegistrationSentence: String, SentenceKey {
  package static let area = "registration"
  case closed = "Nobody can register here at the moment."
}

/// Sentences about a form, which is a screen without its display.
package enum FormSentence: String, SentenceKey {
  package static let area = "form"
  case notFound = "This connection has no form {form}; form.open opens one, and it ends with its connection."
  /// Tells the person what to do next.
  case code = "Type the code of {digits} digits from the mail to {email}."
  /// Follows `CodeSentence.rejected`. `left` is 1 or more.
  case tries = "{left, plural, one {One try is left.} other {# tries are left.}}"
}

/// Sentences about an address that still has to be proven.
package enum ClaimSentence: String, SentenceKey {
  package static let area = "claim"
  case notFound = "There is no such claim: it has expired, was used, or is another caller's."
}

/// Sentences about a code from a mail.
package enum CodeSentence: String, SentenceKey {
  package static let area = "code"
  case rejected = "This is not the code; check it, or ask for another mail."
  case over = "This is not the code, and the claim has ended."
}

/// Sentences about a record that `account.import` does not accept.
package enum ImportSentence: String, SentenceKey {
  package static let area = "import"
  case record = "A record must be an object."
  case member =
    "A record has no member \"{name}\"; it has \"email\", \"passwordHash\", \"state\", \"createdAt\", \"id\" and \"terms\"."
  case string = "\"{name}\" must be a string."
  case email = "This is not a valid address."
  case state = "The state must be \"active\", \"disabled\", \"pending\" or \"waiting\"."
  case createdAt = "createdAt must be a time of RFC 3339, as 2026-11-21T10:57:00Z."
  case id = "The id must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case terms = "terms must be an object with a version and acceptedAt, a time of RFC 3339."
  case emailTaken = "Another account has this address; it was left as it is."
  case idTaken = "Another account has this id; it was left as it is."
}
