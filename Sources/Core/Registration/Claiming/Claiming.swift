extension Registrar {
  /// Makes a claim of an address, but no account yet. If no proof of addresses is required, call `register` instead.
  ///
  /// If callers must not learn whether an address is taken, the same steps happen for a free and for a taken address: a
  /// look-up, a hash, a claim with a mail in one transaction, and a second look-up.
  func claim(
    _ email: EmailAddress, _ password: Password, _ entrance: Entrance, request: RequestKey?, language: String?,
    by requester: Requester?, mayCommit: @escaping @Sendable () -> Bool
  ) async -> RegistrationOutcome {
    do throws(Obstacle) {
      let now = time.now()
      let terms = try await Obstacle.ofStore(try await self.terms(for: email.key, at: now))
      if let earlier = try await Obstacle.ofStore(try await earlierCall(request, at: now)) {
        return try await repeated(earlier, email, password, by: requester)
      }
      if let otherwise = entrance.otherwise { return otherwise }
      var holder = try await Obstacle.ofStore(try await store.find(email.key))?.account
      guard holder == nil || terms.conceals else { return .taken }
      let turn = HashingTurn(requester.share)
      let hash = try await Obstacle.ofHasher(try await passwords.hasher.hash(password, turn))
      let draft = ClaimDraft(terms, by: requester, language: language, now: now)
      var mayChange = FirstCommit(mayCommit)
      // at most twice: the second claim is a decoy, which stays
      while true {
        let isKnown = holder.map { passwords.isKnown(requester, at: $0) } ?? false
        let (claim, mail) = draft.registration(email, hash, request, entrance, holder: holder, isKnown: isKnown)
        guard mayChange.isGranted else { throw .cancelled }
        switch try await Obstacle.ofStore(
          try await store.add(claim, mail, invitation: entrance.invitation?.id, Stamp(now, by: requester)))
        {
        case .added: break
        case .requestKnown(let claim):
          return try await repeated(EarlierCall(claim), email, password, by: requester)
        case .requestHasAccount(let known):
          return try await repeated(EarlierCall(known), email, password, by: requester)
        case .invitationRejected: return .invitationRejected
        case .outdated: return .obstructed(faultOfAdding(), isPending: true)
        }
        guard let faster = await self.holder(insteadOf: claim) else { return .claimed(claim) }
        guard terms.conceals else { return .taken }
        holder = faster
      }
    } catch {
      return .obstructed(error)
    }
  }

  /// The earlier call of the request: its claim, or its account, which exists if the claim was proven.
  private func earlierCall(_ request: RequestKey?, at now: Timestamp) async throws(StoreFailure) -> EarlierCall? {
    guard let request else { return nil }
    if let claim = try await store.find(claimOf: request, at: now) { return EarlierCall(claim) }
    guard let known = try await store.find(request) else { return nil }
    return EarlierCall(known)
  }

  /// Compares the address and the password with those of the request's earlier call. If they are equal, the outcome is
  /// that of the earlier call.
  private func repeated(
    _ earlier: EarlierCall, _ email: EmailAddress, _ password: Password, by requester: Requester?
  ) async throws(Obstacle) -> RegistrationOutcome {
    guard earlier.key == email.key, let hash = earlier.passwordHash else { return .conflict }
    switch try await passwords.guess(password, against: hash, of: email, earlier.subject, by: requester) {
    case .right: return earlier.outcome
    case .wrong: return .conflict
    }
  }

  /// Looks up the address again: another account may have got it since the first look-up, before this claim was added.
  /// If so, removes the claim, whose mail is then not sent, and returns the account.
  ///
  /// - Returns: Nil if the claim remains, also after a failure of the store: the claim is durable already. If another
  ///   account has the address, the store will refuse the proof.
  private func holder(insteadOf claim: AddressClaim) async -> Account? {
    do throws(StoreFailure) {
      guard let holder = try await store.find(claim.email.key)?.account, holder.id != claim.account,
        claim.state == .open
      else { return nil }
      try await store.end(claim.id)
      return holder
    } catch {
      return nil
    }
  }

  /// Reports that the store gave an answer that it never gives when this claim is added.
  func faultOfAdding() -> Obstacle {
    let fault = InternalFault("added", in: "adding")
    faults(fault)
    return .fault(fault)
  }
}

/// What the store knows of a request: the claim that it has made, or the account that it has got.
private struct EarlierCall {
  let outcome: RegistrationOutcome
  let key: EmailKey
  let passwordHash: PasswordHash?
  let subject: GuessSubject

  init(_ claim: AddressClaim) {
    (outcome, key, passwordHash, subject) = (.claimed(claim), claim.email.key, claim.passwordHash, .claim(claim.id))
  }

  init(_ known: KnownRequest) {
    (outcome, key) = (.registered(known.account), known.account.email.key)
    (passwordHash, subject) = (known.passwordHash, .request)
  }
}

extension ClaimDraft {
  /// The claim of a registration, with its mail.
  ///
  /// - Parameter holder: The account that has the address, if any. The caller must not find out about this account.
  fileprivate func registration(
    _ email: EmailAddress, _ hash: PasswordHash, _ request: RequestKey?, _ entrance: Entrance, holder: Account?,
    isKnown: Bool
  ) -> (AddressClaim, MailIntent) {
    let claim = self.claim(
      .registration, email, account: newAccount(), hash: hash, request: request, isDecoy: holder != nil,
      terms: entrance.terms, displayName: entrance.displayName)
    // sent to the address as its owner wrote it, because another spelling may lead to another mailbox
    let mail =
      holder.map { self.mail(.registrationTried, to: $0.email, account: $0.id, isKnown: isKnown) }
      ?? self.mail(.registrationCode, to: email, claim: claim.id, account: claim.account)
    return (claim, mail)
  }
}

/// Asks once, before the first change, whether the store may be changed.
struct FirstCommit {
  private let mayCommit: @Sendable () -> Bool
  private var answer: Bool?

  init(_ mayCommit: @escaping @Sendable () -> Bool) { self.mayCommit = mayCommit }

  var isGranted: Bool {
    mutating get {
      let granted = answer ?? mayCommit()
      answer = granted
      return granted
    }
  }
}
