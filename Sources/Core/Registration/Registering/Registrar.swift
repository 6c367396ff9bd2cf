/// Registers accounts, through the given ports.
///
/// The folders of use cases have an order, in which each uses only earlier ones: work in flight (`InFlight`), signing
/// in, registering, then delivering and administering, which do not use each other.
package struct Registrar: Sendable {
  package private(set) var rules: RegistrationRules
  let store: Accounts
  /// The upstream, or nil if this daemon is the authority for registrations.
  private(set) var network: (any NetworkService)?
  /// Whether registrations are accepted while the upstream cannot be asked.
  private(set) var defersWhenUnreachable: Bool
  let time: any TimeSource
  /// The attempts to register that are in flight in this process, by the account that each would make. Repeats join them.
  /// So regd never asks the upstream for an account twice at the same time, and knows after an attempt whether the
  /// upstream may have acted.
  let attempts = SingleFlight<AccountID, RegistrationOutcome>()
  /// The delivery notes that are being written to the store, by account. A note ends this regd's claim of the account,
  /// so `renewClaim` waits for it.
  let notes = SingleFlight<AccountID, Never>()
  /// The deletions, approvals and discards in flight, by account. A second operation on the same account waits for the
  /// first, and then finds its result.
  let decisions = SingleFlight<AccountID, Never>()
  private(set) var passwords: PasswordComparer
  var authenticator: Authenticator
  private(set) var reservations: Reservations
  let leftPending: OutboxInbox?
  package private(set) var verification: VerificationTerms
  package private(set) var admission: AdmissionTerms
  let codes: ClaimCodes?
  /// Makes the stamps of sign-ins. Nil if sign-ins get no stamps.
  package let stamps: SessionStamps?
  let faults: FaultObserver

  /// - Parameters:
  ///   - signIns: The throttle, or nil if wrong passwords cause no waits.
  ///   - signInAuthority: The authority for passwords. If it is `network` but there is no upstream, sign-ins behave as
  ///     if the upstream were offline.
  ///   - defersWhenUnreachable: Whether registrations are accepted while the upstream cannot be asked.
  ///   - leftPending: The outbox's inbox, which receives each registration that is left pending.
  ///   - reservations: The knowledge of this process about pending registrations.
  ///   - codes: Makes and checks codes. Nil if no code is ever accepted.
  ///   - stamps: Makes and checks the stamps of sign-ins. Nil if sign-ins get no stamps, and no stamp is valid.
  ///   - faults: Called with each internal fault.
  package init(
    rules: RegistrationRules, store: Accounts, hasher: any PasswordHasher, network: (any NetworkService)?,
    time: any TimeSource, signIns: SignInGuard? = SignInGuard(), signInAuthority: SignInAuthority = .store,
    defersWhenUnreachable: Bool = false, leftPending: OutboxInbox? = nil,
    reservations: Reservations = Reservations(), verification: VerificationTerms = VerificationTerms(),
    admission: AdmissionTerms = AdmissionTerms(),
    codes: ClaimCodes? = nil, stamps: SessionStamps? = nil, faults: @escaping FaultObserver = { _ in }
  ) {
    self.rules = rules
    self.store = store
    self.network = network
    self.defersWhenUnreachable = defersWhenUnreachable
    self.time = time
    self.reservations = reservations
    self.leftPending = leftPending
    self.verification = verification
    self.admission = admission
    self.codes = codes
    self.stamps = stamps
    self.faults = faults
    passwords = PasswordComparer(hasher, throttle: signIns, alarm: GuessAlarm(store: store, time: time))
    authenticator = Authenticator(
      rules: rules, store: store, passwords: passwords, upstream: network ?? FailingNetwork(.offline),
      authority: signInAuthority, time: time, faults: faults)
  }

  /// The settings for registering in the configuration.
  package struct Terms: Sendable {
    package var rules: RegistrationRules
    /// The upstream, or nil if this daemon is the authority for registrations.
    package var network: (any NetworkService)?
    /// The throttle, or nil if wrong passwords cause no waits.
    package var signIns: SignInGuard?
    package var signInAuthority: SignInAuthority
    package var defersWhenUnreachable: Bool
    /// For how long regd does not trust a 409 (address taken) after a request that may still be in progress upstream.
    package var disbelief: Duration
    package var verification: VerificationTerms
    package var admission: AdmissionTerms

    package init(
      rules: RegistrationRules, network: (any NetworkService)?, signIns: SignInGuard?,
      signInAuthority: SignInAuthority, defersWhenUnreachable: Bool, disbelief: Duration,
      verification: VerificationTerms = VerificationTerms(), admission: AdmissionTerms = AdmissionTerms()
    ) {
      self.admission = admission
      self.rules = rules
      self.network = network
      self.signIns = signIns
      self.signInAuthority = signInAuthority
      self.defersWhenUnreachable = defersWhenUnreachable
      self.disbelief = disbelief
      self.verification = verification
    }
  }

  /// A registrar for the same accounts under other terms. Both registrars share the registrations in flight, the
  /// knowledge about reservations, and the passwords that were wrong a moment ago. Each ends its work under its own
  /// terms. They do not share sign-ins in flight, because another authority may answer these differently.
  package func adapted(to terms: Terms) -> Registrar {
    var new = self
    new.rules = terms.rules
    new.network = terms.network
    new.defersWhenUnreachable = terms.defersWhenUnreachable
    new.reservations = reservations.with(disbelief: terms.disbelief)
    new.verification = terms.verification
    new.admission = terms.admission
    new.passwords = passwords.with(throttle: terms.signIns)
    new.authenticator = Authenticator(
      rules: terms.rules, store: store, passwords: new.passwords, upstream: terms.network ?? FailingNetwork(.offline),
      authority: terms.signInAuthority, time: time, faults: faults)
    return new
  }

  /// Whether a registration of this account is in flight in this process.
  package func isInFlight(_ id: AccountID) -> Bool { attempts.isInFlight(id) }

  /// Registers an account, or makes a claim if the address has to be proven first. An acknowledged result is durable.
  ///
  /// - Parameters:
  ///   - language: The language of the mail, as the caller named it.
  ///   - request: The caller's name for this registration. A repeat under the same name gets the same answer.
  ///   - requester: The requester, for the audit and the throttle.
  ///   - mayCommit: Called before the first change of the store, and perhaps again. If it returns false, nothing is done.
  package func register(
    _ entry: RegistrationEntry, request: RequestKey? = nil, language: String? = nil, by requester: Requester? = nil,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> RegistrationOutcome {
    let validation = rules.check(entry)
    guard let email = rules.standing(entry, validation), let password = entry.password else {
      return .obstructed(admission.mode == .closed ? .closed : .invalid(validation.problems))
    }
    do {
      let entrance = try await self.entrance(entry, validation, email, for: requester.share)
      let outcome = try await register(
        email, password, entrance, request: request, language: language, by: requester, mayCommit: mayCommit)
      guard outcome == .invitationRejected, entrance.invitation == nil, request != nil else { return outcome }
      // at the first look, an equal request may have held a use of the invitation, and may have given it back since
      let again = try await self.entrance(entry, validation, email, for: requester.share)
      guard again.otherwise == nil else { return outcome }
      return try await register(
        email, password, again, request: request, language: language, by: requester, mayCommit: mayCommit)
    } catch {
      return .obstructed(.store(error))
    }
  }

  private func register(
    _ email: EmailAddress, _ password: Password, _ entrance: Entrance, request: RequestKey?, language: String?,
    by requester: Requester?, mayCommit: @escaping @Sendable () -> Bool
  ) async throws(StoreFailure) -> RegistrationOutcome {
    var otherwise = entrance.otherwise
    var isClaimed = verification.isRequired && entrance.proven == nil
    if !isClaimed { isClaimed = try await hasClaim(request) }
    if isClaimed {
      let outcome = await claim(
        email, password, entrance, request: request, language: language, by: requester, mayCommit: mayCommit)
      if case .registered(let account) = outcome, account.state == .pending {
        // the claim was proven, but the upstream's answer is unknown: asks the upstream again, but begins no new
        // registration without a proof
        otherwise = .unended
      } else if outcome == .taken || outcome == otherwise, !verification.conceals || entrance.mailbox != nil {
        // begins no registration, but this one may repeat a pending one that was begun without a claim: by a mailed
        // invitation, or before a reload. Concealed addresses are not looked up, because the time of the comparison
        // would reveal the account, unless the caller can read the mail there
        otherwise = outcome
      } else {
        return outcome
      }
    }
    let email = entrance.proven ?? email
    var driver = RegistrationDriver(
      self, email, password, invitation: entrance.invitation?.id, language: language, by: requester,
      mayCommit: mayCommit)
    return await driver.run(
      RegistrationConductor(
        email: email, hasUpstream: network != nil, mayDefer: defersWhenUnreachable, now: time.now(), request: request,
        needsApproval: admission.needsApproval(email, isInvited: entrance.invitation != nil), terms: entrance.terms,
        isProven: entrance.proven != nil, groups: entrance.invitation?.groups ?? .none,
        displayName: entrance.displayName, otherwise: otherwise))
  }

  /// Whether the request has made a claim, perhaps before a reload after which no address has to be proven.
  private func hasClaim(_ request: RequestKey?) async throws(StoreFailure) -> Bool {
    guard let request else { return false }
    return try await store.find(claimOf: request, at: time.now()) != nil
  }

  /// Checks whether the address and the password belong to an account.
  ///
  /// - Parameter requester: The caller, for the throttle, which counts wrong passwords by client (uid and origin), and for the
  ///   audit, which names the requester if the sign-in replaces a hash or adopts an account.
  /// - Parameter groups: The groups that the account must be in.
  /// - Parameter memory: Saves hashing a password that was right a moment ago. Nil to hash each password.
  package func signIn(
    email: String, password: Password, by requester: Requester,
    requiring groups: GroupRequirement = GroupRequirement(), sparing memory: PasswordMemory? = nil
  ) async -> SignInOutcome {
    await authenticator.signIn(
      email: email, password: password, by: requester, requiring: groups, sparing: memory)
  }

  /// Asks the upstream to register the account, and notes it if the request may still be in progress upstream
  /// afterwards.
  ///
  /// - Parameter mayDefer: Whether the account is accepted if the upstream cannot be asked. The outbox then continues
  ///   to ask, and does not trust a 409 (address taken) for a while.
  func ask<Event: UpstreamEvents>(
    _ registration: UpstreamRegistration, over network: any NetworkService, mayDefer: Bool, for share: Share
  ) async -> Event {
    // decided before the request, because the machine may be suspended until the answer comes, and that time must not
    // count
    let isBelieved = reservations.believesTaken(registration.id)
    do throws(NetworkFailure) {
      let answer = try await network.register(registration, for: share)
      return answer == .taken && !isBelieved ? .takenPerhaps : .upstreamAnswered(answer)
    } catch {
      if error.mayHaveActed || mayDefer && error.isWorthPuttingOff { reservations.doubt(registration.id) }
      return .obstructed(.network(error))
    }
  }
}

extension Registrar {
  /// Renews this regd's claim of a pending account, for an attempt in flight. The account must have this regd's mark
  /// (`updatedAt`).
  ///
  /// - Returns: Whether this regd has the claim. False if another regd has taken the account over, or the account is gone.
  func renewClaim(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    // Waits until the previous attempt's note is written, because that note would end the renewed claim. No note begins
    // while an attempt is in flight.
    if case .ours = await notes.join(id) { notes.giveUp(id) }
    let isRenewed = try await store.renew(id, seen: seen, for: share)
    if !isRenewed { reservations.lostMark(id) }
    return isRenewed
  }

  /// Whether an earlier sign-in is still valid. Makes at most one look-up, whatever the strings are. Failures are not
  /// counted, because 128 bits cannot be guessed.
  ///
  /// - Parameters:
  ///   - account: The account's id.
  ///   - stamp: The stamp that the sign-in returned.
  package func checkSession(of account: String, _ stamp: String) async -> SessionOutcome {
    guard let stamps, let id = AccountID(account) else { return .ended }
    do throws(StoreFailure) {
      guard let found = try await store.find(id)?.account, stamps.isPresent(stamp, of: found) else { return .ended }
      return .present(found)
    } catch {
      return .obstructed(.store(error))
    }
  }
}

/// Events that carry the upstream's answer to a registration.
protocol UpstreamEvents: PortEvents {
  static func upstreamAnswered(_ answer: UpstreamAnswer) -> Self
  /// The upstream answers `taken`, but regd does not trust this answer, because an earlier request may still be in
  /// progress there.
  static var takenPerhaps: Self { get }
}

extension UpstreamRegistration {
  init(_ stored: StoredAccount) {
    self.init(id: stored.account.id, email: stored.account.email, passwordHash: stored.passwordHash)
  }
}

/// The outcome of checking an earlier sign-in.
package enum SessionOutcome: Equatable, Sendable {
  /// The sign-in still holds. The account is in its present state.
  case present(Account)
  /// The sign-in has ended, or never existed.
  case ended
  case obstructed(Obstacle)
}

/// Makes and compares the stamps of sign-ins: strings by which a program checks later whether a sign-in is still valid.
/// A stamp is a keyed hash (HMAC-SHA-256, RFC 2104) of an account's id and epoch, and is stored nowhere. All sign-ins
/// of one epoch have the same stamp. A stamp becomes invalid when the epoch or the key changes.
package struct SessionStamps: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: Returns the store's key of stamps. Called each time, because a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The stamp for a caller who has proven to be the account's owner: 128 bits as hexadecimal digits. Nil if the
  /// account is not active.
  package func stamp(of account: Account) -> String? { account.state == .active ? stamp(account) : nil }

  private func stamp(_ account: Account) -> String {
    let message = "stamp \(account.id) \(account.epoch.text ?? "")"
    let digits = Array("0123456789abcdef".utf8)
    let hash = hashing.hash(Array(message.utf8), key: key())
    return String(decoding: hash.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether the account is active and the text is its present stamp. The comparison takes the same time for every text
  /// of a stamp's length.
  func isPresent(_ text: String, of account: Account) -> Bool {
    account.state == .active && hashing.areEqual(Array(text.utf8), Array(stamp(account).utf8))
  }
}
