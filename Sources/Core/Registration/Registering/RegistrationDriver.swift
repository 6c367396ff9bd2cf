/// Performs the actions that the conductor of one registration decides on, through a registrar's ports.
struct RegistrationDriver {
  typealias Event = RegistrationConductor.Event

  private let registrar: Registrar
  private let email: EmailAddress
  /// The typed password, or nil for the registration of a claim, for which only the password's hash is known.
  private let password: Password?
  /// The invitation of which a new account takes a use, or nil for none.
  private let invitation: InvitationID?
  /// The language of mails.
  private let language: String?
  private let requester: Requester?
  private let mayCommit: @Sendable () -> Bool
  private var hasBegunToCommit = false
  /// The accounts for which this attempt is the one in flight (`SingleFlight`). More than one if the attempt had to
  /// continue with another account.
  private var ours: [AccountID] = []
  /// The released registrations of the request that this attempt has found, or nil if it has not looked for any.
  private var releases: [AccountID]?
  /// Whether another regd claims the reservation, so that this regd did not ask the upstream.
  private var isClaimedElsewhere = false
  /// Whether the request had an account already. The password then is the request's, and may no longer be the
  /// account's.
  private var isRepeat = false

  init(
    _ registrar: Registrar, _ email: EmailAddress, _ password: Password?, invitation: InvitationID? = nil,
    language: String? = nil, by requester: Requester?, mayCommit: @escaping @Sendable () -> Bool
  ) {
    (self.invitation, self.language) = (invitation, language)
    self.registrar = registrar
    self.email = email
    self.password = password
    self.requester = requester
    self.mayCommit = mayCommit
  }

  mutating func run(_ conductor: consuming RegistrationConductor) async -> RegistrationOutcome {
    let (registrar, store, hasher) = (registrar, registrar.store, registrar.passwords.hasher)
    let (password, turn) = (password ?? Password(utf8: []), HashingTurn(requester.share))
    return await conduct(conductor, registrar.faults) { (action) async in
      let stamp = Stamp(registrar.time.now(), by: requester)
      switch action {
      case .findRequest(let request): return await .storing(.foundRequest(try await store.find(request)))
      case .find(let key): return await .storing(.found(try await store.find(key)))
      case .findReleased(let request, let key):
        let event = await Event.storing(.foundReleased(try await store.released(request, key, at: stamp.time)))
        if case .foundReleased(let found) = event { releases = (releases ?? []) + found.map(\.id) }
        return .event(event)
      case .hash: return await .hashing(.hashed(try await hasher.hash(password, turn)))
      case .verify(let hash, let subject):
        isRepeat = subject == .request
        return await .trying(
          .verified(try await registrar.passwords.guess(password, against: hash, of: email, subject, by: requester)))
      case .recognise(let hash):
        return await .hashing(.verified(try await hasher.verify(password, against: hash, turn)))
      case .insert(let account, let request): return .event(await insert(account, request))
      case .prove(let claim, let account): return .event(await prove(claim, account))
      case .note(let request, let id):
        return mayChange ? await .storing(.noted(try await store.note(request, for: id))) : .cancelled
      case .resume(let id, let seen, let mark): return .event(await resume(id, seen: seen, at: mark))
      case .ask(let registration):
        let network = registrar.network ?? FailingNetwork(.offline)
        return .event(
          await registrar.ask(
            registration, over: network, mayDefer: registrar.defersWhenUnreachable, for: requester.share))
      case .activate(let account, let request):
        guard mayChange else { return .cancelled }
        let notice = registrar.approvalNotice(account.account, language, by: requester)
        return await .storing(
          .activated(try await registrar.activate(account, request: request, approved: notice, stamp)))
      case .release(let id, let seen, let remembered, let endingClaim):
        guard mayChange else { return .cancelled }
        let event = await Event.storing(
          .released(
            try await store.release(id, seen: seen, remembered: remembered, endingClaim: endingClaim, stamp)))
        if event == .released(true) { registrar.reservations.givenUp(id) }
        return .event(event)
      case .finish(let outcome): return .finished(end(outcome))
      }
    }
  }

  /// Whether the store may be changed. False if the caller withdrew before the first change.
  private var mayChange: Bool {
    mutating get {
      hasBegunToCommit = hasBegunToCommit || mayCommit()
      return hasBegunToCommit
    }
  }

  private mutating func insert(_ account: StoredAccount, _ request: RequestKey?) async -> Event {
    guard mayChange else { return .obstructed(.cancelled) }
    let account = withRegistrant(account)
    let id = account.account.id
    if let refusal = await refusal(of: account.account) { return refusal }
    // begins the attempt before the insertion, so that every task that finds the account in the store can join the
    // attempt
    if !ours.contains(id), let event = await join(id) { return event }
    let stamp = Stamp(registrar.time.now(), by: requester)
    let store = registrar.store
    let admission = Admission(invitation: invitation, notice: waitingNotice(account.account), releases: releases)
    noteAdding(account.account)
    let event = await Event.storing(.inserted(try await store.insert(account, request: request, admission, stamp)))
    noteAdded(account.account, event == .inserted(.inserted))
    // the next insertion ignores this release, even if the store cannot read it for `findReleased`
    if case .inserted(.releasedMeanwhile(let id)) = event { releases?.append(id) }
    return event
  }

