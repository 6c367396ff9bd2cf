/// Messages about an address that was typed: the rule that it breaks, and what would satisfy the rule.
package enum EmailMessageKey: String, MessageKey {
  case missing = "email.missing: Enter an email address, for example name@example.com."
  case syntax = "email.syntax: An email address must have an @ between the name and the domain, as in name@example.com."
  case nothingButAt = "email.nothingButAt: The name before the @ and the domain after it are missing."
  case nameMissing = "email.nameMissing: The part before the @ is missing."
  case dots = "email.dots: The part before the @ must not begin or end with a dot, or contain two dots in a row."
  case nameASCII =
    "email.nameASCII: The part before the @ may contain only unaccented English letters, digits and common symbols."
  case space = "email.space: An email address must not contain spaces."
  case secondAt = "email.secondAt: An email address must contain only one @."
  case character = "email.character: The part before the @ must not contain the character {character}."
  case invisible = "email.invisible: The part before the @ contains an invisible character."
  case domain = "email.domain: The part after the @ must be a domain name, for example example.com."
  case domainMissing = "email.domainMissing: The domain after the @ is missing."
  case domainASCII =
    "email.domainASCII: The domain after the @ may contain only the letters a to z, digits, hyphens and dots."
  case domainInvisible = "email.domainInvisible: The domain after the @ contains an invisible character."
  case domainDot = "email.domainDot: The domain after the @ needs a dot, as in example.com."
  case domainBlocked = "email.domainBlocked: Email addresses at this domain are not accepted here."
  case domainNotAllowed =
    "email.domainNotAllowed: Only email addresses at certain domains are accepted here, and this domain is not one of them."
  case tooLong = "email.tooLong: An email address may be at most {limit} bytes long."
  case nameTooLong = "email.nameTooLong: The part before the @ may be at most {limit} bytes long."
  case taken = "email.taken: Sorry, provided email address is already taken"
}

/// Messages about a password that was typed for an account: the rule that it breaks, and what would satisfy the rule.
package enum PasswordMessageKey: String, MessageKey {
  case missing = "password.missing: Enter a password."
  /// `count` is the number of characters that the typed password has.
  case tooShort = "password.tooShort: A password needs at least {limit} characters; this one has {count}."
  case tooLong = "password.tooLong: A password may have at most {limit} characters; this one has {count}."
  case common = "password.common: This password is too common. Please choose another one."
  case resemblesEmail = "password.resemblesEmail: The password must not be the email address or a part of it."
  case breached =
    "password.breached: This password appears in a list of stolen passwords. Please choose one that you use nowhere else."
  case confirmationMissing = "password.confirmationMissing: Enter the password again to confirm it."
  case mismatch = "password.mismatch: The password and its confirmation do not match."
}

package enum ValidationMessageKey: String, MessageKey {
  case failed = "validation.failed: One or more fields are not valid."
}

/// Messages about signing in.
package enum CredentialsMessageKey: String, MessageKey {
  case rejected = "credentials.rejected: Incorrect email address or password."
}

/// Messages about an earlier sign-in.
package enum SessionMessageKey: String, MessageKey {
  case ended = "session.ended: This sign-in is no longer valid. Please sign in again."
}

package enum AccountMessageKey: String, MessageKey {
  case notFound = "account.notFound: This account does not exist."
  case notWaiting = "account.notWaiting: No registration with this id is waiting to be sent to the upstream."
  case disabled = "account.disabled: This account has been disabled."
  case pending = "account.pending: This registration is not complete yet. Please try again in a moment."
  case waiting = "account.waiting: This account is waiting for an administrator's approval."
}

package enum InvitationMessageKey: String, MessageKey {
  case missing = "invitation.missing: You need an invitation to register here."
  case rejected = "invitation.rejected: This invitation is not valid for this address, or is no longer valid."
  case notFound = "invitation.notFound: There is no invitation with this id."
}

package enum TermsMessageKey: String, MessageKey {
  case missing = "terms.missing: Please accept version {version} of the terms of use."
  case outdated = "terms.outdated: The terms of use have changed. Please accept version {version}."
}

package enum DisplayNameMessageKey: String, MessageKey {
  case tooLong = "displayName.tooLong: The display name may be at most {limit} characters long."
  case invalid =
    "displayName.invalid: The display name must have visible characters, on a single line, and no hidden ones."
}

package enum GroupMessageKey: String, MessageKey {
  case tooMany = "group.tooMany: An account can be in at most {limit} groups; its groups were not changed."
  case required = "group.required: This account is not allowed to sign in here."
}

package enum RegistrationMessageKey: String, MessageKey {
  case closed = "registration.closed: Registration is closed at the moment."
}

/// Messages about a form: regd keeps its state, and the caller displays it.
package enum FormMessageKey: String, MessageKey {
  case notFound = """
    form.notFound: \
    There is no form {form} on this connection. Open a form with form.open. Closing a connection also closes its \
    forms.
    """
  /// Tells the person what to do next.
  case code = "form.code: Enter the {digits}-digit code from the email sent to {email}."
  /// Follows `CodeMessageKey.rejected`, in forms and elsewhere. `left` is 1 or more.
  case tries = "form.tries: {left, plural, one {One attempt is left.} other {# attempts are left.}}"
  /// The person has changed a field while the form was being submitted.
  case changed = "form.changed: The form was changed in the meantime. Please submit it again."
  /// The person has changed a field while the entry was being registered, which has succeeded.
  case registered = "form.registered: An account for {email} was created. Your later changes were not saved."
  /// The person has changed a field while the new password was being set, which has succeeded.
  case recovered = "form.recovered: The password for {email} was changed. Your later changes were not saved."
}

/// Messages about an address that still has to be proven.
package enum ClaimMessageKey: String, MessageKey {
  case notFound = "claim.notFound: This verification does not exist, has expired, or has already been used."
}

/// Messages about a code from a mail.
package enum CodeMessageKey: String, MessageKey {
  case rejected = "code.rejected: Incorrect code. Check the code, or request another email."
  case over = "code.over: Incorrect code. No attempts are left, so please start again."
  case verified = """
    code.verified: \
    Incorrect code. The correct code was already entered, so you do not need to enter it again.
    """
}

/// Messages about a record that `account.import` does not accept.
package enum ImportMessageKey: String, MessageKey {
  case record = "import.record: A record must be a JSON object."
  case member = """
    import.member: \
    Unknown member \"{name}\"; the allowed members are \"email\", \"passwordHash\", \"state\", \"createdAt\", \"id\", \
    \"terms\", \"groups\" and \"displayName\".
    """
  case string = "import.string: \"{name}\" must be a string."
  case email = "import.email: This is not a valid email address."
  case state = "import.state: The state must be \"active\", \"disabled\", \"pending\" or \"waiting\"."
  case createdAt = "import.createdAt: \"createdAt\" must be an RFC 3339 time, for example 2026-11-21T10:57:00Z."
  case id = "import.id: The id must be a UUID, for example 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case terms = """
    import.terms: \
    \"terms\" must be an object with \"version\", of 1 to {limit} bytes without control characters, and \"acceptedAt\", an RFC \
    3339 time.
    """
  case groups = """
    import.groups: \
    \"groups\" must be an array of at most {limit} group names; a name has 1 to 32 lower-case letters, digits, \".\", \"_\" or \
    \"-\", and begins with a letter or digit.
    """
  case emailTaken = "import.emailTaken: Another account already has this address; that account was left unchanged."
  case idTaken = "import.idTaken: Another account already has this id; that account was left unchanged."
}
