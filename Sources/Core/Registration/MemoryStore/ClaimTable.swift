/// Claims of addresses and the wrong codes that were tried, in memory.
struct ClaimTable {
  private struct WrongCode {
    let key: EmailKey
    let share: Share
    let time: Timestamp
  }

  private var rows: [ClaimID: AddressClaim] = [:]
  private var wrong: [WrongCode] = []

  func find(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { rows[id].flatMap { $0.expiresAt > now ? $0 : nil } }

  func find(_ request: RequestKey, at now: Timestamp) -> AddressClaim? {
    rows.values.first { $0.request == request && $0.expiresAt > now }
  }

  func all(at now: Timestamp) -> [AddressClaim] {
    rows.values.filter { $0.expiresAt > now }.sorted { $0.id < $1.id }
  }

  /// - Returns: Nil if it was added.
  mutating func add(_ claim: AddressClaim, at now: Timestamp) -> ClaimAnswer? {
    let living = rows.values.filter { $0.expiresAt > now }
    let own = living.filter { $0.uid == claim.uid }
    let sameOrigin = own.filter { $0.origin == claim.origin }
    if own.count >= ClaimBounds.perUser || sameOrigin.count >= ClaimBounds.perShare {
      let mine = sameOrigin.count >= ClaimBounds.perShare ? sameOrigin : own
      return .tooMany(until: mine.map(\.expiresAt).min() ?? now)
    }
    makeRoom(beside: living.filter { $0.email.key == claim.email.key })
    rows[claim.id] = claim
    return nil
  }

  /// Takes the oldest of the share that has the most.
  private mutating func makeRoom(beside claims: [AddressClaim]) {
    guard claims.count >= ClaimBounds.perAddress else { return }
    let shares = Dictionary(grouping: claims, by: \.share)
    let most = shares.values.map(\.count).max() ?? 0
    let oldest = shares.values.filter { $0.count == most }.joined().min {
      ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
    }
    if let oldest { rows[oldest.id] = nil }
  }

  mutating func guess(_ id: ClaimID, _ guess: CodeGuess, at now: Timestamp) -> GuessAnswer {
    guard var claim = find(id, at: now) else { return .gone }
    guard claim.generation == guess.generation else { return .outdated }
    let since = now.advanced(by: .zero - CodeGuess.span)
    let all = wrong.filter { $0.key == claim.email.key && $0.time > since }
    let own = all.filter { $0.share == claim.share }
    guard !guess.isRefused(all: all.count, own: own.count) else {
      return .limited(until: (own.map(\.time).min() ?? now).advanced(by: CodeGuess.span))
    }
    guard !guess.isRight else { return .right(claim) }
    wrong.append(WrongCode(key: claim.email.key, share: claim.share, time: now))
    claim.attempts += 1
    rows[id] = claim.attempts < guess.attempts ? claim : nil
    return .wrong(attemptsLeft: max(0, guess.attempts - claim.attempts))
  }

  mutating func renew(_ claim: AddressClaim, seen: AddressClaim, at now: Timestamp) -> Bool {
    guard var found = find(claim.id, at: now), found.generation == seen.generation, found.resendAt == seen.resendAt
    else { return false }
    found.generation = claim.generation
    found.codeUntil = claim.codeUntil
    found.resendAt = claim.resendAt
    rows[claim.id] = found
    return true
  }

  mutating func end(_ id: ClaimID) { rows[id] = nil }

  mutating func proven(_ id: ClaimID) { rows[id]?.state = .proven }

  /// An account has the address from now on.
  mutating func end(for account: Account) {
    for claim in rows.values where claim.email.key == account.email.key && claim.state == .open {
      switch claim.kind {
      case .recovery: break
      case .registration where claim.account == account.id: rows[claim.id]?.state = .proven
      case .registration, .changeOfEmail: rows[claim.id]?.state = .taken
      }
    }
  }

  /// The account has another password, or another address.
  mutating func endRest(of account: AccountID) {
    for claim in rows.values where claim.account == account && claim.state == .open && claim.kind != .registration {
      rows[claim.id] = nil
    }
  }

  /// The account is deleted.
  mutating func forget(_ account: Account) {
    rows = rows.filter { $0.value.account != account.id && $0.value.email.key != account.email.key }
    wrong.removeAll { $0.key == account.email.key }
  }

  /// - Returns: Whether there may be more.
  mutating func sweep(at now: Timestamp, limit: Int) -> Bool {
    let over = rows.values.filter { $0.expiresAt <= now }.prefix(limit)
    for claim in over { rows[claim.id] = nil }
    let old = wrong.indices.filter { wrong[$0].time <= now.advanced(by: .zero - CodeGuess.span) }.prefix(limit)
    for index in old.reversed() { wrong.remove(at: index) }
    return over.count == limit || old.count == limit
  }
}
