/// Claims of addresses (`AddressClaim`), which decide who owns an address.
///
/// In addition to the rules of `Accounts`:
/// - An operation treats a claim as absent if the claim expired before the operation's `now` or stamp.
/// - *When an account becomes active, or is added in another state than pending* (`prove`, `activate`, `insert`,
///   `importing`, `changeEmail`), *the same transaction ends the open claims for its address*: the claim that made the
///   account becomes `proven`, and each other open registration or change of address becomes `taken`. Recoveries remain
///   open. A pending account ends no claim.
/// - *A new password* (`setPassword`, `changePassword`, `recover`) *and a new address end* the account's recoveries and
///   changes of address that are not proven: the store removes them, except for the claim that the operation itself
///   proved. Decoys and taken changes of address are also removed. A remaining claim would show its caller that another
///   account has the address.
/// - *Deleting an account* also deletes all its requests, all claims and mails with its id, and the mails for its
///   address that belong to no claim. Claims of others for its address, and their mails, remain until they expire. The
///   counts of mails also remain until they expire. They are keyed hashes (`MailCounter`), which do not reveal an
///   address.
/// - An operation adds the mail that it is given in its own transaction, as `add(_ mail:)` describes. The mail then
///   waits to be sent, or leaves no trace if `MailBounds` do not admit it.
extension Accounts {
  /// Adds a claim and its mail. If `MailBounds` do not admit the mail, no code proves the claim. `ClaimBounds` limits
  /// how many claims an address may have if the address's own bound did not admit their mails.
  ///
  /// A change. After `unknown`, a look-up by the id shows whether the claim was added. A claim of kind `changeOfEmail`
  /// with a password hash is added only while its account is active and has this hash, so that a caller with an older
  /// password cannot claim an address.
  ///
  /// - Parameter invitation: The invitation of which the claim takes a use. If no use is left, the oldest claim by the
  ///   same user and origin is removed, and the new claim takes over its use. Without an origin, this happens only if
  ///   the invitation has a single use. If the address's bound does not admit the mail, the claim takes no use.
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    var scope = ChangeScope(claim, [mail.id])
    if let invitation {
      // the claim may take over another claim's use, and only the store knows which one
      scope.invitations = [invitation]
      scope.isOfAnyClaim = true
    }
    return try await write(.addClaim, scope, for: stamp.by.share, of: (claim, mail, stamp.time)) {
      (rows) throws(StoreFailure) in
      if let request = claim.request, let known = try rows.claimOrAccount(of: request, at: stamp.time) { return known }
      // locks the account: a change of its password waits for this transaction, and then ends the claim
      if let fence = claim.fence, claim.isOutdated(try rows.lockedAccount(fence)) { return .outdated }
      var claim = claim
      claim.invitation = invitation
      if let invitation, try !rows.holdUse(of: invitation, claim, mail, at: stamp.time) { return .invitationRejected }
      try rows.write(.addClaim(claim, mail, at: stamp.time))
      return .added
    }
  }

  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    try await add(claim, mail, invitation: nil, stamp)
  }

  /// The claim with this id. A look-up.
  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await read(.findClaim, ChangeScope(claims: [id]), ChangeScope.about, of: (id, now)) {
      (rows) throws(StoreFailure) in
      try rows.claim(id, at: now)
    }
  }

  /// The registration claim that this request asked for. A look-up.
  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await read(.findClaim, ChangeScope(request: request), ChangeScope.about, of: (request, now)) {
      (rows) throws(StoreFailure) in
      try rows.claim(of: request, at: now)
    }
  }

  /// The counts of wrong codes: for this address, and for all addresses together. A look-up.
  ///
  /// - Parameter limit: The number at which counting for the address stops, at least 1.
  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes {
    // no scope: a guess whose commit is in doubt changes the counts by one only
    try await read(.wrongCodes, ChangeScope(), of: (key, limit, now)) { (rows) throws(StoreFailure) in
      try rows.wrongCodes(at: key, limit: limit, now)
    }
  }

  /// Checks a guess of a claim's code, and counts a wrong one for the claim and for its address. The count for the
  /// address remains when its account is deleted. The last wrong guess that the claim allows removes the claim. A
  /// hidden claim allows one wrong guess, which is not counted for the address. If wrong codes over all addresses are
  /// so many that new codes are long, a wrong guess also ends the claim's present code, unless that code is long
  /// (`AddressClaim.afterWrongGuess`). A correct guess writes nothing. The caller then proves the claim.
  ///
  /// A change. After `unknown`, a wrong guess may have been counted. A repeat may count it again.
  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    try await write(.guess, ChangeScope(claims: [id]), for: stamp.by.share, of: (id, guess, stamp.time)) {
      (rows) throws(StoreFailure) in
      let found = try rows.guessedClaim(id, guess, at: stamp.time)
      let answer = guess.answer(at: found?.claim)
      guard let (claim, overAll) = found, case .wrong(let left) = answer else { return answer }
      if !claim.isHidden { try rows.write(.noteWrongCode(at: claim.email.key, stamp.time)) }
      try rows.write(left > 0 ? .countGuess(claim.afterWrongGuess(amongAll: overAll)) : .removeClaim(id))
      return answer
    }
  }

  /// Sends the mail again, or gives the claim another code. A compare-and-set. Does nothing if the claim got another
  /// generation or another `resendAt` since the caller read it, or if the claim is hidden and `mail` is given. A hidden
  /// claim remains hidden. Afterwards, `mailed` is the bound that admitted the mail or an earlier mail with the same
  /// code. If the address's bound admitted one of them, it is that bound. Without a mail, `mailed` keeps its value. If
  /// a claim was made with an invitation and has no use of it yet, the claim takes a use together with its mail. If no
  /// use is left, or only a known share's own bound admits the mail, no mail is added.
  ///
  /// A change. After `unknown`, a look-up shows whether it was done.
  ///
  /// - Parameters:
  ///   - claim: The claim's new state. Only `generation`, `digits`, `codeUntil` and `resendAt` count.
  ///   - seen: The claim as the caller read it.
  /// - Returns: Whether it was done.
  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(claim, [mail?.id])
    scope.invitations = Set([seen.invitation].compactMap(\.self))
    return try await write(.renewClaim, scope, for: stamp.by.share, of: (claim, seen, mail, stamp.time)) {
      (rows) throws(StoreFailure) in
      guard let found = try rows.claim(claim.id, at: stamp.time), found.generation == seen.generation,
        found.resendAt == seen.resendAt, mail == nil || !found.isHidden
      else { return false }
      var mail = mail
      if let letter = mail, try !rows.mayBeMailed(found, letter, at: stamp.time) { mail = nil }
      try rows.write(.renewClaim(claim, seen: found, mail, at: stamp.time))
      return true
    }
  }

  /// Removes a claim in any state, so that its request is free again.
  ///
  /// An idempotent change.
  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await write(.endClaim, ChangeScope(claims: [id]), for: .daemon, of: id) { (rows) throws(StoreFailure) in
      if try rows.hasClaim(id) { try rows.write(.removeClaim(id)) }
    }
  }

  /// Adds the account that an open claim of kind `registration` makes, with the claim's request. If the account is
  /// active or waiting, the claim becomes `proven`, as described above. If the account is pending, the `AddressClaim`
  /// remains open, and this regd gets the claim of the account, as in `insert`.
  ///
  /// A change. After `unknown`, a look-up by the account's id shows whether it was added.
  ///
  /// - Parameters:
  ///   - account: The account to add, whose id is the claim's account id. The account gets the invitation's use that the claim
  ///     holds.
  ///   - notice: A mail that the store adds in the same transaction.
  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    var scope = ChangeScope([account])
    scope.claims = [id]
    scope.mails = Set([notice?.id].compactMap(\.self))
    return try await write(.prove, scope, for: stamp.by.share, of: (id, account, stamp.time)) {
      (rows) throws(StoreFailure) in
      guard let claim = try rows.claim(id, at: stamp.time), claim.kind == .registration else { return .gone }
      if let holder = try rows.holder(of: account.account) {
        // an earlier try, whose answer was lost, has made the account
        if holder.account.id == account.account.id, holder.account.state != .pending,
          try rows.hasOpenClaims(at: holder.account.email.key)
        {
          try rows.write(.endClaims(of: [holder.account]))
        }
        return .taken(holder)
      }
      guard claim.state == .open else { return .gone }
      // a claim whose mail only a known share's own bound admitted has taken no use
      if claim.invitation != nil, try !rows.hasUse(for: id) { return .gone }
      switch try rows.insert(account, request: claim.request, proving: claim, Admission(notice: notice), stamp) {
      case .inserted: return .added
      case .tooManyWaiting: return .tooManyWaiting
      case .invitationRejected, .releasedMeanwhile: return .gone
      case .taken(let holder): return .taken(holder)
      case .requestKnown(let known): return try rows.account(known.account.id).map { .taken($0) } ?? .gone
      }
    }
  }

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    try await prove(id, account, nil, stamp)
  }

  /// Claims in any state, in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most claims to return, at least 1.
  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    try await scan(.claims) { (rows) throws(StoreFailure) in try rows.claims(after: after, limit: limit, at: now) }
  }

  /// Removes what has expired (`StoreEngine.sweep`).
  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await run(.sweep, ChangeScope()) { () async throws(StoreFailure) in
      try await engine.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }
}

