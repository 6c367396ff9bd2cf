/// The settings that decide who may register (`registration.mode` and related keys).
package struct AdmissionTerms: Equatable, Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    /// Everybody who may connect may register.
    case open
    /// Only a person with an invitation may register.
    case invited
    /// Registration is closed. Registrations that have begun continue.
    case closed
  }

  /// The new accounts that wait until an administrator approves them. Those of `approvedDomains` never wait.
  package enum Approval: String, Sendable, CaseIterable {
    /// No account waits.
    case none
    /// All accounts wait.
    case administrator
    /// The accounts that used no invitation wait.
    case uninvited
  }

  package var mode: Mode
  package var approval: Approval
  /// The domains whose accounts do not wait.
  package var approvedDomains: DomainPatterns
  /// How long an invitation is valid unless its maker chooses another time.
  package var invitation: Duration

  package init(
    mode: Mode = .open, approval: Approval = .none, approvedDomains: DomainPatterns = DomainPatterns(),
    invitation: Duration = .seconds(604_800)
  ) {
    (self.mode, self.approval, self.approvedDomains) = (mode, approval, approvedDomains)
    self.invitation = invitation
  }

  /// Whether a new account waits until an administrator approves it.
  ///
  /// - Parameter isInvited: Whether the account takes a use of an invitation in the transaction that makes it.
  package func needsApproval(_ email: EmailAddress, isInvited: Bool) -> Bool {
    switch approval {
    case .none: false
    case .administrator: !approvedDomains.contains(email.key.domain)
    case .uninvited: !isInvited && !approvedDomains.contains(email.key.domain)
    }
  }
}

/// How a registration continues if it is new, and not a repeat of one that has begun.
struct Entrance: Sendable {
  /// The invitation that admits the registration, at the cost of one of its uses, or nil if none was given.
  var invitation: Invitation?
  /// The terms that were accepted.
  var terms: AcceptedTerms?
  var displayName: DisplayName?
  /// The outcome of a new registration that may not continue, or nil if it may.
  var otherwise: RegistrationOutcome?
  /// The address to which regd mailed the given code, as it was invited, if the registration is for this address. The
  /// caller can read the mail there, even if the invitation no longer admits any address.
  var mailbox: EmailAddress?

  /// The address, in the invited spelling, if the invitation proves it, or otherwise nil. Another spelling may lead to
  /// another mailbox.
  var proven: EmailAddress? { otherwise == nil ? mailbox : nil }
}

extension Registrar {
  /// Decides how a new registration continues. A registration that has begun needs no invitation and no terms again: the
  /// steps that follow look for such a registration first, and use `otherwise` only if they find none.
  func entrance(
    _ entry: RegistrationEntry, _ validation: Validation, _ email: EmailAddress, for share: Share
  ) async throws(StoreFailure) -> Entrance {
    let now = time.now()
    var entrance = Entrance(
      terms: rules.terms.map { AcceptedTerms(version: $0.version, acceptedAt: now) },
      displayName: validation.displayName)
    if admission.mode == .closed {
      entrance.otherwise = .obstructed(.closed)
    } else if !validation.problems.isEmpty {
      entrance.otherwise = .obstructed(.invalid(validation.problems))
    }
    guard let typed = entry.givenInvitation else { return entrance }
    // a text that is not a code costs the same work, so that the time reveals nothing
    let digest = codes?.digest(of: typed) ?? InvitationDigest([])
    let answer = try await store.admittance(
      digest, email, claiming: verification.isRequired ? share : nil, at: now)
    if let found = answer.invitation, found.isMailed, found.email?.key == email.key { entrance.mailbox = found.email }
    guard entrance.otherwise == nil else { return entrance }
    entrance.invitation = answer.admitted
    if entrance.invitation == nil { entrance.otherwise = .invitationRejected }
    return entrance
  }

  /// Whether registration is closed, so that the caller can neither prove the claim nor have its code mailed again.
  /// False for a claim that has already made its account.
  func isClosed(to claim: AddressClaim) async throws(StoreFailure) -> Bool {
    guard admission.mode == .closed, claim.kind == .registration, claim.state != .proven else { return false }
    return try await store.find(claim.account) == nil
  }
}
