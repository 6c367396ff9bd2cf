internal import Localization

/// Makes one try to send one mail.
extension MailWork {
  typealias Result = DeliveryResult<MailID, MailIntent, MailTrouble>
  typealias Clock = @Sendable () -> ContinuousClock.Instant

  func deliver(
    _ id: MailID, known: DeliveryNote<MailTrouble>?, isForced: Bool, _ now: Clock
  ) async -> Result {
    guard state.begin(id) else { return .occupied }
    defer { state.end(id) }
    do throws(StoreFailure) {
      guard let mail = try await store.lease(mail: id) else {
        state.forget(id)
        return .gone
      }
      guard !mail.isClaimedElsewhere else { return .occupied }
      if let ending = state.ending(of: id) { return try await end(mail.intent, ending) }
      let waiting = WaitingDelivery(mail)
      if !isForced, let note = waiting.note, note != known, note.next > time.now() {
        _ = try await store.putOff(mail: mail)
        return .putOffElsewhere(waiting)
      }
      state.tried(mail.intent)
      return try await send(mail, now)
    } catch {
      return .failedHere
    }
  }

  private func send(_ mail: StoredMail, _ now: Clock) async throws(StoreFailure) -> Result {
    let terms = terms.value
    // a reload of the configuration has removed the mail system since the round began
    guard let service = terms.service else { return try await putBack(mail) }
    let language = language(of: mail.intent)
    guard let text = try await text(of: mail.intent, in: language, terms) else {
      return try await end(mail.intent, MailState.Ending(state: .outdated, reason: nil))
    }
    guard mail.intent.isWanted else { return try await pretend(mail) }
    let began = now()
    let failure = await hand(mail.intent, text, in: language.tag, terms, to: service)
    // the daemon is stopping, or a reload has closed the mail service, so the try does not count
    if let failure, Task.isCancelled || failure == .cancelled { return try await putBack(mail) }
    judge(failure, of: mail.intent, began: began, now)
    switch failure {
    case nil: return try await end(mail.intent, MailState.Ending(state: .sent, reason: nil))
    case .refused(let words):
      return try await end(
        mail.intent, MailState.Ending(state: .refused, reason: MailTrouble(noted: words).description))
    case .offline?, .deferred?, .lost?, .timeout?, .untrusted?, .unusable?, .cancelled?:
      return .failed(mail.intent, MailTrouble(failure ?? .lost))
    }
  }

  /// Pretends to send an unwanted mail: waits for as long as the mail system took to answer the last mail, and hands
  /// over nothing. So the times of other mails do not reveal that this mail is unwanted.
  private func pretend(_ mail: StoredMail) async throws(StoreFailure) -> Result {
    await rest(state.usual)
    guard !Task.isCancelled else { return try await putBack(mail) }
    return try await end(mail.intent, MailState.Ending(state: .suppressed, reason: nil))
  }

  private func hand(
    _ mail: MailIntent, _ text: MailTexts.Text, in language: LanguageTag, _ terms: MailQueue.Terms,
    to service: any MailService
  ) async -> MailFailure? {
    do throws(MailFailure) {
      try await service.send(
        Mail(
          id: mail.id, kind: mail.kind, to: mail.to, from: terms.from, fromName: terms.fromName, date: mail.createdAt,
          language: language.description, subject: text.subject, body: text.body))
      return nil
    } catch {
      return error
    }
  }

  /// Judges the state of the mail system from the outcome of one try.
  private func judge(_ failure: MailFailure?, of mail: MailIntent, began: ContinuousClock.Instant, _ now: Clock) {
    if let failure { observer(.failed(failure)) }
    switch failure {
    case .offline?, .timeout?, .untrusted?, .unusable?:
      let (settings, now, dice) = (settings, now(), Deliverer<MailWork>.dice)
      state.judge(
        { $0.failed(began: began, settings, at: now, dice: dice) ? .fails : .same },
        tell: { _ in observer(.system(failure)) })
    case nil, .deferred?, .refused?, .lost?:
      // the time of a lost mail is that of a time limit, and not of an answer
      if failure != .lost { state.took(now() - began) }
      state.judge(
        { $0.answered(failure, to: mail.to.key) }, tell: { observer(.system($0 == .fails ? failure : nil)) })
    case .cancelled?: break
    }
  }

  /// Judges the state of the mail system from a report that a mail was sent, which came after the try had ended.
  func confirmed(_ mail: MailIntent) {
    state.judge({ $0.confirmed(to: mail.to.key) }, tell: { _ in observer(.system(nil)) })
  }

