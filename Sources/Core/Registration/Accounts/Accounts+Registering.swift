/// Registering an account, and the look-ups that every use case shares.
extension Accounts {
  /// Adds an account in its given state, and records the request that asked for it. This regd gets the claim of the
  /// account if it is pending.
  ///
  /// A change. After `unknown`, a look-up by the request or by the id shows whether the account was added.
  ///
  /// - Returns: `requestKnown` if the request already has an account, which is checked first. `taken` with the account
  ///   that already has the address. `tooManyWaiting` if the account waits, and `WaitingBounds` do not admit another
  ///   one of its registrant. After every answer except `inserted`, nothing was changed.
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ admission: Admission, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    var scope = ChangeScope([account], request)
    scope.invitations = Set([admission.invitation].compactMap(\.self))
    scope.mails = Set([admission.notice?.id].compactMap(\.self))
    return try await write(.insert, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.insert(account, request: request, admission, stamp)
    }
  }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await insert(account, request: request, Admission(), stamp)
  }

  /// The account with this key, in any state. A look-up.
  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await read(.find, ChangeScope(key), ChangeScope.about, of: key) { (rows) throws(StoreFailure) in
      try rows.account(key)
    }
  }

  /// The account with this id, in any state. A look-up.
  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await read(.find, ChangeScope(id), of: id) { (rows) throws(StoreFailure) in try rows.account(id) }
  }

  /// The registration that this request made, or nil if there is no such registration or its account is gone. A
  /// look-up.
  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    // A `prove` in doubt may have made the registration. Its scope names the claim, but not the claim's request.
    try await read(.find, ChangeScope(request: request, anyClaim: true), ChangeScope.about, of: request) {
      (rows) throws(StoreFailure) in
      try rows.request(request)
    }
  }

  /// Records that a request has asked for an existing account, and keeps the account's present password hash with the
  /// request. The account itself does not change: `updatedAt` keeps its value, and the audit gets no entry.
  ///
  /// A change that ignores cancellation, because a caller that no longer waits must find its registration by the
  /// request later. The caller may repeat it after any failure. A recorded request remains recorded.
  ///
  /// - Returns: Which account the request belongs to afterwards. If it belonged to another account before, nothing was
  ///   changed.
  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await write(.note, ChangeScope(id, request), for: Share(uid: request.uid)) { (rows) throws(StoreFailure) in
      guard let known = try rows.note(request, for: id) else { return .gone }
      guard known.account.id != id else { return .noted }
      return try rows.account(id) == nil ? .gone : .known(known)
    }
  }

  /// Makes a pending account active.
  ///
  /// An idempotent change: an active account remains unchanged, including its `updatedAt`. The caller may therefore
  /// repeat the change after any failure. Another regd's claim does not prevent the change, because the upstream itself
  /// has confirmed the account. Any claim ends, and the recorded outcome of asking the upstream is removed.
  ///
  /// - Parameter notice: A mail to add, but only if an administrator had approved the account.
  /// - Returns: The account afterwards, or nil if there is no pending or active account with this id.
  package func activate(
    _ id: AccountID, approved notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(id)
    scope.mails = Set([notice?.id].compactMap(\.self))
    return try await write(.activate, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      // read before the update, which erases it
      let registrant = notice == nil ? nil : try rows.lockedAccount(id)?.registrant
      if var activated = try rows.update(id, .state(.active), ifIs: ExpectedAccount(.pending), at: stamp.time) {
        try rows.forgetDelivery(of: id)
        try rows.write(.note(.activated, activated, stamp))
        if activated.becomesDisabled,
          let disabled = try rows.update(id, .state(.disabled), ifIs: ExpectedAccount(.active), at: stamp.time)
        {
          activated = disabled
          try rows.write(.note(.disabled, disabled, stamp))
        }
        try rows.write(.endClaims(of: [activated]))
        if let notice, try rows.hasEntry(.approved, of: id, since: Timestamp(microseconds: 0)) {
          try rows.write(.addMail(notice.written(for: registrant)))
        }
        return activated
      }
      guard let found = try rows.account(id)?.account,
        found.state == .active || found.state == .disabled && found.becomesDisabled
      else { return nil }
      if try rows.hasOpenClaims(at: found.email.key) { try rows.write(.endClaims(of: [found])) }
      return found
    }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await activate(id, approved: nil, stamp)
  }

  /// Removes a pending account, unless it was changed since `seen` or another regd claims it. Its address and its
  /// requests are free again. A compare-and-set.
  ///
  /// A change. After `unknown`, a look-up by the id shows whether the account still exists.
  ///
  /// - Parameter remembered: Whether the store remembers the released registration for each request of the account.
  ///   True if the upstream may have the account after all, because regd must then ask for the same registration again.
  ///   The store remembers a release for `ReleasedRegistration.lifetime` at most, and at most `mostPerUser` releases of
  ///   a user. Beyond that, it forgets releases of the user until `mostLeft` remain. Each time it forgets the oldest
  ///   release of the origin with the most releases. The origin of a release is the one that reserved the account.
  /// - Parameter endingClaim: Whether the claim whose proof made the account ends, because the upstream has refused the
  ///   registration for good.
  /// - Returns: Whether the account was removed.
  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(id)
    // Only the store knows which claim ends. Other releases must not put all claims in doubt.
    scope.isOfAnyClaim = endingClaim
    return try await write(.release, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      guard let found = try rows.lockedAccount(pending: id, seen: seen), try !rows.isClaimedElsewhere(id) else {
        return false
      }
      if remembered { try rows.remember(id, at: stamp.time) }
      try rows.giveBackUse(of: id)
      try rows.remove(id)
      if endingClaim { try rows.write(.endRegistration(of: id)) }
      try rows.write(.note(.released, found, stamp))
      try rows.write(.endAddresses(of: id, at: stamp.time))
      return true
    }
  }

  /// The registrations that were reserved for this request and an address with this key, and then removed by `release`.
  /// A look-up.
  ///
  /// The store keeps them when an account is inserted under the request. When an account is deleted, the store forgets
  /// all releases of its address.
  ///
  /// - Parameter now: The present time. Releases older than `ReleasedRegistration.lifetime` are left out.
  /// - Returns: At most `ReleasedRegistration.mostGiven` registrations, the latest release first, and each id once.
  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    // the request needs no scope, because the caller has already looked up the request's account
    try await read(.released, ChangeScope(key)) { (rows) throws(StoreFailure) in
      try rows.released(request, key, at: now)
    }
  }
}

