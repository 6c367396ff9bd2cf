/// The settings of the configuration for proving addresses (`registration`, `mail`).
package struct VerificationTerms: Equatable, Sendable {
  /// Whether an account exists only after its address was proven.
  package var isRequired: Bool
  /// Whether no caller learns that an address has an account.
  package var conceals: Bool
  /// How long a claim is valid.
  package var claim: Duration
  /// How long a code is valid.
  package var code: Duration
  /// The number of digits of a code.
  package var digits: Int
  /// A claim ends after this many wrong codes.
  package var attempts: Int
  /// The shortest time between two mails for one claim.
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

  /// How long a claim of the kind is valid. A recovery is valid only as long as its one code.
  func life(of kind: AddressClaim.Kind) -> Duration { kind == .recovery ? code : claim }
}