extension StoreTransaction {
  /// Gives the claim a use of the invitation. If no use is left, the claim may take over the use of the oldest claim by
  /// the same user and origin, and that claim is removed. So a person who mistyped an address can try again. A claim
  /// whose mail the address's bound does not admit takes no use, but takes one when its mail is sent later. A known
  /// share's own bound has no effect here. The number of uses is visible, and would reveal whether the address has an
  /// account.
  ///
  /// - Returns: Whether there was a use for the claim.
  fileprivate func holdUse(
    of id: InvitationID, _ claim: AddressClaim, _ mail: MailIntent, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let invitation = try invitation(id), invitation.admits(claim.email, at: now) else { return false }
    let isMailed = try bound(admitting: mail) == .shared
    if try isMailed ? takeUse(of: invitation, for: .claim(claim), at: now) : hasUse(invitation, at: now) {
      return true
    }
    guard invitation.mayBeTakenOver(by: claim.share), let oldest = try oldestHolder(of: id, claim.share, at: now) else {
      return false
    }
    guard isMailed else { return true }
    guard try moveUse(from: oldest, to: claim) else { return false }
    try write(.removeClaim(oldest))
    return true
  }

  /// Whether a code may be mailed for the claim: the claim has a use of its invitation, takes one now, or needs none.
  fileprivate func mayBeMailed(
    _ claim: AddressClaim, _ mail: MailIntent, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let id = claim.invitation, claim.mayHoldUse, try !hasUse(for: claim.id) else { return true }
    guard let invitation = try invitation(id), invitation.admits(claim.email, at: now),
      try bound(admitting: mail) == .shared
    else { return false }
    return try takeUse(of: invitation, for: .claim(claim), at: now)
  }
}

extension AddressClaim {
  /// The bound that admitted the mail with the renewed claim's code.
  ///
  /// - Parameters:
  ///   - seen: The claim before the renewal.
  ///   - mail: The renewal's mail, if it has one.
  ///   - part: The bound that admitted this mail, or nil if none did.
  package func mailed(after seen: AddressClaim, _ mail: MailIntent?, by part: MailBounds.Part?) -> MailBounds.Part? {
    guard mail != nil else { return seen.mailed }
    let earlier = seen.generation == generation ? seen.mailed : nil
    return earlier == .shared ? .shared : part ?? earlier
  }
}

extension CodeGuess {
  /// The answer to a guess of the claim's code, as `Accounts.guess` defines it.
  ///
  /// - Parameter claim: The claim, locked so that no other guess of its code can come in between.
  fileprivate func answer(at claim: AddressClaim?) -> GuessAnswer {
    guard let claim else { return .gone }
    guard claim.generation == generation else { return .outdated }
    guard !isRight else { return .right(claim) }
    return .wrong(attemptsLeft: claim.isHidden ? 0 : max(0, attempts - claim.attempts - 1))
  }
}