// MARK: - Steps of several operations

extension StoreTransaction {
  /// Adds an account, with its audit entries, its use of an invitation and its notice.
  ///
  /// - Parameter claim: The open claim whose proof makes the account, or nil if no proof is needed.
  func insert(
    _ account: StoredAccount, request: RequestKey?, proving claim: AddressClaim? = nil, _ admission: Admission,
    _ stamp: Stamp
  ) throws(StoreFailure) -> InsertAnswer {
    let answer = try add(account, request, seen: admission.releases)
    guard answer == .inserted else { return answer }
    // below, the rows that were just added are removed, so that the commit changes nothing
    if account.account.state == .waiting, let registrant = account.registrant,
      !WaitingBounds.admits(try waiting(by: registrant).withoutOne)
    {
      try remove(account.account.id)
      return .tooManyWaiting
    }
    if let id = admission.invitation, try !takeUse(of: id, for: account.account, at: stamp.time) {
      try remove(account.account.id)
      return .invitationRejected
    }
    if let claim {
      try write(.requireOpen(claim, at: stamp.time))
      if claim.invitation != nil { try write(.passUse(from: claim.id, to: account.account.id, at: stamp.time)) }
    }
    switch account.account.state {
    case .pending:
      try claimDelivery(of: account.account.id)
      try write(.note(.reserved, account.account, stamp))
    case .waiting:
      try write(.note(.waiting, account.account, stamp))
      try write(.endClaims(of: [account.account]))
    case .active, .disabled:
      try write(.note(.registered, account.account, stamp))
      try write(.endClaims(of: [account.account]))
    }
    try noteGroups(of: account.account, stamp)
    if let terms = account.account.terms {
      try write(.note(AuditEntry.Draft(.termsAccepted, account.account, terms: terms.version, stamp)))
    }
    if let notice = admission.notice { try write(.addMail(notice)) }
    return answer
  }

  private func takeUse(
    of id: InvitationID, for account: Account, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let invitation = try invitation(id), invitation.admits(account.email, at: now) else { return false }
    return try takeUse(of: invitation, for: .account(account.id), at: now)
  }

  /// Notes the groups of a new account.
  func noteGroups(of account: Account, _ stamp: Stamp) throws(StoreFailure) {
    guard !account.groups.isEmpty else { return }
    let change = GroupChange(from: .none, to: account.groups)
    try write(.note(AuditEntry.Draft(.grouped, account, groups: change, stamp)))
  }

  /// Locks and returns the account, if it is still pending and its `updatedAt` is still `seen`.
  func lockedAccount(pending id: AccountID, seen: Timestamp) throws(StoreFailure) -> Account? {
    guard let found = try lockedAccount(id)?.account, found.state == .pending, found.updatedAt == seen else {
      return nil
    }
    return found
  }
}
