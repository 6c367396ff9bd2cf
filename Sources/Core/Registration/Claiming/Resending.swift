extension Registrar {
  /// Sends a claim's mail again: with the same code while the code is valid, otherwise with a new one. A code that was
  /// never mailed is also replaced, because its recipient does not know it. For the parameters see `prove`.
  package func resend(
    _ id: ClaimID, language: String? = nil, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }, found: (AddressClaim) -> Void = { _ in }
  ) async -> ClaimOutcome {
    do throws(Obstacle) {
      let now = time.now()
      var mayChange = FirstCommit(mayCommit)
      while true {
        guard let seen = try await find(open: id, of: requester, at: now, found) else { return .gone }
        let digits = try await Obstacle.ofStore(try await terms(for: seen.email.key, at: now)).digits
        if let refusal = refusal(ofResending: seen, to: requester, at: now) { return refusal }
        let recipient = try await self.recipient(of: seen, requester)
        let claim = renewed(seen, digits: digits, at: now)
        let draft = ClaimDraft(verification, by: requester, language: language ?? claim.language, now: now)
        let mail = draft.mail(
          seen.kind.code, to: recipient.email, claim: claim.id, account: claim.account, isWanted: recipient.isWanted,
          isKnown: recipient.isKnown)
        guard mayChange.isGranted else { throw .cancelled }
        let isDone = try await Obstacle.ofStore(
          try await store.renew(claim, seen: seen, mail, Stamp(now, by: requester)))
        if isDone { return .claimed(claim) }
        // another call has just had the mail sent again, or the claim has got another code
      }
    } catch {
      return .obstructed(error)
    }
  }

  /// The outcome if the claim's mail is not sent again, or nil if it is.
  private func refusal(
    ofResending seen: AddressClaim, to requester: Requester, at now: Timestamp
  ) -> ClaimOutcome? {
    guard seen.uid == requester.uid, !seen.isHidden else { return .gone }
    switch seen.state {
    case .proven: return .gone
    case .taken where !verification.conceals: return .taken
    case .open, .taken, .decoy: break
    }
    // a resend time further ahead than `resend` comes from a wrong clock, and is ignored
    guard seen.resendAt <= now || seen.resendAt > now.advanced(by: verification.resend) else {
      return .tooSoon(retryAfterSeconds: now.seconds(until: seen.resendAt))
    }
    return nil
  }

  private struct Recipient {
    let email: EmailAddress
    /// Whether there is something to prove. If false, the mail is counted, but not sent.
    let isWanted: Bool
    /// Whether the account's owner has already used the requester's user and origin.
    var isKnown = false
  }

  /// The recipient of a claim's mail. The mail of a recovery goes to the address as the account has it.
  private func recipient(of seen: AddressClaim, _ requester: Requester) async throws(Obstacle) -> Recipient {
    guard seen.kind == .recovery else { return Recipient(email: seen.email, isWanted: seen.state == .open) }
    let found = try await Obstacle.ofStore(try await store.find(seen.account))
    guard let account = found?.account, account.state == .active else {
      return Recipient(email: seen.email, isWanted: false)
    }
    return Recipient(
      email: account.email, isWanted: seen.state == .open, isKnown: passwords.isKnown(requester, at: account))
  }

  /// The claim after its mail was sent again.
  private func renewed(_ seen: AddressClaim, digits: Int, at now: Timestamp) -> AddressClaim {
    var claim = seen
    claim.resendAt = now.advanced(by: verification.resend)
    let codeUntil = min(seen.expiresAt, now.advanced(by: verification.code))
    if seen.codeUntil <= now || isReplaced(seen, digits, codeUntil) {
      claim.generation += 1
      claim.digits = digits
      claim.codeUntil = codeUntil
    }
    return claim
  }

  /// Whether the claim gets another code although the present one has not expired.
  private func isReplaced(_ seen: AddressClaim, _ digits: Int, _ codeUntil: Timestamp) -> Bool {
    switch seen.mailed {
    case .shared: false
    case nil: true
    // If the address has no account, the code was not mailed and is replaced. The outcome must look the same here.
    case .own: seen.digits != digits || seen.codeUntil != codeUntil
    }
  }
}

extension AddressClaim.Kind {
  /// The kind of mail that contains the claim's code.
  var code: MailKind {
    switch self {
    case .registration: .registrationCode
    case .recovery: .recoveryCode
    case .changeOfEmail: .changeCode
    }
  }
}
