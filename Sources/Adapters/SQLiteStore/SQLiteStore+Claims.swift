package import Registration

/// Claims of addresses, until they are proven.
extension SQLiteStore {
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    let codeKey = codeKey
    let concern = Concern(claims: [claim.id], mails: [mail.id], request: claim.request)
    return try await change(concern, for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      if let request = claim.request {
        if let known = try ClaimRow.find(connection, of: request, at: stamp.time) { return .requestKnown(known) }
        if let known = try RequestRow.find(connection, request) { return .requestHasAccount(known) }
      }
      if let fence = claim.fence, claim.isOutdated(try AccountRow.find(connection, fence)) { return .outdated }
      if let end = try ClaimRow.isTooMany(connection, claim.share, at: stamp.time) { return .tooMany(until: end) }
      try ClaimRow.makeRoom(connection, claim.email.key, at: stamp.time)
      try ClaimRow.insert(connection, claim, at: stamp.time)
      _ = try MailRow.add(connection, mail, codeKey)
      return .added
    }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await lookAtClaims { (connection) throws(SQLiteFailure) in try ClaimRow.find(connection, id, at: now) }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await lookAtClaims { (connection) throws(SQLiteFailure) in
      try ClaimRow.find(connection, of: request, at: now)
    }
  }

  /// Almost every change may end claims and remove mails, of whatever account: any commit in doubt is settled first.
  func lookAtClaims<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await look({ _, _ in true }, body)
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    try await change(Concern(claims: [id]), for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      guard let claim = try ClaimRow.find(connection, id, at: stamp.time) else { return .gone }
      guard claim.generation == guess.generation else { return .outdated }
      let (key, share) = (claim.email.key, claim.share)
      if let end = try WrongCodeRow.limit(connection, guess, key, share, at: stamp.time) { return .limited(until: end) }
      guard !guess.isRight else { return .right(claim) }
      try WrongCodeRow.note(connection, key, share, at: stamp.time)
      let attempts = claim.attempts + 1
      if attempts < guess.attempts {
        try ClaimRow.setAttempts(connection, id, attempts)
      } else {
        try ClaimRow.remove(connection, id)
      }
      return .wrong(attemptsLeft: max(0, guess.attempts - attempts))
    }
  }

  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    let codeKey = codeKey
    let concern = Concern(claims: [claim.id], mails: [mail?.id])
    return try await change(concern, for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      guard try ClaimRow.renew(connection, claim, seen: seen, at: stamp.time) else { return false }
      if let mail { _ = try MailRow.add(connection, mail, codeKey) }
      return true
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await change(Concern(claims: [id]), for: .daemon) { (connection, _) throws(SQLiteFailure) in
      try ClaimRow.remove(connection, id)
    }
  }

  package func claims(
    after: ClaimID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [AddressClaim] {
    try await list { (connection) throws(SQLiteFailure) in
      try ClaimRow.list(connection, after: after, limit: limit, at: now)
    }
  }
}