  private mutating func prove(_ claim: ClaimID, _ account: StoredAccount) async -> Event {
    guard mayChange else { return .obstructed(.cancelled) }
    let account = withRegistrant(account)
    let id = account.account.id
    if let refusal = await refusal(of: account.account) { return refusal }
    if !ours.contains(id), let event = await join(id) { return event }
    let (store, stamp) = (registrar.store, Stamp(registrar.time.now(), by: requester))
    let notice = waitingNotice(account.account)
    noteAdding(account.account)
    let event = await Event.storing(.proved(try await store.prove(claim, account, notice, stamp)))
    noteAdded(account.account, event == .proved(.added))
    return event
  }

  /// How long a caller should wait until the outbox may have delivered registrations.
  private static let secondsUntilRoom = 60

  /// Why a pending account is not added: the outbox has no room for another registration of the requester's share. Nil if
  /// it has, for the repeat of a registration that waits already, and for regd's own registrations.
  private func refusal(of account: Account) async -> Event? {
    guard account.state == .pending, let requester,
      let counts = registrar.leftPending?.tally.counts(of: requester.share), !PendingBounds.admits(counts)
    else { return nil }
    do throws(StoreFailure) {
      guard try await registrar.store.find(account.id) == nil else { return nil }
    } catch {
      return .obstructed(.store(error))
    }
    return .obstructed(.network(.congested(retryAfterSeconds: Self.secondsUntilRoom)))
  }

  /// Notes, before the commit, the reservation that a pending account is.
  private func noteAdding(_ account: Account) {
    if account.state == .pending { registrar.reservations.adding(account.id, at: account.updatedAt) }
  }

  private func noteAdded(_ account: Account, _ isAdded: Bool) {
    guard account.state == .pending else { return }
    if isAdded {
      registrar.reservations.marked(account.id, at: account.updatedAt, isNew: true)
    } else {
      registrar.reservations.notAdded(account.id, at: account.updatedAt)
    }
  }

  /// The account with its registrant, if it has to be approved.
  private func withRegistrant(_ account: StoredAccount) -> StoredAccount {
    guard account.account.state == .waiting, let requester else { return account }
    var account = account
    account.registrant = Registrant(uid: requester.uid, origin: requester.origin, language: language)
    return account
  }

  private func waitingNotice(_ account: Account) -> MailIntent? {
    guard account.state == .waiting, registrar.verification.hasMail else { return nil }
    let draft = ClaimDraft(registrar.verification, by: requester, language: language, now: registrar.time.now())
    return draft.notice(.accountWaiting, account, about: account.id)
  }

  private mutating func resume(_ id: AccountID, seen: Timestamp, at mark: Timestamp) async -> Event {
    guard mayChange else { return .obstructed(.cancelled) }
    if !ours.contains(id), let event = await join(id) { return event }
    let event = await claim(id, seen: seen, at: mark)
    isClaimedElsewhere = if case .claimedElsewhere = event { true } else { false }
    if event == .resumed(mark: nil) {
      // the attempt continues with another account, or with none
      ours.removeAll { $0 == id }
      registrar.attempts.giveUp(id)
    }
    return event
  }

  /// Claims the reservation for this regd: under its present mark, if that is this regd's, otherwise under `mark`.
  private func claim(_ id: AccountID, seen: Timestamp, at mark: Timestamp) async -> Event {
    // under this regd's own mark the claim is only renewed: no other regd took over, and a repeat needs no audit entry
    if registrar.reservations.isMarked(id, seen) {
      return await .storing(
        .resumed(mark: try await registrar.renewClaim(id, seen: seen, for: requester.share) ? seen : nil))
    }
    let (store, stamp) = (registrar.store, Stamp(mark, by: requester))
    let event: Event = await .storing(.init(try await store.resume(id, seen: seen, stamp), mark: mark))
    if event == .resumed(mark: mark) { registrar.reservations.marked(id, at: mark, isNew: false) }
    return event
  }

  /// Makes this attempt the one in flight for the account. If another attempt is already in flight, waits for that
  /// attempt.
  ///
  /// - Returns: How the other attempt ended, or nil if this attempt is now the one in flight.
  private mutating func join(_ id: AccountID) async -> Event? {
    switch await registrar.attempts.join(id) {
    case .ended(let outcome): return .joined(outcome)
    case .cancelled: return .joined(.unended)
    case .gaveUp: return .gaveUp
    case .ours:
      ours.append(id)
      return nil
    }
  }

  private func end(_ outcome: RegistrationOutcome) -> RegistrationOutcome {
    let outcome = Task.isCancelled ? outcome.ofCancelled : outcome
    for id in ours {
      // an outcome that concerns only this caller does not help the other callers who joined: they begin again
      if outcome.isOwn { registrar.attempts.giveUp(id) } else { registrar.attempts.end(id, outcome) }
    }
    if outcome.isPending, registrar.network != nil, let id = ours.last {
      if isClaimedElsewhere {
        registrar.leftPending?.met(id)
      } else {
        registrar.leftPending?.add(.init(id: id, share: requester.share, failure: outcome.failure))
      }
    }
    if outcome.isOfPassword, !isRepeat, let password {
      let account: AccountID? = if case .registered(let account) = outcome { account.id } else { ours.last }
      registrar.passwords.remember(password, of: email, account, from: requester)
    }
    return outcome
  }
}

extension RegistrationConductor.Event {
  fileprivate init(_ answer: ResumeAnswer, mark: Timestamp) {
    self =
      switch answer {
      case .resumed: .resumed(mark: mark)
      case .gone: .resumed(mark: nil)
      case .claimed(let wasPutOff): .claimedElsewhere(wasPutOff: wasPutOff)
      }
  }
}
