/// Claims of addresses, in memory.
struct ClaimTable {
  private var rows: [ClaimID: AddressClaim] = [:]
  private var ofAddress: [EmailKey: Set<ClaimID>] = [:]
  private var ofRequest: [RequestKey: ClaimID] = [:]

  func find(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { rows[id].flatMap { $0.expiresAt > now ? $0 : nil } }

  /// The claim with this id, expired or not.
  func find(_ id: ClaimID) -> AddressClaim? { rows[id] }

  func find(_ request: RequestKey, at now: Timestamp) -> AddressClaim? {
    ofRequest[request].flatMap { find($0, at: now) }
  }

  func all(at now: Timestamp) -> [AddressClaim] {
    rows.values.filter { $0.expiresAt > now }.sorted { $0.id < $1.id }
  }

  /// - Parameter claim: Its request must have no unexpired claim yet. An expired claim of the request is replaced.
  mutating func add(_ claim: AddressClaim, at now: Timestamp) {
    if let expired = claim.request.flatMap({ ofRequest[$0] }) { end(expired) }
    rows[claim.id] = claim
    ofAddress[claim.email.key, default: []].insert(claim.id)
    if let request = claim.request { ofRequest[request] = claim.id }
    guard !claim.ranksAsMailed else { return }
    let unmailed = claims(for: claim.email.key).filter { !$0.ranksAsMailed && $0.expiresAt > now }
    for claim in ClaimBounds.surplus(of: unmailed, beyond: ClaimBounds.unmailedPerAddress) { giveWay(claim) }
  }

  func has(_ id: ClaimID) -> Bool { rows[id] != nil }

  /// - Parameter isRevoked: Whether a claim counts as absent.
  func hasOpen(at key: EmailKey, isRevoked: (AddressClaim) -> Bool) -> Bool {
    claims(for: key).contains { $0.state == .open && $0.kind != .recovery && !isRevoked($0) }
  }

  private func claims(for key: EmailKey) -> [AddressClaim] { ofAddress[key, default: []].compactMap { rows[$0] } }

  mutating func guessed(_ claim: AddressClaim) { if rows[claim.id] != nil { rows[claim.id] = claim } }

  mutating func renew(_ claim: AddressClaim, mailed: MailBounds.Part?) {
    guard var found = rows[claim.id] else { return }
    found.mailed = mailed
    found.generation = claim.generation
    found.digits = claim.digits
    found.codeUntil = claim.codeUntil
    found.resendAt = claim.resendAt
    rows[claim.id] = found
  }

  mutating func end(_ id: ClaimID) {
    guard let claim = rows.removeValue(forKey: id) else { return }
    ofAddress[claim.email.key]?.remove(id)
    if ofAddress[claim.email.key]?.isEmpty ?? false { ofAddress[claim.email.key] = nil }
    if let request = claim.request, ofRequest[request] == id { ofRequest[request] = nil }
  }

  private mutating func giveWay(_ claim: AddressClaim) {
    if claim.isHiddenInsteadOfRemoved { rows[claim.id]?.isHidden = true } else { end(claim.id) }
  }

  mutating func proven(_ id: ClaimID) { rows[id]?.state = .proven }

  /// Ends the open claims of the account's address, except recoveries, because the account is no longer pending. The
  /// claim that made the account becomes `proven`, every other claim `taken`.
  ///
  /// - Parameter isRevoked: Whether a claim counts as absent, and is not changed.
  mutating func end(for account: Account, isRevoked: (AddressClaim) -> Bool) {
    for claim in claims(for: account.email.key) where claim.state == .open && !isRevoked(claim) {
      switch claim.kind {
      case .recovery: break
      case .registration where claim.account == account.id: rows[claim.id]?.state = .proven
      case .registration, .changeOfEmail: rows[claim.id]?.state = .taken
      }
      if claim.kind != .recovery { rows[claim.id]?.displayName = nil }
    }
  }

  mutating func endRegistration(of account: AccountID) {
    for claim in rows.values where claim.account == account && claim.state == .open && claim.kind == .registration {
      end(claim.id)
    }
  }

  /// Removes an account's unproven recoveries and changes of address, because the account got another password or address.
  mutating func endRest(of account: AccountID) {
    for claim in rows.values where claim.account == account && claim.state != .proven && claim.kind != .registration {
      end(claim.id)
    }
  }

  /// Removes all claims with the id of an account that is being deleted.
  mutating func forget(_ account: Account) {
    for claim in rows.values where claim.account == account.id { end(claim.id) }
  }

  /// Removes at most `limit` expired claims, and those beyond `ClaimBounds.all`.
  ///
  /// - Returns: The expired claims.
  mutating func sweep(limit: Int, _ isOver: (Timestamp) -> Bool) -> Set<ClaimID> {
    let over = rows.values.filter { isOver($0.expiresAt) }.prefix(limit)
    for claim in over { end(claim.id) }
    if rows.count > ClaimBounds.all {
      for claim in ClaimBounds.surplus(of: Array(rows.values), beyond: ClaimBounds.all) { giveWay(claim) }
    }
    return Set(over.map(\.id))
  }
}

/// The times of wrong codes that callers tried, in memory.
struct WrongCodeTable {
  /// The times of the wrong codes, in the order in which they came.
  private var times: [GuessedAddress: [Timestamp]] = [:]
  /// The times of the latest wrong codes over all addresses, in the order in which they came.
  private var latest: [Timestamp] = []

  /// - Parameter limit: The highest count that is returned for the address.
  func count(at address: GuessedAddress, limit: Int, _ now: Timestamp) -> WrongCodes {
    let (since, sinceOfAll) = (
      now.advanced(by: .zero - CodeBounds.span), now.advanced(by: .zero - CodeBounds.spanOfAll)
    )
    return WrongCodes(
      atAddress: times[address, default: []].lazy.filter { $0 > since }.prefix(limit).count,
      overAll: latest.count { $0 > sinceOfAll })
  }

  mutating func note(at address: GuessedAddress, _ now: Timestamp) {
    times[address, default: []].append(now)
    latest.append(now)
    if latest.count > CodeBounds.all { latest.removeFirst() }
  }

  /// Forgets wrong codes that no longer count. Times in the future become `now`.
  mutating func sweep(at now: Timestamp, _ isOver: (Timestamp) -> Bool) {
    var kept = times.mapValues { $0.map { min($0, now) }.filter { !isOver($0) } }
    let excess = kept.values.map(\.count).reduce(0, +) - CodeBounds.kept
    if excess > 0 {
      let first = kept.values.joined().sorted()[excess]
      kept = kept.mapValues { $0.filter { $0 >= first } }
    }
    times = kept.filter { !$0.value.isEmpty }
    latest = latest.map { min($0, now) }.filter { !isOver($0) }
  }
}