  /// Ends this regd's lease of the mail and keeps the previous notes, as if the mail had not been tried now. Another
  /// regd may try the mail at once.
  private func putBack(_ mail: StoredMail) async throws(StoreFailure) -> Result {
    _ = try await store.putOff(mail: mail)
    state.noted(mail.intent.id)
    return .occupied
  }

  /// Ends a mail in the store. If the store fails, the ending is kept and stored later, and the mail is not sent again.
  private func end(_ mail: MailIntent, _ ending: MailState.Ending) async throws(StoreFailure) -> Result {
    do throws(StoreFailure) {
      _ = try await store.end(mail: mail.id, ending.state, reason: ending.reason)
    } catch {
      state.ended(mail.id, ending)
      throw error
    }
    state.forget(mail.id)
    hasEnded(mail, ending)
    switch ending.state {
    case .sent: return .delivered(mail)
    case .refused: return .refused(mail)
    case .outdated, .waiting, .suppressed: return .gone
    }
  }

  /// Counts and reports a mail that has ended. The deliverer reports a sent mail, because it knows the number of tries.
  func hasEnded(_ mail: MailIntent, _ ending: MailState.Ending) {
    switch ending.state {
    case .refused:
      state.count(\.refused)
      observer(.refused(mail, ending.reason ?? ""))
    case .outdated:
      state.count(\.outdated)
      observer(.outdated(mail))
    case .sent, .waiting, .suppressed: break
    }
  }

  // MARK: Text

  /// The language that the mail's caller asked for, if regd still offers that language, otherwise the operator's
  /// choice.
  private func language(of mail: MailIntent) -> Language {
    let languages = languages.current
    return languages.language(for: mail.language) ?? languages.standard
  }

  /// - Returns: The text, or nil if the claim or the invitation of the mail's code has ended, so that the mail is
  ///   useless.
  private func text(
    of mail: MailIntent, in language: Language, _ terms: MailQueue.Terms
  ) async throws(StoreFailure) -> MailTexts.Text? {
    var code: MailTexts.Code?
    if mail.kind == .invitation {
      let (now, found) = (time.now(), try await invitation(of: mail))
      guard let found, found.isOpen(at: now) else { return nil }
      code = MailTexts.Code(digits: codes.code(ofInvitation: found.id).description, until: found.expiresAt)
    } else if mail.kind.isCode {
      guard let id = mail.claim, let claim = try await openClaim(id, terms, isWanted: mail.isWanted) else {
        return nil
      }
      code = MailTexts.Code(digits: codes.code(of: claim), until: min(claim.codeUntil, claim.expiresAt))
    }
    return MailTexts.text(of: mail, code: code, site: terms.site, now: time.now(), in: language, lines: lines)
  }

  private func invitation(of mail: MailIntent) async throws(StoreFailure) -> Invitation? {
    guard let id = mail.invitation else { return nil }
    return try await store.find(invitation: id)
  }

  /// Finds a claim, and replaces its code if the code has expired or has less than a tenth of its life left, so that
  /// the code is still valid when the mail arrives. Returns nil if the claim has ended.
  ///
  /// - Parameter isWanted: Whether the claim must be open. False for an unwanted mail, whose claim may be a decoy.
  private func openClaim(
    _ id: ClaimID, _ terms: MailQueue.Terms, isWanted: Bool
  ) async throws(StoreFailure) -> AddressClaim? {
    let codeLife = terms.codeLife
    for _ in 0..<3 {
      let now = time.now()
      guard let claim = try await store.find(id, at: now), claim.state == .open || !isWanted else { return nil }
      var renewed = claim
      renewed.codeUntil = min(now.advanced(by: codeLife), claim.expiresAt)
      guard claim.codeUntil < now.advanced(by: codeLife / 10), renewed.codeUntil > claim.codeUntil else { return claim }
      renewed.generation += 1
      let wrong = try await store.wrongCodes(
        at: claim.email.key, limit: CodeBounds.perAddress(terms.codeAttempts), now)
      if wrong.makeLong(terms.codeAttempts) { renewed.digits = CodeBounds.longDigits }
      if try await store.renew(renewed, seen: claim, nil, Stamp(now)) { return renewed }
      // another call has renewed the claim since it was read, so the loop reads the claim again
    }
    throw .unavailable(detail: "the claim of a mail has had another code three times while it was read")
  }
}
