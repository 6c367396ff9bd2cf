/// An invitation that an administrator makes.
package struct InvitationDraft: Sendable {
  package var email: String?
  package var domain: String?
  /// How many accounts the invitation admits: 1 to `Invitation.mostUses`.
  package var uses: Int
  /// How long the invitation is valid, or nil for the configured time.
  package var life: Duration?
  package var note: String?
  /// Whether the code is mailed to `email` instead of being returned to the caller.
  package var isMailed: Bool
  /// The language of the mail.
  package var language: String?
  package var groups: Groups

  package init(
    email: String? = nil, domain: String? = nil, uses: Int = 1, life: Duration? = nil, note: String? = nil,
    isMailed: Bool = false, language: String? = nil, groups: Groups = .none
  ) {
    self.groups = groups
    self.email = email
    self.domain = domain
    self.uses = uses
    self.life = life
    self.note = note
    self.isMailed = isMailed
    self.language = language
  }
}

package enum InvitationOutcome: Equatable, Sendable {
  /// `code` is nil if it was mailed.
  case created(Invitation, code: InvitationCode?)
  case found(CountedInvitation)
  case notFound
  /// An account has the invited address.
  case taken
  /// The address has already got as many mails as `MailBounds` allow.
  case tooManyMails(retryAfterSeconds: Int)
  case obstructed(Obstacle)
}

/// Makes, revokes and lists invitations.
extension Administrator {
  /// Makes an invitation. The store keeps only the digest of its code, so the code cannot be shown again.
  ///
  /// - Parameter mayCommit: Called once, before the store is changed. If it returns false, nothing is done.
  package func invite(
    _ draft: InvitationDraft, by requester: Requester, mayCommit: @Sendable () -> Bool = { true }
  ) async -> InvitationOutcome {
    let registrar = registrar.value
    do throws(Obstacle) {
      guard !draft.isMailed || registrar.verification.hasMail else { throw .off(.mail) }
      guard let codes = registrar.codes else { throw .off(.mail) }
      let (email, domain) = try registrar.check(draft)
      // The code of a mail is made from the store's key, which is known once an operation has succeeded
      // (`UnopenedEngine`). Otherwise the mail might contain another code than the one that is stored.
      if draft.isMailed { try await Obstacle.ofStore(try await store.check()) }
      guard mayCommit() else { throw .cancelled }
      let now = time.now()
      let id = InvitationID(at: now)
      let code = draft.isMailed ? codes.code(ofInvitation: id) : InvitationCode()
      let invitation = Invitation(
        id: id, digest: codes.digest(of: code), email: email, domain: domain, uses: draft.uses, createdAt: now,
        expiresAt: now.advanced(by: draft.life ?? registrar.admission.invitation), note: draft.note, by: requester.uid,
        isMailed: draft.isMailed, groups: draft.groups)
      let letter = ClaimDraft(registrar.verification, by: requester, language: draft.language, now: now)
      let mail = draft.isMailed ? email.map { letter.mail(.invitation, to: $0, invitation: id) } : nil
      switch try await Obstacle.ofStore(try await store.add(invitation, mail, Stamp(now, by: requester))) {
      case .added:
        return .created(invitation, code: draft.isMailed ? nil : code)
      case .emailTaken: return .taken
      case .tooManyMails: return .tooManyMails(retryAfterSeconds: Int(MailBounds.span.components.seconds))
      }
    } catch {
      return .obstructed(error)
    }
  }

  /// Revokes an invitation. Revoking it again changes nothing and has the same outcome.
  package func revoke(
    _ id: InvitationID, by requester: Requester, mayCommit: @Sendable () -> Bool = { true }
  ) async -> InvitationOutcome {
    guard mayCommit() else { return .obstructed(.cancelled) }
    do {
      return try await store.revokeInvitation(id, Stamp(time.now(), by: requester)).map { .found($0) } ?? .notFound
    } catch {
      return .obstructed(.store(error))
    }
  }
}

extension Registrar {
  fileprivate func check(_ draft: InvitationDraft) throws(Obstacle) -> (email: EmailAddress?, domain: String?) {
    if let typed = draft.email {
      switch rules.email.check(typed) {
      case .success(let address): return (address, nil)
      case .failure(let refusal): throw .invalid(refusal.problems)
      }
    }
    guard let domain = draft.domain else { return (nil, nil) }
    // a domain has to keep the same rules as the domain of an address
    switch rules.email.check("a@\(Self.bare(domain))") {
    case .success(let address): return (nil, address.key.domain)
    case .failure(let refusal): throw .invalid(refusal.problems.map { Problem(.domain, $0.reason, $0.sentence) })
    }
  }

  /// The domain without white space and invisible marks around it, and without the @ with which regctl shows it.
  private static func bare(_ typed: String) -> String {
    let domain = AddressMargins.removed(from: typed)
    return domain.hasPrefix("@") ? AddressMargins.removed(from: String(domain.dropFirst())) : domain
  }
}
