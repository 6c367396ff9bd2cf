internal import AddressNormalization
package import Registration

/// `registration`: who may register, whether an address must be proven before an account exists, and the rules for claims and
/// codes.
package struct RegistrationSettings: Equatable, Sendable {
  package enum Verification: String, Sendable, CaseIterable {
    /// An account exists at once.
    case none
    /// An account exists only once its address is proven.
    case required
  }

  package var mode: AdmissionTerms.Mode
  package var invitationSeconds: Duration
  package var approval: AdmissionTerms.Approval
  /// The domains whose accounts do not wait, written as for `email.allowedDomains`.
  package var approvedDomains: [String]
  /// The terms of use, or nil if a user need not accept any.
  package var terms: TermsOfUse?
  package var verification: Verification
  package var claimSeconds: Duration
  package var codeSeconds: Duration
  package var codeDigits: Int
  package var codeAttempts: Int
  package var resendSeconds: Duration
  package var conceal: Bool

  /// The longest time that a key of this section allows: ten years.
  private static let longest = Duration.seconds(315_360_000)

  init(_ reader: inout SettingsReader) {
    let mode = reader.choice(
      "registration.mode", default: AdmissionTerms.Mode.open.rawValue, of: AdmissionTerms.Mode.allCases.map(\.rawValue))
    self.mode = AdmissionTerms.Mode(rawValue: mode) ?? .open
    invitationSeconds = reader.seconds(
      "registration.invitationSeconds", default: AdmissionTerms().invitation,
      .seconds(1)...(.seconds(Invitation.longestLife)))
    let approval = reader.choice(
      "registration.approval", default: AdmissionTerms.Approval.none.rawValue,
      of: AdmissionTerms.Approval.allCases.map(\.rawValue))
    self.approval = AdmissionTerms.Approval(rawValue: approval) ?? .none
    approvedDomains = EmailSettings.patterns("registration.approvedDomains", to: "approve", &reader)
    terms = Self.terms(&reader)
    let name = reader.choice(
      "registration.verification", default: Verification.none.rawValue, of: Verification.allCases.map(\.rawValue))
    verification = Verification(rawValue: name) ?? .none
    claimSeconds = reader.seconds("registration.claimSeconds", default: .seconds(86_400), .seconds(1)...Self.longest)
    codeSeconds = reader.seconds("registration.codeSeconds", default: .seconds(900), .seconds(1)...Self.longest)
    codeDigits = reader.integer("registration.codeDigits", default: 6, 6...10)
    codeAttempts = reader.integer("registration.codeAttempts", default: 5, 1...1000)
    resendSeconds = reader.seconds("registration.resendSeconds", default: .seconds(60), .seconds(1)...Self.longest)
    conceal = reader.flag("registration.conceal", default: false)
  }

  private static func terms(_ reader: inout SettingsReader) -> TermsOfUse? {
    let version = reader.string("registration.terms.version", default: "")
    let url = reader.string("registration.terms.url", default: "")
    if version.utf8.count > TermsOfUse.longestVersion {
      reader.refuse("registration.terms.version", "is too long; the maximum is \(TermsOfUse.longestVersion) bytes")
    }
    return TermsOfUse(version: version, url: url)
  }

  /// Refuses verification without mail, and concealment without verification. An account that is made at once reveals
  /// that the address had none before.
  func check(hasMail: Bool, _ reader: inout SettingsReader) {
    if verification == .required, !hasMail {
      reader.refuse(
        "registration.verification",
        "must be none while mail.backend is none, because no code could be sent; choose a mail.backend")
    }
    if conceal, verification == .none {
      reader.refuse(
        "registration.conceal",
        "must be false while registration.verification is none, because a successful registration reveals that the address had no account"
      )
    }
  }

  package var admission: AdmissionTerms {
    AdmissionTerms(
      mode: mode, approval: approval, approvedDomains: DomainPatterns(approvedDomains, UnicodeNormalizer()),
      invitation: invitationSeconds)
  }

  /// Whether accounts of some domains do not wait although their addresses are not verified. Every caller can then
  /// register such an account, so the approval protects nothing.
  package var approvesUnverified: Bool {
    approval != .none && !approvedDomains.isEmpty && verification == .none
  }

  package func terms(hasMail: Bool) -> VerificationTerms {
    VerificationTerms(
      isRequired: verification == .required, conceals: conceal, claim: claimSeconds, code: codeSeconds,
      digits: codeDigits, attempts: codeAttempts, resend: resendSeconds, hasMail: hasMail)
  }
}

/// `audit`: what the audit keeps.
package struct AuditSettings: Equatable, Sendable {
  /// How many days the audit keeps an address after its account was deleted, released or given another address, and an
  /// invitation keeps its address after the invitation's end.
  package var addressDays: Int
  /// The seed of the key pair that signs the heads of the audit's tree. Nil means the store's own.
  package var key: CodeKey?

  init(_ reader: inout SettingsReader) {
    addressDays = reader.integer("audit.addressDays", default: 30, 0...3650)
    let text = reader.secret("audit.key", default: "")
    guard !text.isEmpty else { return }
    key = CodeKey(base64: text)
    if key == nil { reader.refuse("audit.key", "must be 32 bytes in base64; to make a key: openssl rand -base64 32") }
  }

  package var addresses: Duration { .seconds(86_400 * addressDays) }
}
