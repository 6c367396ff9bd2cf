/// What the configuration decides of proving addresses (`registration`, `mail`).
package struct VerificationTerms: Equatable, Sendable {
  /// Whether an account exists only once its address was proven.
  package var isRequired: Bool
  /// Whether no caller learns that an address has an account.
  package var conceals: Bool
  /// How long a claim lives.
  package var claim: Duration
  /// How long a code lives.
  package var code: Duration
  /// Digits of a code.
  package var digits: Int
  /// Wrong codes that end a claim.
  package var attempts: Int
  /// Between two mails for one claim.
  package var resend: Duration
  /// Whether there is a mail system.
  package var hasMail: Bool

  package init(
    isRequired: Bool = false, conceals: Bool = false, claim: Duration = .seconds(86_400),
    code: Duration = .seconds(900), digits: Int = 6, attempts: Int = 5, resend: Duration = .seconds(60),
    hasMail: Bool = false
  ) {
    self.isRequired = isRequired
    self.conceals = conceals
    self.claim = claim
    self.code = code
    self.digits = digits
    self.attempts = attempts
    self.resend = resend
    self.hasMail = hasMail
  }

  /// How long a claim of the kind lives: a recovery as long as its one code.
  func life(of kind: AddressClaim.Kind) -> Duration { kind == .recovery ? code : claim }
}
